// How votes spread: as a bar of three parts, or as a column for each score.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import type { ComparisonFindings, TrialFindings } from "../../api/generated";
import look from "../../design/look.module.css";
import { counted } from "../../staff/format";
import swatches from "../swatches.module.css";
import styles from "./Spread.module.css";

export function VotesBar({ pair }: { readonly pair: ComparisonFindings | TrialFindings }) {
  const parts = [
    { name: pair.condition_a, votes: pair.votes_a, kind: "a" },
    { name: "no difference", votes: pair.votes_none, kind: "none" },
    { name: pair.condition_b, votes: pair.votes_b, kind: "b" },
  ];
  return (
    <div className={styles.votes}>
      <div className={styles.votesBar} aria-hidden="true">
        {parts.map(({ kind, votes }) => (
          <span key={kind} className={styles[kind]} style={{ flexGrow: votes }} />
        ))}
      </div>
      <dl className={clsx(swatches.swatches, look.small)}>
        {parts.map(({ kind, name, votes }) => (
          <div key={kind} className={styles[kind]}>
            <dt>{name}</dt>
            <dd>{votes}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

interface HistogramProps {
  /** Score → votes. */
  readonly counts: Readonly<Record<string, number>>;
  readonly scores: readonly number[];
}

export function Histogram({ counts, scores }: HistogramProps) {
  const votes = scores.map((score) => counts[String(score)] ?? 0);
  const most = Math.max(1, ...votes);
  const said = scores
    .map((score, at) => `${counted(votes[at] ?? 0, "vote")} for ${score}`)
    .join(", ");
  return (
    <div className={styles.histogram} role="img" aria-label={said}>
      {scores.map((score, at) => (
        <span key={score} className={styles.histogramColumn}>
          <span className={look.small}>{votes[at]}</span>
          <span className={styles.histogramBar}>
            <span style={{ height: `${(100 * (votes[at] ?? 0)) / most}%` }} />
          </span>
          <span className={look.note}>{score > 0 ? score : String(score).replace("-", "−")}</span>
        </span>
      ))}
    </div>
  );
}
