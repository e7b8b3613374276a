// What others have published beside what was found here, with where chance alone
// would let a replication of this size fall.
// SPDX-License-Identifier: Apache-2.0

import type { Estimate, ReplicationFindings, StudyResults } from "../../../api/generated";
import { TitledCard } from "../../../design/Card";
import look from "../../../design/look.module.css";
import { Stack } from "../../../design/Stack";
import { Tag } from "../../../design/Tag";
import { percent } from "../../../staff/format";
import { Forest, type ForestRow } from "../Forest";
import { EXACT_SHARES } from "../scale";

export function Replications({ results }: { readonly results: StudyResults }) {
  const { replications, confidence } = results;
  if (replications.length === 0) return null;
  return (
    <TitledCard id="replications" title="Beside what was published">
      <p className={look.note}>
        Counts with exact intervals (Clopper and Pearson). Foretold is where the published counts
        alone put {percent(confidence)} of replications with as many votes as here (beta-binomial
        predictive distribution). That is chance alone: other clips, losses and people come on top.
      </p>
      {replications.map((one) => (
        <Replication key={`${one.trial_id} ${one.condition} ${one.source}`} found={one} />
      ))}
    </TitledCard>
  );
}

function Replication({ found }: { readonly found: ReplicationFindings }) {
  const { trial_id, condition, among, source, differs } = found;
  return (
    <Stack gap={3}>
      <h3>
        {trial_id}: {among === "all" ? "all votes" : "votes with a preference"}, for {condition}
      </h3>
      <Forest
        title={`${trial_id}: published, foretold and ours`}
        scale={EXACT_SHARES}
        rows={rowsOf(found)}
      />
      <p className={look.note}>
        {source}
        {differs && (
          <>
            <br />
            <strong>Otherwise than here:</strong> {differs}
          </>
        )}
      </p>
    </Stack>
  );
}

function rowsOf(found: ReplicationFindings): ForestRow[] {
  const { published, predicted, ours, inside } = found;
  return [
    row("Published", `${found.published_count} of ${found.published_of}`, published),
    ...(predicted
      ? [
          row(
            "Foretold",
            `${found.predicted_low} to ${found.predicted_high} of ${found.of}`,
            predicted,
          ),
        ]
      : []),
    ...(ours
      ? [
          {
            ...row("Here", `${found.count} of ${found.of}`, ours),
            label: (
              <>
                Here <Tag>{inside ? "As foretold" : "Not as foretold"}</Tag>
              </>
            ),
            strong: true,
          },
        ]
      : []),
  ];
}

const row = (label: string, detail: string, estimate: Estimate): ForestRow => ({
  id: label,
  label,
  detail,
  estimate,
});
