// What things of a demo are called, in words.
// SPDX-License-Identifier: Apache-2.0
import type { DemoStage } from "../../api/generated";

export const stages: Readonly<Record<DemoStage, string>> = {
  stopped: "Not running",
  opening: "Opening the lanes…",
  running: "Running",
  paused: "Paused",
  ended: "Ended",
};

/** What a letter stands for. */
export const lettered = (letter: string, name: string): string => `${letter} – ${name}`;

/** `3:07`, or `1:02:09`. */
export function time(at_ms: number): string {
  const whole_s = Math.max(0, Math.floor(at_ms / 1000));
  const parts = [Math.floor(whole_s / 3600), Math.floor(whole_s / 60) % 60, whole_s % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, place) => (place > 0 ? String(part).padStart(2, "0") : part)).join(":");
}
