// Experiments that nobody has run, for tests.
// SPDX-License-Identifier: Apache-2.0
import type { ExperimentRun, ExperimentSummary, SessionMade } from "../../api/generated";

export const run = (changes: Partial<ExperimentRun> = {}): ExperimentRun => ({
  stage: "running",
  began_at: "2026-11-27T04:00:00Z",
  heard_at: "2026-11-27T04:10:00Z",
  wanted: 5000,
  through: 40,
  failed: 0,
  left_s: 300,
  problem: null,
  ...changes,
});

export const experiment = (changes: Partial<ExperimentSummary> = {}): ExperimentSummary => ({
  name: "small",
  title: "Small",
  description: "Two modes, two losses.",
  shipped: true,
  reading: false,
  run: null,
  cells: 4,
  sessions_wanted: 12,
  minutes: 10,
  results: {
    sessions: 12,
    written_at: "2026-11-27T04:30:00Z",
    host_build: "0123456789abcdef",
    holding: 3,
    requirements: 4,
    agreeing: 1,
    compared: 1,
    broken_checks: 0,
  },
  problem: null,
  results_problem: null,
  ...changes,
});

export const made = (changes: Partial<SessionMade> = {}): SessionMade => ({
  key: "0".repeat(32),
  made_at: "2026-11-27T04:40:00Z",
  host_build: "0123456789abcdef",
  recorded_build: "0123456789abcdef",
  agrees: true,
  lanes: [
    {
      sender_sha256: "a".repeat(64),
      receiver_sha256: "b".repeat(64),
      sender_bytes: 52_300,
      receiver_bytes: 51_000,
    },
  ],
  analyses: [{ lane: 0, connection: null }],
  analyses_left_out: 0,
  analysis_problem: null,
  ...changes,
});
