// Levels of a staircase: their words, and their places on a logarithmic axis.
// SPDX-License-Identifier: Apache-2.0
import type { StaircaseFindings } from "../../../api/generated";

type Quantity = StaircaseFindings["quantity"];

export const TITLES: Record<Quantity, string> = {
  loss_share: "Loss",
  one_way_delay_ms: "One-way delay",
};

const digits = (value: number): string => String(Number(value.toPrecision(3)));

/** A level, or a threshold, with no more digits than it deserves. */
export const saidLevel = (quantity: Quantity, value: number): string =>
  quantity === "loss_share" ? `${digits(100 * value)} %` : `${digits(value)} ms`;

/** Per cent of an axis between two levels, on a logarithmic scale; what lies outside is at its edge. */
export const place = (value: number, least: number, most: number): number =>
  Math.min(100, Math.max(0, (100 * Math.log(value / least)) / Math.log(most / least)));
