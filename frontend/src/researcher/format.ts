// Numbers as the researcher reads them, with their units.
// SPDX-License-Identifier: Apache-2.0

/** `0.0195` as `1.95 %`; whole per cents stay whole. */
export function percent(share: number): string {
  const value = share * 100;
  const digits = Number.isInteger(Math.round(value * 1e6) / 1e6) ? 0 : value < 10 ? 2 : 1;
  return `${value.toFixed(digits)} %`;
}

/** Microseconds as milliseconds with what precision they deserve. */
export function milliseconds(time_us: number): string {
  const time_ms = time_us / 1000;
  return `${time_ms.toFixed(time_ms < 10 ? 2 : time_ms < 1000 ? 1 : 0)} ms`;
}

/** A time of playout: seconds from ten seconds on. */
export function duration(time_ms: number): string {
  if (time_ms >= 10_000) return `${(time_ms / 1000).toFixed(1)} s`;
  return `${Math.round(time_ms)} ms`;
}

/** `linear_timeouts` as `linear timeouts`. */
export const words = (name: string): string => name.replaceAll("_", " ");
