"""When an answer to a trial of an earlier version is still one to today's.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any

import pytest

from tests.made_up import (
    NOTICEABLE,
    PREFERENCE,
    block,
    in_two_modes,
    study_definition,
    typing_definition,
)
from thinlab.study.definition import StudyDefinition
from thinlab.study.meaning import meanings

pytestmark = pytest.mark.unit

BOTH = {"title": {"en": "T", "nb": "T"}, "description": {"en": "D", "nb": "D"}}
CONSENT = {"version": "1", "paragraphs": [{"en": "Yes?", "nb": "Ja?"}]}


def kept(before: StudyDefinition, now: StudyDefinition, language: str = "en") -> set[str]:
    """Trials whose earlier answers still count."""
    today = meanings(now)
    return {
        trial_id
        for trial_id, asked in meanings(before).items()
        if asked.is_still(today.get(trial_id), language)
    }


def asking(question: Any, languages: tuple[str, ...] = ("en",)) -> StudyDefinition:  # noqa: ANN401
    """The made-up study with another question, in more languages if need be."""
    definition = study_definition()
    trials = [trial.model_dump(mode="json") for trial in definition.trials]
    answers = dict.fromkeys(("first", "second", "no_difference"), dict.fromkeys(languages, "-"))
    if len(languages) == 1:
        return study_definition(blocks=[block(trials, scale=PREFERENCE | {"question": question})])
    scale = {"kind": "preference", "question": question, "answers": answers}
    one = {"id": "main", "scale": scale, "trials": trials}
    return study_definition(blocks=[one], languages=languages, consent=CONSENT, **BOTH)


def test_another_seed_more_runs_and_other_names_of_people_change_nothing() -> None:
    before = study_definition()
    trials = [trial.model_dump(mode="json") for trial in before.trials]
    now = study_definition(
        title="What sounds better?",
        blocks=[block([one | {"seed": 77, "runs": 3} for one in trials])],
    )
    assert kept(before, now) == {"speech", "song", "control"}


def test_conditions_are_what_they_send_and_not_what_they_are_called() -> None:
    before = study_definition()
    worse = study_definition(conditions=in_two_modes("linear_timeouts", loss_share=0.2))
    assert kept(before, worse) == set()
    both = in_two_modes("linear_timeouts", loss_share=0.02)
    swapped = study_definition(conditions={"plain": both["modified"], "modified": both["plain"]})
    assert kept(before, swapped) == set()
    only_one = study_definition(
        conditions=both | {"modified": both["modified"] | {"mode": "bundling"}}
    )
    assert kept(before, only_one) == {"control"}, "which plays only the other"


def test_a_question_asked_otherwise_is_another() -> None:
    assert kept(asking("Which is better?"), asking("Which is worse?")) == set()
    assert kept(asking("Which is better?"), asking("Which is better?")) != set()


def test_words_are_compared_in_the_language_that_was_answered_in() -> None:
    before = asking({"en": "Better?", "nb": "Bedre?"}, ("en", "nb"))
    mended = asking({"en": "Better?", "nb": "Hva er bedre?"}, ("en", "nb"))
    assert kept(before, mended, "en") != set()
    assert kept(before, mended, "nb") == set()
    # One that is no longer offered has nothing to be compared with.
    assert kept(before, asking({"en": "Better?", "da": "Bedre?"}, ("en", "da")), "nb") != set()


@pytest.mark.parametrize(
    "change", [{"text": "Another\nstream."}, {"limit_s": 90}, {"editor": "vi"}, {"least_keys": 6}]
)
def test_a_task_is_what_it_asks_for(change: dict[str, Any]) -> None:
    before = typing_definition()
    tasks = {name: task.model_dump(mode="json") for name, task in before.tasks.items()}
    now = typing_definition(tasks=tasks | {"sentences": tasks["sentences"] | change})
    assert kept(before, now) == {"same"}


def test_how_noticeable_it_was_is_asked_as_well() -> None:
    before = typing_definition()
    trials = [trial.model_dump(mode="json") for trial in before.trials]
    other = NOTICEABLE | {"question": "How clear was it?"}
    now = typing_definition(blocks=[block(trials, scale=PREFERENCE | {"noticeable": other})])
    assert kept(before, now) == set()
