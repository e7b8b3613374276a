"""How good conditions have to sound for bots to have a threshold where a study looks for one.

A bot chooses between two by the difference of their utilities, in log odds: so the difference
between the reference and each level is what the psychometric function says of it.

SPDX-License-Identifier: Apache-2.0
"""

import math
from collections.abc import Mapping
from typing import Any

from thinlab.questplus.function import right_share
from thinlab.study.blocks.adaptive.levels import staircases
from thinlab.study.definition import StudyDefinition
from thinlab.study.trial import member_conditions

SLOPE = 2.0
LAPSE_SHARE = 0.02


class NoStaircaseError(Exception):
    """The study has no adaptive block in which a threshold could be planted."""


def utilities_of(definition: Mapping[str, Any], threshold: float) -> dict[str, float]:
    """Of the reference and of each level, by condition; `threshold` in the quantity's unit.

    Raises `NoStaircaseError`.
    """
    study = StudyDefinition.model_validate(definition)
    found: dict[str, float] = {}
    for block in study.blocks:
        if block.adaptive is None:
            continue
        for levels in staircases(study, block).values():
            for level in levels:
                reference, name = member_conditions(block.trials[level.trial])
                share = float(right_share(level.log, math.log10(threshold), SLOPE, LAPSE_SHARE))
                found[reference] = 0.0
                found[name] = -math.log(share / (1 - share))
    if not found:
        raise NoStaircaseError
    return found
