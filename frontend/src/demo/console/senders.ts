// Which mechanisms and settings a lane's sender has: those of its baseline's protocol.
// SPDX-License-Identifier: Apache-2.0
import type { BaselineOption, DemoLane, MechanismOption, ModeOption } from "../../api/generated";

type Baselines = readonly BaselineOption[];
type Baseline = DemoLane["baseline"];

/** What carries its messages. */
export const protocolOf = (baseline: Baseline, baselines: Baselines) =>
  baselines.find(({ name }) => name === baseline)?.protocol ?? "tcp";

/** The mechanisms that a sender has. */
export function mechanismsOf(
  baseline: Baseline,
  baselines: Baselines,
  mechanisms: readonly MechanismOption[],
): readonly MechanismOption[] {
  const protocol = protocolOf(baseline, baselines);
  return mechanisms.filter(({ protocols }) => protocols.includes(protocol));
}

/** Modes that are made of a sender's mechanisms alone. */
export function modesOf(
  mechanisms: readonly MechanismOption[],
  modes: readonly ModeOption[],
): readonly ModeOption[] {
  const has = new Set(mechanisms.map(({ name }) => name));
  return modes.filter((mode) => mode.mechanisms.every((name) => has.has(name)));
}

export type SackDelay = "kernel" | "none" | "own";

/** How long a lane's receivers wait with a SACK, as it is chosen. */
export function sackDelayOf({ sctp }: Pick<DemoLane, "sctp">): SackDelay {
  const delay_ms = sctp?.sack_delay_ms ?? null;
  if (delay_ms === null) return "kernel";
  return delay_ms === 0 ? "none" : "own";
}

/** The lane with another baseline, and with those of its mechanisms that one has, too. */
export function onBaseline(
  lane: DemoLane,
  baseline: Baseline,
  baselines: Baselines,
  mechanisms: readonly MechanismOption[],
): DemoLane {
  const has = new Set(mechanismsOf(baseline, baselines, mechanisms).map(({ name }) => name));
  return { ...lane, baseline, mechanisms: lane.mechanisms.filter((name) => has.has(name)) };
}

type Mechanism = DemoLane["mechanisms"][number];

/** What one mechanism is of no use without. */
const NEEDS: Readonly<Partial<Record<Mechanism, Mechanism>>> = { header_checksum: "tcp_lite" };

/** A sender's mechanisms with one more or less: what that needs comes with it, and goes with
 * what needs it. */
export function flipped(mechanisms: readonly Mechanism[], name: Mechanism): Mechanism[] {
  if (mechanisms.includes(name)) {
    return mechanisms.filter((one) => one !== name && NEEDS[one] !== name);
  }
  const needed = NEEDS[name];
  const more = needed && !mechanisms.includes(needed) ? [needed, name] : [name];
  return [...mechanisms, ...more];
}
