// From a test's points to the lines of its chart.
// SPDX-License-Identifier: Apache-2.0
import type { PlannedTest } from "../../api/generated";
import type { PowerLine } from "../../charts/PowerChart";

export type Over = "participants" | "effect";
export type What = "shown" | "none";

/** The share of studies that is commonly wanted. */
export const WANTED = 0.8;

interface Chart {
  readonly places: readonly number[];
  readonly axis: string;
  readonly say: (place: number) => string;
  readonly logarithmic: boolean;
  readonly lines: readonly PowerLine[];
}

/** An effect in its test's unit: `60 %`, `+0.50`. */
export function saidEffect({ unit }: Pick<PlannedTest, "unit">, effect: number): string {
  if (unit.startsWith("share")) return `${Math.round(1000 * effect) / 10} %`;
  const text = Math.abs(effect).toFixed(2);
  return effect === 0 ? "0" : `${effect < 0 ? "−" : "+"}${text}`;
}

export function chartOf(
  test: PlannedTest,
  participants: readonly number[],
  over: Over,
  what: What,
): Chart {
  const effects = [...new Set(test.points.map(({ effect }) => effect))].sort((a, b) => a - b);
  const at = (effect: number, size: number): number => {
    const point = test.points.find((one) => one.effect === effect && one.participants === size);
    const share = what === "shown" ? point?.shown : point?.none_that_matters;
    return share?.value ?? 0;
  };
  if (over === "participants") {
    return {
      places: participants,
      axis: "Participants",
      say: String,
      logarithmic: true,
      lines: effects.map((effect) => ({
        name: effect === test.null_value ? "no effect" : saidEffect(test, effect),
        shares: participants.map((size) => at(effect, size)),
      })),
    };
  }
  return {
    places: effects,
    axis: "Effect",
    say: (effect) => saidEffect(test, effect),
    logarithmic: false,
    lines: participants.map((size) => ({
      name: `${size} participants`,
      shares: effects.map((effect) => at(effect, size)),
    })),
  };
}
