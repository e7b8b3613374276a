// What things of a demo are called, in words.
// SPDX-License-Identifier: Apache-2.0
import type { DemoLane, DemoPath, DemoSettings, DemoStage } from "../../api/generated";
import { percent, words } from "../../staff/format";

export const stages: Readonly<Record<DemoStage, string>> = {
  stopped: "Not running",
  opening: "Opening the lanes…",
  running: "Running",
  paused: "Paused",
  ended: "Ended",
};

const MECHANISMS: Readonly<Record<string, string>> = {
  linear_timeouts: "Linear timeouts",
  early_fast_retransmit: "Early fast retransmit",
  bundling: "Bundling",
};
export const mechanism = (name: string): string => MECHANISMS[name] ?? words(name);

const BASELINES: Readonly<Record<string, string>> = {
  newreno2008: "NewReno (2008)",
  modern: "Modern (CUBIC, RACK, TLP)",
  bbr: "BBR",
};
export const baseline = (name: string): string => BASELINES[name] ?? name;

/** `65 ms, 2 % lost`, of one direction or both. */
export function path({ forward, backward }: DemoPath): string {
  const there = direction(forward);
  const back = direction(backward);
  return there === back ? `${there}, each way` : `there ${there}; back ${back}`;
}

function direction(one: DemoPath["forward"]): string {
  const loss = one.gilbert_elliott
    ? "losses in bursts"
    : one.loss_share > 0
      ? `${percent(one.loss_share)} lost`
      : "";
  const jitter = one.jitter_ms > 0 ? `± ${one.jitter_ms} ms` : "";
  const rate = one.rate_kbit_per_s > 0 ? `${one.rate_kbit_per_s} kbit/s` : "";
  const damage = one.corrupt_share > 0 ? `${percent(one.corrupt_share)} damaged` : "";
  return [`${one.delay_ms} ms`, jitter, loss, rate, damage].filter(Boolean).join(", ");
}

/** With every number that is set, for whoever reads it elsewhere. */
export function pathInFull({ forward, backward }: DemoPath): string {
  const there = directionInFull(forward);
  const back = directionInFull(backward);
  return there === back ? `each way ${there}` : `there ${there}; back ${back}`;
}

function directionInFull(one: DemoPath["forward"]): string {
  const { gilbert_elliott: bursts } = one;
  const loss = bursts
    ? `loss in bursts (they begin with ${percent(bursts.good_to_bad_share)} and end with ` +
      `${percent(bursts.bad_to_good_share)} of packets, ${percent(bursts.loss_share_bad)} are ` +
      `lost in one and ${percent(bursts.loss_share_good)} between)`
    : `loss ${percent(one.loss_share)}`;
  return [
    `delay ${one.delay_ms} ms`,
    one.jitter_ms > 0 && `jitter ${one.jitter_ms} ms`,
    loss,
    one.rate_kbit_per_s > 0 && `rate ${one.rate_kbit_per_s} kbit/s`,
    one.queue_packets > 0 && `queue ${one.queue_packets} packets`,
    one.corrupt_share > 0 && `damage ${percent(one.corrupt_share)}`,
  ]
    .filter(Boolean)
    .join(", ");
}

export const laneInWords = ({
  mechanisms,
  baseline: base,
}: Pick<DemoLane, "mechanisms" | "baseline">): string =>
  `${mechanisms.length > 0 ? mechanisms.map(mechanism).join(", ") : "No mechanism"}, on ${baseline(base)}`;

/** What a letter stands for. */
export const lettered = (letter: string, name: string): string => `${letter} – ${name}`;

export function stream(one: DemoSettings["stream"]): string {
  switch (one.kind) {
    case "clip":
      return `the clip “${words(one.clip)}”`;
    case "microphone":
      return "your microphone";
    case "terminal":
      return `a terminal with ${one.editor}`;
    case "synthetic":
      return `${one.payload_bytes} bytes every ${one.iat_ms} ms`;
  }
}

/** `3:07`, or `1:02:09`. */
export function time(at_ms: number): string {
  const whole_s = Math.max(0, Math.floor(at_ms / 1000));
  const parts = [Math.floor(whole_s / 3600), Math.floor(whole_s / 60) % 60, whole_s % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, place) => (place > 0 ? String(part).padStart(2, "0") : part)).join(":");
}
