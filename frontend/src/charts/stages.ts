// A key's way as stretches of time, one after the other. Pure.
// SPDX-License-Identifier: Apache-2.0

/** As much of a key's clock line as its stretches need; µs since it was pressed. */
export interface ClockLine {
  readonly number: number;
  readonly pressed_us: number;
  readonly key_written_us: number | null;
  readonly key_delivered_us: number | null;
  readonly echo_written_us: number | null;
  readonly echo_delivered_us: number | null;
  readonly painted_us: number | null;
  readonly key_recovery: string | null;
  readonly echo_recovery: string | null;
}

export type StageName = "in" | "key" | "editor" | "echo" | "out";

export const STAGES: Readonly<Record<StageName, string>> = {
  in: "Page to sender",
  key: "Key on the lane",
  editor: "Editor",
  echo: "Echo on the lane",
  out: "Sender to glyph",
};

export interface Stretch {
  readonly stage: StageName;
  readonly from_us: number;
  readonly to_us: number;
}

/** The stretches that are known, up to the first step that was not seen. */
export function stretches(line: ClockLine): Stretch[] {
  const ends: readonly (readonly [StageName, number | null])[] = [
    ["in", line.key_written_us],
    ["key", line.key_delivered_us],
    ["editor", line.echo_written_us],
    ["echo", line.echo_delivered_us],
    ["out", line.painted_us],
  ];
  const found: Stretch[] = [];
  let from_us = 0;
  for (const [stage, to_us] of ends) {
    if (to_us === null) break;
    found.push({ stage, from_us, to_us: Math.max(from_us, to_us) });
    from_us = Math.max(from_us, to_us);
  }
  return found;
}

/** What brought a key or its echo when the first copy was lost; null: nothing was lost. */
export type Loss = "bundle" | "fast" | "timeout" | "never";

export const LOSSES: Readonly<Record<Loss, string>> = {
  bundle: "came in a bundle",
  fast: "fast retransmission",
  timeout: "timeout",
  never: "never came",
};

const asLoss = (recovery: string | null): Loss | null =>
  recovery !== null && recovery in LOSSES ? (recovery as Loss) : null;

/** What was lost of a key, its own way first. */
export function lossesOf(line: ClockLine): { readonly of: "key" | "echo"; readonly by: Loss }[] {
  const key = asLoss(line.key_recovery);
  const echo = asLoss(line.echo_recovery);
  return [
    ...(key ? [{ of: "key" as const, by: key }] : []),
    ...(echo ? [{ of: "echo" as const, by: echo }] : []),
  ];
}
