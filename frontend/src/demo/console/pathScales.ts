// The numbers of one direction of the path, as the console shows and takes them.
// SPDX-License-Identifier: Apache-2.0
import type { Direction, GilbertElliott } from "../../api/generated";
import type { Scale } from "./Quantity";

const PER_CENT = { unit: "%", least: 0, most: 100, factor: 100 } as const;
const MS = { unit: "ms", least: 0, most: 10_000, step: 1, factor: 1 } as const;

type Plain = Exclude<keyof Direction, "gilbert_elliott">;

export const DIRECTION: Readonly<Record<Plain, Scale>> = {
  delay_ms: { ...MS, label: "Delay", usual: 500, step: 5 },
  jitter_ms: { ...MS, label: "Jitter", usual: 100 },
  loss_share: { ...PER_CENT, label: "Loss", usual: 20, step: 0.5 },
  rate_kbit_per_s: {
    label: "Rate",
    unit: "kbit/s",
    least: 0,
    usual: 2_000,
    most: 10_000_000,
    step: 50,
    factor: 1,
    zero: "any",
  },
  queue_packets: {
    label: "Queue",
    unit: "packets",
    least: 0,
    usual: 1_000,
    most: 1_000_000,
    step: 10,
    factor: 1,
    zero: "1000",
  },
  corrupt_share: { ...PER_CENT, label: "Damage", usual: 10, step: 0.5 },
};

export const BURSTS: Readonly<Record<keyof GilbertElliott, Scale>> = {
  good_to_bad_share: { ...PER_CENT, label: "Bursts begin", usual: 10, step: 0.1 },
  bad_to_good_share: { ...PER_CENT, label: "Bursts end", usual: 100, step: 1 },
  loss_share_bad: { ...PER_CENT, label: "Loss in a burst", usual: 100, step: 1 },
  loss_share_good: { ...PER_CENT, label: "Loss between", usual: 10, step: 0.1 },
};

/** What bursts begin with: one in fifty packets opens one, three packets long, losing each other. */
export const FIRST_BURSTS: GilbertElliott = {
  good_to_bad_share: 0.02,
  bad_to_good_share: 0.33,
  loss_share_bad: 0.5,
  loss_share_good: 0,
};

export const SYNTHETIC: Readonly<Record<"payload_bytes" | "iat_ms", Scale>> = {
  payload_bytes: {
    label: "Size",
    unit: "bytes",
    least: 1,
    usual: 1_400,
    most: 1_400,
    step: 10,
    factor: 1,
  },
  iat_ms: { label: "Every", unit: "ms", least: 10, usual: 500, most: 10_000, step: 5, factor: 1 },
};
