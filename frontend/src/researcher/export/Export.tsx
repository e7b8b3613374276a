// What can be taken home, and in which form.
// SPDX-License-Identifier: Apache-2.0

import type { StudyOverview } from "../../api/generated";
import { ButtonLink } from "../../design/Button";
import { Card } from "../../design/Card";
import { Empty } from "../../design/Empty";
import { Gallery } from "../../design/Gallery";
import { Row } from "../../design/Row";
import { Hidden } from "../Hidden";
import { isTyped } from "../media";
import { useStudy } from "../useStudy";

interface File {
  readonly name: string;
  readonly says: string;
  /** Form → last part of the address. */
  readonly forms: Readonly<Record<string, string>>;
  /** Left out: every study has it. */
  readonly of?: (study: StudyOverview) => boolean;
}

const forms = (name: string) => ({
  CSV: `${name}.csv`,
  Excel: `${name}.xlsx`,
  JSON: `${name}.json`,
  Parquet: `${name}.parquet`,
});

const FILES: readonly File[] = [
  {
    name: "Votes",
    says: "One row a vote, joined with what was measured of what was heard or typed.",
    forms: forms("export"),
  },
  {
    name: "Participants",
    says: "One row a participant: how far they came, their questionnaire, and why they are left out.",
    forms: forms("participants"),
  },
  {
    name: "Typing sessions",
    says: "One row a session, void ones too: network, task, what the typist did and felt, what was measured on the lane.",
    forms: forms("typing-sessions"),
    of: isTyped,
  },
  {
    name: "Keystrokes",
    says: "One row a key: every instant of its way from the finger to the glyph, and what brought it when it was lost.",
    forms: forms("keystrokes"),
    of: isTyped,
  },
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
        each marked in a column of its own.
      </Empty>
      <Gallery>
        {FILES.filter((file) => file.of?.(study) ?? true).map(({ name, says, forms }) => (
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
