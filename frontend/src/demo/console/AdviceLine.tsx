// In words: what these settings can show, and what was measured.
// SPDX-License-Identifier: Apache-2.0

import type { Advice, DemoState } from "../../api/generated";
import look from "../../design/look.module.css";
import styles from "./AdviceLine.module.css";

interface AdviceLineProps {
  readonly advice: readonly Advice[];
  readonly stream: DemoState["stream"]["kind"];
}

/** What to do first, as long as nothing is known. */
const FIRST: Readonly<Record<AdviceLineProps["stream"], string>> = {
  clip: "Listen to one lane, then to another.",
  microphone: "Listen to one lane, then to another, and speak.",
  terminal: "Click into a terminal and type: each key goes to all lanes.",
  synthetic: "Watch the packets of one lane beside another’s.",
};

export function AdviceLine({ advice, stream }: AdviceLineProps) {
  return (
    <section
      className={styles.advice}
      aria-label="What can be expected, and what is measured"
      aria-live="polite"
    >
      {advice.length === 0 && (
        <p>
          {FIRST[stream]}{" "}
          <span className={look.soft}>
            After a minute with the same settings, what was measured stands here.
          </span>
        </p>
      )}
      {advice.map(({ kind, text, reason }) => (
        <p key={`${kind} ${text}`}>
          <strong>{text}</strong> {reason && <span className={look.soft}>{reason}</span>}
        </p>
      ))}
    </section>
  );
}
