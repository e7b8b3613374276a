// The page's clock, as it is told to the server.
// SPDX-License-Identifier: Apache-2.0

/** µs since 1970 of an event's `timeStamp`, or of now. */
export const pageClock_us = (timeStamp_ms: number = performance.now()): number =>
  Math.round((performance.timeOrigin + timeStamp_ms) * 1_000);
