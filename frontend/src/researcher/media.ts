// Whether a study has anything to hear, and anything to type.
// SPDX-License-Identifier: Apache-2.0
import type { StudyOverview } from "../api/generated";

type Declared = Pick<StudyOverview, "definition">;

const trials = (study: Declared) => study.definition.blocks.flatMap((block) => block.trials);

export const isTyped = (study: Declared): boolean =>
  trials(study).some((trial) => "task" in trial && !!trial.task);

export const isHeard = (study: Declared): boolean =>
  trials(study).some((trial) => "clip" in trial && !!trial.clip);
