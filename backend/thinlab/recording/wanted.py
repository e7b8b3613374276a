"""Which recordings a study wants: one for each trial, run and member.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator
from dataclasses import dataclass

from thinlab.clips.manifest import Clips
from thinlab.recording.condition import RecordingSpec
from thinlab.study.definition import StudyDefinition
from thinlab.study.trial import Trial, member_conditions, runs_of, seeds_of


@dataclass(frozen=True)
class Place:
    """What one recording is for."""

    trial_id: str
    run: int
    member: str


@dataclass(frozen=True)
class Wanted:
    """One recording that a study wants."""

    place: Place
    condition: str
    """The study's name for it."""
    spec: RecordingSpec


def members_of(
    definition: StudyDefinition, clips: Clips, trial: Trial, run: int
) -> tuple[Wanted, ...]:
    """What a trial plays in a run: two recordings, or one."""
    clip = trial.clip
    if clip is None:
        raise ValueError(f"trial {trial.id} is typed, not heard")
    names = member_conditions(trial)
    return tuple(
        Wanted(
            place=Place(trial.id, run, member),
            condition=name,
            spec=RecordingSpec(
                clip=clip,
                clip_sha256=clips.manifest[clip].sha256,
                condition=definition.conditions[name].resolved,
                seed=seed,
            ),
        )
        for member, name, seed in zip("ab", names, seeds_of(trial, run), strict=False)
    )


def wanted_by(definition: StudyDefinition, clips: Clips) -> Iterator[tuple[Wanted, ...]]:
    """All that a study wants, run by run."""
    for trial in definition.heard_trials:
        for run in range(runs_of(trial)):
            yield members_of(definition, clips, trial, run)
