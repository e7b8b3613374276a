"""Answers that can be told right from wrong, on every scale and either side.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any

import pytest
from pydantic import TypeAdapter

from tests.made_up import ACR, CCR, DCR, PREFERENCE
from thinlab.study.known_answer import failed, is_checked
from thinlab.study.scale import Scale
from thinlab.study.trial import Trial


def trial(kind: str, **fields: Any) -> Trial:  # noqa: ANN401 (any field)
    content = {"kind": kind, "id": "one", "clip": "speech", "seed": 1, **fields}
    made: Trial = TypeAdapter(Trial).validate_python(content)
    return made


def scale(content: dict[str, Any]) -> Scale:
    made: Scale = TypeAdapter(Scale).validate_python(content)
    return made


ON_PREFERENCE, ON_CCR, ON_ACR, ON_DCR = (scale(one) for one in (PREFERENCE, CCR, ACR, DCR))
GOLD_PAIR = trial("gold", conditions=["plain", "modified"], better="modified")


@pytest.mark.parametrize(
    ("first_member", "choice", "score", "wrong"),
    [
        ("a", "second", None, False),
        ("b", "first", None, False),
        ("a", "first", None, True),
        ("b", "second", None, True),
        ("a", "no_difference", None, True),
        ("a", None, 1, False),
        ("b", None, -1, False),
        ("a", None, -2, True),
        ("b", None, 3, True),
        ("a", None, 0, True),
        ("b", None, 0, True),
    ],
)
def test_a_gold_pair_knows_the_better_one_on_either_side(
    first_member: str, choice: str | None, score: int | None, wrong: bool
) -> None:
    on = ON_PREFERENCE if score is None else ON_CCR
    assert failed(GOLD_PAIR, on, first_member, choice, score) is wrong


def test_a_gold_recording_has_a_least_or_a_highest_score() -> None:
    good = trial("gold", condition="plain", at_least=4)
    bad = trial("gold", condition="plain", at_most=2)
    assert [failed(good, ON_ACR, "a", None, score) for score in (3, 4, 5)] == [True, False, False]
    assert [failed(bad, ON_ACR, "a", None, score) for score in (1, 2, 3)] == [False, False, True]


def test_a_trap_says_what_to_answer() -> None:
    chosen = trial("trapping", condition="plain", answer="second")
    scored = trial("trapping", condition="plain", answer=-2)
    assert failed(chosen, ON_PREFERENCE, "b", "second", None) is False
    assert failed(chosen, ON_PREFERENCE, "a", "first", None) is True
    assert failed(scored, ON_CCR, "a", None, -2) is False
    assert failed(scored, ON_CCR, "a", None, 2) is True


def test_a_control_fails_with_any_difference() -> None:
    control = trial("control", condition="plain")
    assert failed(control, ON_PREFERENCE, "a", "no_difference", None) is False
    assert failed(control, ON_PREFERENCE, "a", "first", None) is True
    assert failed(control, ON_CCR, "a", None, 0) is False
    assert failed(control, ON_CCR, "a", None, -1) is True


def test_opinion_is_never_wrong() -> None:
    pair = trial("pair", conditions=["plain", "modified"])
    assert not is_checked(pair)
    assert failed(pair, ON_PREFERENCE, "a", "first", None) is None


def test_a_degradation_of_the_reference_itself_is_none() -> None:
    control = trial("control", condition="plain")
    assert [failed(control, ON_DCR, "a", None, score) for score in (4, 5)] == [True, False]
    gold = trial("gold", conditions=["plain", "modified"], at_most=2)
    assert [failed(gold, ON_DCR, "a", None, score) for score in (2, 3)] == [False, True]
