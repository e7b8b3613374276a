// What is said of experiments in more than one place, and where their pages are.
// SPDX-License-Identifier: Apache-2.0
import type { ExperimentRun, ExperimentSummary } from "../../api/generated";
import type { Tone } from "../../design/tone";
import { counted } from "../../staff/format";

/** What every page of one experiment is given. */
export interface OfExperiment {
  readonly name: string;
  readonly onSignedOut: () => void;
}

export const pageOf = (name: string): string => `/experiments/${name}`;
export const cellPage = (name: string, address: string): string =>
  `${pageOf(name)}/cells/${address}`;
export const sessionPage = (name: string, key: string): string => `${pageOf(name)}/sessions/${key}`;
/** Of the server: a document of its own, not one of these pages. */
export const reportOf = (name: string): string => `/api/researcher/experiments/${name}/report`;

export interface State {
  readonly word: string;
  readonly tone?: Tone;
}

/** Where an experiment stands, in a word. */
export function stateOf({
  run,
  results,
  problem,
  results_problem,
  reading,
}: ExperimentSummary): State {
  if (run?.stage === "running") return { word: "Running", tone: "good" };
  if (problem) return { word: "Cannot be read", tone: "bad" };
  if (results_problem) return { word: "Run it again", tone: "warn" };
  if (run?.stage === "stopped") return { word: "Stopped", tone: "warn" };
  if (results) return { word: "Results", tone: "good" };
  if (reading) return { word: "Being read" };
  if (run) return { word: "No results", tone: "warn" };
  return { word: "Not run yet" };
}

/** `about 5 minutes left`; nothing before it can be told. */
export function timeLeft(left_s: number | null): string {
  if (left_s === null) return "";
  if (left_s < 90) return `about ${counted(Math.max(1, Math.round(left_s)), "second")} left`;
  const minutes = Math.round(left_s / 60);
  if (minutes < 90) return `about ${counted(minutes, "minute")} left`;
  const hours = Math.floor(minutes / 60);
  return `about ${counted(hours, "hour")} ${counted(minutes % 60, "minute")} left`;
}

/** How far a run is, in words. */
export function progressOf(run: ExperimentRun): string {
  if (run.wanted === 0) return "The lab host is being started.";
  const told = [`${run.through} of ${counted(run.wanted, "session")}`];
  if (run.failed > 0) told.push(`${run.failed} failed`);
  const left = timeLeft(run.left_s);
  if (left) told.push(left);
  return told.join(" · ");
}

/** What results come to, in one line. */
export function outcomesOf({ results, sessions_wanted }: ExperimentSummary): readonly string[] {
  if (!results) return [];
  const { sessions, holding, requirements, agreeing, compared } = results;
  const whole = Math.max(sessions, sessions_wanted);
  return [
    `${sessions} of ${counted(whole, "session")}`,
    ...(requirements > 0 ? [`${holding} of ${counted(requirements, "requirement")} hold`] : []),
    ...(compared > 0 ? [`${agreeing} of ${counted(compared, "published figure")} agree`] : []),
  ];
}

/** `1.2 MB`. */
export function size(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.max(1, Math.round(bytes / 1_000))} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
