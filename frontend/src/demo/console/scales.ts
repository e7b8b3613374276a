// The numbers of the path, of senders and of the stream, as the console shows and takes them.
// SPDX-License-Identifier: Apache-2.0
import type { BitErrors, Bundling, Direction, GilbertElliott, Sctp } from "../../api/generated";
import {
  bitErrorsQuantities,
  bundlingQuantities,
  directionQuantities,
  gilbertElliottQuantities,
  sctpQuantities,
} from "../../api/generatedTerms";
import type { Scale } from "./Quantity";

/** A number as the backend describes it. */
interface Described {
  readonly title: string;
  readonly unit: string;
  readonly most: number;
  readonly usual: number;
  readonly step: number;
  readonly zero: string;
}

/** Shares are shown in per cent; all else is in the unit that it is told in. */
function scale({ title: label, unit, most, usual, step, zero }: Described): Scale {
  const factor = unit === "share" ? 100 : 1;
  return {
    label,
    unit: unit === "share" ? "%" : unit,
    least: 0,
    most: most * factor,
    usual: usual * factor,
    step: step * factor,
    factor,
    ...(zero && { zero }),
  };
}

function scales<Name extends string>(all: Readonly<Record<Name, Described>>) {
  const named = Object.entries<Described>(all).map(([name, one]) => [name, scale(one)]);
  return Object.fromEntries(named) as Readonly<Record<Name, Scale>>;
}

/** All that is a number of its own. */
export type DirectionNumber = Exclude<
  keyof Direction,
  "bit_errors" | "gilbert_elliott" | "queue_discipline" | "ecn"
>;

/** In the order in which the console shows them. */
export const DIRECTION: Readonly<Record<DirectionNumber, Scale>> = scales(directionQuantities);

export const BURSTS: Readonly<Record<keyof GilbertElliott, Scale>> =
  scales(gilbertElliottQuantities);

/** What bursts begin with: one in fifty packets opens one, three packets long, losing each other. */
export const FIRST_BURSTS: GilbertElliott = {
  good_to_bad_share: 0.02,
  bad_to_good_share: 0.33,
  loss_share_bad: 0.5,
  loss_share_good: 0,
};

/** All that is a number. */
export type BitErrorsNumber = Exclude<keyof BitErrors, "at_end">;

export const BIT_ERRORS: Readonly<Record<BitErrorsNumber, Scale>> = scales(bitErrorsQuantities);

/** What bit errors begin with: loss profile 4 of the TCP Lite thesis. */
export const FIRST_BIT_ERRORS: BitErrors = {
  good_ms: 2000,
  bad_ms: 100,
  error_share_good: 0,
  error_share_bad: 0.01,
  tick_ms: 10,
  at_end: false,
};

/** All of its settings but the answer to hidden losses. */
export type BundlingNumber = Exclude<keyof Bundling, "hidden_loss_response">;

export const BUNDLING: Readonly<Record<BundlingNumber, Scale>> = scales(bundlingQuantities);

/** What the kernel does where nothing is set. */
export const UNSET_BUNDLING: Readonly<Record<BundlingNumber, number>> = {
  max_bytes: 0,
  max_packets: 0,
  min_iat_ms: 5,
};

/** All that a running association can be given. */
export type SctpNumber = Exclude<keyof Sctp, "streams" | "unordered">;

export const SCTP: Readonly<Record<SctpNumber, Scale>> = scales(sctpQuantities);

/** What the kernel does where nothing is set. */
export const UNSET_SCTP: Readonly<Record<SctpNumber, number>> = { sack_delay_ms: 200 };

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
