"""About how long a study takes a participant. A guess, to be told before they begin.

SPDX-License-Identifier: Apache-2.0
"""

import math
from collections.abc import Mapping

from thinlab.study.blocks.registry import length_of
from thinlab.study.definition import StudyDefinition
from thinlab.study.kind import Kinds

# Reading, consenting, setting the level.
BEGINNING_S = 90
ANSWER_S = 6
QUESTION_S = 10


def minutes(
    definition: StudyDefinition, durations_ms: Mapping[str, int], kinds: Kinds
) -> int | None:
    """The whole, by the length of each trial's recordings; none while one is unknown."""
    if any(trial.id not in durations_ms for trial in definition.recorded_trials):
        return None
    seconds: float = BEGINNING_S + QUESTION_S * len(definition.questionnaire)
    for block in definition.blocks:
        kind = kinds[block.medium]
        each_once = sum(
            kind.seconds(definition, block, trial, durations_ms.get(trial.id))
            for trial in block.trials
        )
        seconds += each_once * (length_of(block) / len(block.trials))
    return max(1, math.ceil(seconds / 60))
