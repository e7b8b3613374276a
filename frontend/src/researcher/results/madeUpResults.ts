// Results for tests: of a study that nobody has voted in.
// SPDX-License-Identifier: Apache-2.0
import type { StudyResults } from "../../api/generated";

export const NO_RESULTS: StudyResults = {
  participants_analysed: 0,
  participants_excluded: 0,
  votes_analysed: 0,
  votes_of_unfinished_sessions: 0,
  votes_of_other_versions: 0,
  confidence: 0.95,
  correction: "none",
  hypothesis: null,
  sentences: [],
  hypotheses: [],
  together: null,
  interim: null,
  trials: [],
  comparisons: [],
  conditions: [],
  differences: [],
  discriminations: [],
  order_effects: [],
  controls: [],
  identical: [],
  noticeable: [],
  beside: [],
  beside_differences: [],
  replications: [],
  staircases: [],
  positions: [],
  typed: null,
};
