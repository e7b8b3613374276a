// The two scales that a latency can be shown on.
// SPDX-License-Identifier: Apache-2.0

export const SCALES = { linear: "linear", logarithmic: "logarithmic" } as const;
export type ScaleName = keyof typeof SCALES;
