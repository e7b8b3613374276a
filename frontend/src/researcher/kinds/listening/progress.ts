// Progress of recordings in words. Pure.
// SPDX-License-Identifier: Apache-2.0
import type { RecordingCounts, StudyRecordings } from "../../../api/generated";
import { words } from "../../../staff/format";

/** What is there, what is on its way, what failed. */
export function headline({ total, ready, under_way, failed }: RecordingCounts): string {
  if (ready === total) return `All ${total} recordings are ready.`;
  const parts = [`${ready} of ${total} recordings are ready`];
  if (under_way > 0) parts.push(`${under_way} ${under_way === 1 ? "is" : "are"} being made`);
  if (failed > 0) parts.push(`${failed} failed`);
  return `${parts.join(", ")}.`;
}

/** `null` is: too early to say. */
export function timeLeft(time_s: number | null): string {
  if (time_s === null) return "How long it takes will show after the first.";
  if (time_s < 10) return "A few seconds left.";
  if (time_s < 90) return `About ${Math.ceil(time_s / 10) * 10} seconds left.`;
  if (time_s < 5_400) return `About ${Math.round(time_s / 60)} minutes left.`;
  return `About ${(time_s / 3600).toFixed(1)} hours left.`;
}

export interface Failure {
  readonly problem: string;
  readonly remedy: string;
  /** The recordings that failed so. */
  readonly where: readonly string[];
}

/** What failed, each problem once. */
export function failuresOf({ trials }: Pick<StudyRecordings, "trials">): Failure[] {
  const found = new Map<string, { problem: string; remedy: string; where: string[] }>();
  for (const trial of trials) {
    for (const { run, members } of trial.runs) {
      for (const { status, problem, remedy, condition } of members) {
        if (status !== "failed" || problem === null) continue;
        const failure = found.get(problem) ?? { problem, remedy: remedy ?? "", where: [] };
        const which = trial.runs.length > 1 ? `, run ${run}` : "";
        failure.where.push(`${trial.id} (${words(condition.name)}${which})`);
        found.set(problem, failure);
      }
    }
  }
  return [...found.values()];
}
