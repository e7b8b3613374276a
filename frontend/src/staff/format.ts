// Numbers, times and names as researchers and presenters read them, with their units.
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

/** A network's delay or a key's, `12 ms`; a dash where nothing is known. */
export function delay(time_ms: number | null | undefined): string {
  if (time_ms === null || time_ms === undefined) return "–";
  return `${time_ms.toFixed(time_ms < 10 ? 1 : 0)} ms`;
}

/** A metric in the contract's unit, as people read it. */
export function quantity(value: number, unit: string): string {
  if (unit === "share") return percent(value);
  if (unit === "µs") return milliseconds(value);
  if (unit === "ms") return delay(value);
  return value.toFixed(Number.isInteger(value) ? 0 : 1);
}

/** `linear_timeouts` as `linear timeouts`. */
export const words = (name: string): string => name.replaceAll("_", " ");

/** `1 session`, `2 sessions`. */
export const counted = (number: number, thing: string): string =>
  `${number} ${number === 1 ? thing : `${thing}s`}`;

/** A share of a whole, rounded to whole per cents; nothing of nothing is a dash. */
export const shareOf = (part: number, whole: number): string =>
  whole > 0 ? `${Math.round((part / whole) * 100)} %` : "–";

const MOMENT = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const CLOCK = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const LANGUAGES = new Intl.DisplayNames("en-GB", { type: "language" });

/** `21 Nov 2026, 17:05`, in the reader's time zone. */
export const moment = (iso: string): string => MOMENT.format(new Date(iso));

/** `21 Nov 2026`, of a date without a time. */
export const day = (iso: string): string => DAY.format(new Date(iso));

/** `17:05:09`. */
export const clock = (iso: string): string => CLOCK.format(new Date(iso));

/** `nb` as `Norwegian Bokmål`. */
export function languageName(code: string): string {
  try {
    return LANGUAGES.of(code) ?? code;
  } catch {
    return code;
  }
}
