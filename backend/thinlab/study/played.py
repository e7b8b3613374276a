"""Which recordings a study plays: to listeners who must not know them, and to everybody, named.

Recordings are shared by what they are: neither a condition's name nor the study
that asks tells two of them apart.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator
from typing import NamedTuple

from thinlab.condition.condition import Condition
from thinlab.study.definition import StudyDefinition
from thinlab.study.trial import member_conditions, runs_of, seeds_of


class Played(NamedTuple):
    """A clip as it was sent once."""

    clip: str
    sent: str
    """The condition that is meant, as JSON."""
    seed: int


def named(definition: StudyDefinition) -> set[Played]:
    """What the front page plays, with the conditions' names on the buttons."""
    sample = definition.sample
    if sample is None:
        return set()
    conditions = [member.condition for member in sample.members]
    return {
        Played(sample.clip, _sent(definition, name), sample.seed)
        for name in conditions
        if name in definition.conditions
    }


def blind(definition: StudyDefinition) -> Iterator[tuple[str, Played]]:
    """What trials play, each with the trial's id."""
    for trial in definition.recorded_trials:
        names = [name for name in member_conditions(trial) if name in definition.conditions]
        for run in range(runs_of(trial)):
            for name, seed in zip(names, seeds_of(trial, run), strict=False):
                yield trial.id, Played(str(trial.clip), _sent(definition, name), seed)


def _sent(definition: StudyDefinition, name: str) -> str:
    condition = definition.conditions[name].resolved
    if isinstance(condition, Condition):
        transport = condition.transport.in_use
        condition = condition.model_copy(update={"transport": transport})
    return condition.model_dump_json()
