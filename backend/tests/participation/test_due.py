"""What comes next for a participant: the checks of the study's kinds of trials, then the rest.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import UTC, datetime
from typing import Any

import pytest

from tests.made_up import ACR, block, typing_definition
from thinlab.database.schema import Participant
from thinlab.participation.kind import Due
from thinlab.participation.messages import Stage
from thinlab.participation.participant import due
from thinlab.study.question import ChoiceQuestion
from thinlab.trials.registry import KINDS

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TRIALS = 2
HEARD = {"sound_checked_at": NOW, "headphones_passed": True}
PASSED = HEARD | {"connection_passed": True}
QUESTION = {"kind": "text", "text": "Anything?", "max_length": 100}
HEAR = {"kind": "single", "id": "hear", "clip": "speech", "condition": "plain", "seed": 1}
TYPE = {"kind": "control", "id": "type", "task": "sentences", "condition": "plain", "seed": 1}
BOTH = typing_definition(
    sound_check="speech",
    headphones="required",
    blocks=[
        block([TYPE]),
        block([HEAR], id="alone", scale=ACR),
    ],
    questionnaire=[
        QUESTION | {"id": "first", "when": "before"},
        QUESTION | {"id": "last", "when": "after"},
    ],
)


@pytest.mark.parametrize(
    ("row", "votes", "answered", "stage"),
    [
        ({}, 0, set(), Stage.SOUND_CHECK),
        ({"sound_checked_at": NOW}, 0, set(), Stage.SOUND_CHECK),
        ({"sound_checked_at": NOW, "headphones_tries": 1}, 0, set(), Stage.SOUND_CHECK),
        (HEARD, 0, set(), Stage.CONNECTION_CHECK),
        (HEARD | {"connection_tries": 2}, 0, set(), Stage.CONNECTION_CHECK),
        (PASSED, 0, set(), Stage.QUESTIONS_BEFORE),
        (PASSED, 0, {"first"}, Stage.TRIALS),
        (PASSED, 1, {"first"}, Stage.TRIALS),
        (PASSED, TRIALS, {"first"}, Stage.QUESTIONS_AFTER),
    ],
)
def test_the_first_that_is_not_done_comes_next(
    row: dict[str, Any], votes: int, answered: set[str], stage: Stage
) -> None:
    assert due(BOTH, Participant(**row), votes, answered, KINDS) == Due(stage)


@pytest.mark.parametrize(
    ("row", "stage"),
    [
        ({"withdrawn_at": NOW, "completed_at": NOW}, Stage.WITHDRAWN),
        (PASSED | {"completed_at": NOW}, Stage.COMPLETE),
        (PASSED, Stage.COMPLETE),
        ({"headphones_tries": 2}, Stage.HEADPHONES_FAILED),
        (HEARD | {"connection_tries": 3, "connection_passed": False}, Stage.CONNECTION_FAILED),
    ],
)
def test_some_have_come_to_the_end(row: dict[str, Any], stage: Stage) -> None:
    everything = {"first", "last"}
    assert due(BOTH, Participant(**row), TRIALS, everything, KINDS) == Due(stage, over=True)


SCREENING = {
    "id": "first",
    "kind": "choice",
    "when": "before",
    "required": True,
    "text": "Do you hear well?",
    "options": [{"id": "yes", "label": "Yes"}, {"id": "no", "label": "No", "screens_out": True}],
}


def test_an_answer_that_keeps_people_out_is_asked_for_before_any_check() -> None:
    study = BOTH.model_copy(
        update={
            "questionnaire": (ChoiceQuestion.model_validate(SCREENING), *BOTH.questionnaire[1:])
        }
    )
    assert due(study, Participant(), 0, set(), KINDS) == Due(Stage.QUESTIONS_BEFORE)
    assert due(study, Participant(), 0, {"first"}, KINDS) == Due(Stage.SOUND_CHECK)
    out = Due(Stage.INELIGIBLE, over=True)
    assert due(study, Participant(ineligible_by="first"), 0, {"first"}, KINDS) == out
    withdrawn = Participant(ineligible_by="first", withdrawn_at=NOW)
    assert due(study, withdrawn, 0, {"first"}, KINDS).stage is Stage.WITHDRAWN


def test_nothing_is_checked_that_a_study_has_no_trials_for() -> None:
    typed = typing_definition()
    assert due(typed, Participant(), 0, set(), KINDS) == Due(Stage.CONNECTION_CHECK)
