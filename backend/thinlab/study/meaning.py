"""What an answer to a trial is about: votes on a trial whose file has changed that are not one lot.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass
from typing import Literal

from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.scale import ScaleKind
from thinlab.study.trial import Medium, Trial, member_conditions, presented


@dataclass(frozen=True)
class TrialMeaning:
    """Two votes on trials of one id are comparable where these are the same."""

    block: str
    scale: ScaleKind
    kind: Literal["pair", "control", "single", "gold", "trapping", "level"]
    material: str
    """The clip's name, or the task's."""
    conditions: tuple[str, ...]
    medium: Medium


def meaning_of(block: Block, trial: Trial) -> TrialMeaning:
    """What an answer to this trial is about."""
    return TrialMeaning(
        block.id,
        block.scale.kind,
        # Which is presented hangs on earlier answers: no share of votes says anything of it.
        trial.kind if block.adaptive is None else "level",
        presented(trial),
        member_conditions(trial),
        block.medium,
    )


def meanings(definition: StudyDefinition) -> dict[str, TrialMeaning]:
    """Of each trial, by its id."""
    return {
        trial.id: meaning_of(block, trial) for block in definition.blocks for trial in block.trials
    }
