// In words: what these settings can show, and what was measured.
// SPDX-License-Identifier: Apache-2.0
import type { Advice } from "../../api/generated";

export function AdviceLine({ advice }: { readonly advice: readonly Advice[] }) {
  return (
    <section
      className="advice"
      aria-label="What can be expected, and what is measured"
      aria-live="polite"
    >
      {advice.length === 0 && (
        <p>
          Listen to one lane, then to another.{" "}
          <span className="soft">
            After a minute with the same settings, what was measured stands here.
          </span>
        </p>
      )}
      {advice.map(({ kind, text, reason }) => (
        <p key={`${kind} ${text}`} className={`advice-${kind}`}>
          <strong>{text}</strong> {reason && <span className="soft">{reason}</span>}
        </p>
      ))}
    </section>
  );
}
