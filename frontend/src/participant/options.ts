// The answers that a scale offers, in the order in which they are shown, each
// with a key of its own.
// SPDX-License-Identifier: Apache-2.0
import type { OpenTrial, VoteCast } from "../api/generated";
import type { Say } from "../language/translation";

export interface Option {
  readonly label: string;
  readonly key: string;
  readonly answer: Pick<VoteCast, "choice" | "noticeable"> | Pick<VoteCast, "score">;
}

const LETTERS = "ABCDEFG";

export function optionsOf({ scale }: Pick<OpenTrial, "scale">, say: Say): Option[] {
  if (scale.kind === "abx") {
    return (["first", "second"] as const).map((choice) => ({
      label: scale.answers[choice],
      key: say(`key.x.${choice}`),
      answer: { choice },
    }));
  }
  if (scale.kind === "preference") {
    return (["first", "second", "no_difference"] as const).flatMap((choice) => {
      const label = scale.answers[choice];
      return label ? [{ label, key: say(`key.${choice}`), answer: { choice } }] : [];
    });
  }
  // P.800: from the best to the worst. Scores of one rating are keys themselves; those of
  // CCR would be 1 and 2 as well, which play.
  return scale.labels
    .toSorted((one, other) => other.score - one.score)
    .map(({ score, label }, place) => ({
      label,
      key: scale.kind !== "ccr" ? String(score) : (LETTERS[place] ?? ""),
      answer: { score },
    }));
}
