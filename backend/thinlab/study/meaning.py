"""What an answer to a trial is about: votes on a trial whose file has changed that are not one lot.

SPDX-License-Identifier: Apache-2.0
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.scale import ScaleKind
from thinlab.study.text import LocalText, said
from thinlab.study.trial import Medium, Trial, member_conditions, presented, task_of


@dataclass(frozen=True)
class TrialMeaning:
    """Two votes on trials of one id may be comparable where these are the same."""

    block: str
    scale: ScaleKind
    kind: Literal["pair", "control", "single", "gold", "trapping", "level"]
    material: str
    """The clip's name, or the task's."""
    conditions: tuple[str, ...]
    medium: Medium
    stands_for: str
    """What the names mean: the conditions as they are sent, and the task without its words."""
    words: Mapping[str, str] = field(compare=False)
    """What a participant is asked and told to type, in each of the study's languages."""

    def is_still(self, now: "TrialMeaning | None", language: str) -> bool:
        """Whether an answer given in a language is one to what the trial asks now.

        A language that is no longer offered has no words to compare: what was
        asked in it stands.
        """
        if now is None or self != now:
            return False
        return language not in now.words or self.words.get(language) == now.words[language]


def meaning_of(definition: StudyDefinition, block: Block, trial: Trial) -> TrialMeaning:
    """What an answer to this trial is about."""
    conditions = member_conditions(trial)
    return TrialMeaning(
        block.id,
        block.scale.kind,
        # Which is presented hangs on earlier answers: no share of votes says anything of it.
        trial.kind if block.adaptive is None else "level",
        presented(trial),
        conditions,
        block.medium,
        stands_for="\n".join(
            [
                *(definition.conditions[one].resolved.model_dump_json() for one in conditions),
                _task_without_words(definition, trial),
            ]
        ),
        words={
            language: json.dumps(
                [(place, said(text, language)) for place, text in _asked(definition, block, trial)]
            )
            for language in definition.languages
        },
    )


def _task_without_words(definition: StudyDefinition, trial: Trial) -> str:
    task = task_of(trial)
    return (
        "" if task is None else definition.tasks[task].model_dump_json(exclude={"text", "prompt"})
    )


def _asked(
    definition: StudyDefinition, block: Block, trial: Trial
) -> Iterator[tuple[str, LocalText]]:
    yield from block.scale.texts()
    if (task := task_of(trial)) is not None:
        yield from definition.tasks[task].texts()


def meanings(definition: StudyDefinition) -> dict[str, TrialMeaning]:
    """Of each trial, by its id."""
    return {
        trial.id: meaning_of(definition, block, trial)
        for block in definition.blocks
        for trial in block.trials
    }
