// What can be taken home, and in which form.
// SPDX-License-Identifier: Apache-2.0

import type { StudyOverview } from "../../api/generated";
import { ButtonLink } from "../../design/Button";
import { Card } from "../../design/Card";
import { Empty } from "../../design/Empty";
import { Gallery } from "../../design/Gallery";
import { Row } from "../../design/Row";
import { Hidden } from "../Hidden";
import { kinds, kindsOf } from "../kinds/registry";
import { useStudy } from "../useStudy";

interface File {
  readonly name: string;
  readonly says: string;
  /** Form → last part of the address. */
  readonly forms: Readonly<Record<string, string>>;
}

const forms = (name: string) => ({
  CSV: `${name}.csv`,
  Excel: `${name}.xlsx`,
  JSON: `${name}.json`,
  Parquet: `${name}.parquet`,
});

const MEDIA = kinds.map(({ medium }) => medium).join(" or ");

const filesOf = (study: StudyOverview): readonly File[] => [
  {
    name: "Votes",
    says: `One row a vote, joined with what was measured of what was ${MEDIA}.`,
    forms: forms("export"),
  },
  {
    name: "Tidy votes",
    says: "One row for each vote and member, by condition and not by place: few columns, for a first look.",
    forms: forms("tidy"),
  },
  {
    name: "Journal",
    says: "One row for each thing that happened on the page between a trial shown and its vote.",
    forms: forms("journal"),
  },
  {
    name: "Participants",
    says: "One row a participant: how far they came, their questionnaire, and why they are left out.",
    forms: forms("participants"),
  },
  ...kindsOf(study)
    .flatMap(({ tables }) => tables)
    .map(({ title, says, path }) => ({ name: title, says, forms: forms(path) })),
  {
    name: "Codebook",
    says: "What each column means, its unit and its values.",
    forms: { CSV: "codebook.csv", Excel: "codebook.xlsx", JSON: "codebook.json" },
  },
];

export function Export() {
  const { study } = useStudy();
  if (!study.state.votes_visible) return <Hidden what="The export" />;
  const at = `/api/researcher/studies/${encodeURIComponent(study.slug)}`;
  return (
    <>
      <Empty>
        Nothing is left out: training, previews, bots and excluded participants are in the files,
        each marked in a column of its own. All of it in one folder, with the plan and an analysis
        in Python and R: <code>thinlab study bundle {study.slug} FOLDER</code>
      </Empty>
      <Gallery>
        {filesOf(study).map(({ name, says, forms }) => (
          <Card key={name} as="li">
            <h2>{name}</h2>
            <p>{says}</p>
            <Row>
              {Object.entries(forms).map(([form, path]) => (
                <ButtonLink key={form} quiet slim href={`${at}/${path}`} download>
                  {name} ({form})
                </ButtonLink>
              ))}
            </Row>
          </Card>
        ))}
      </Gallery>
    </>
  );
}
