// What can be taken home, and in which form.
// SPDX-License-Identifier: Apache-2.0
import { Hidden } from "../results/Hidden";
import { useStudy } from "../useStudy";

interface File {
  readonly name: string;
  readonly says: string;
  /** Form → last part of the address. */
  readonly forms: Readonly<Record<string, string>>;
}

const FILES: readonly File[] = [
  {
    name: "Votes",
    says: "One row a vote, joined with what was measured of the recordings that were heard.",
    forms: { CSV: "export.csv", JSON: "export.json", Parquet: "export.parquet" },
  },
  {
    name: "Participants",
    says: "One row a participant: how far they came, their questionnaire, and why they are left out.",
    forms: {
      CSV: "participants.csv",
      JSON: "participants.json",
      Parquet: "participants.parquet",
    },
  },
  {
    name: "Codebook",
    says: "What each column means, its unit and its values.",
    forms: { CSV: "codebook.csv", JSON: "codebook.json" },
  },
];

export function Export() {
  const { study } = useStudy();
  if (!study.state.votes_visible) return <Hidden what="The export" />;
  const at = `/api/researcher/studies/${encodeURIComponent(study.slug)}`;
  return (
    <>
      <p className="soft">
        Nothing is left out: training, previews, bots and excluded participants are in the files,
        each marked in a column of its own.
      </p>
      <ul className="studies">
        {FILES.map(({ name, says, forms }) => (
          <li key={name} className="card">
            <h2>{name}</h2>
            <p>{says}</p>
            <div className="row">
              {Object.entries(forms).map(([form, path]) => (
                <a key={form} className="button quiet slim" href={`${at}/${path}`} download>
                  {name} ({form})
                </a>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
