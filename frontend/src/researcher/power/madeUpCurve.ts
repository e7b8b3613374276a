// A power curve for tests, of which every number tells where it belongs.
// SPDX-License-Identifier: Apache-2.0
import type { PlannedTest, PowerCurve } from "../../api/generated";

interface MadeUp {
  readonly id?: string;
  readonly null_value: number;
  readonly effects: readonly number[];
  readonly sizes: readonly number[];
  readonly generalises?: boolean;
}

const share = (value: number) => ({ value, low: value, high: value });

export const madeUpTest = (made: MadeUp): PlannedTest => ({
  id: made.id ?? "changes",
  unit: "share",
  recordings: 12,
  generalises: made.generalises ?? true,
  null_value: made.null_value,
  smallest_effect: 0.2,
  points: made.effects.flatMap((effect, place) =>
    made.sizes.map((size) => ({
      participants: size,
      effect,
      shown: share((200 + 100 * place + size) / 1000),
      none_that_matters: share(size / 1000),
    })),
  ),
});

export const madeUpCurve = (tests: PlannedTest[], sizes: number[]): PowerCurve => ({
  participants: sizes,
  planned: sizes[0] ?? null,
  confidence: 0.95,
  rule: tests.length > 1 ? "all" : null,
  studies: 500,
  assumed: ["everybody answers everything"],
  tests,
  together: sizes.map((participants) => ({
    participants,
    size: 0,
    shown: share(0.05),
    stopped: share(0.25),
    participants_mean: participants - 2,
  })),
});
