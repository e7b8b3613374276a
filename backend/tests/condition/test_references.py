"""References as a study's file names them, and as recordings are told apart by them.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any

import pytest
from pydantic import ValidationError

from tests.made_up import block, in_two_modes, study_definition
from thinlab.condition.condition import Condition
from thinlab.condition.reference import Reference, recorded
from thinlab.condition.words import ConditionWords
from thinlab.recording.identity import RecordingSpec
from thinlab.study.definition import StudyDefinition

CONDITIONS: dict[str, dict[str, Any]] = {
    "original": {"reference": "unprocessed"},
    "noisy": {"reference": "mnru", "q_db": 20},
    "low": {"reference": "low_pass_3500"},
    "mid": {"reference": "low_pass_7000"},
}


def definition(**more: Any) -> StudyDefinition:  # noqa: ANN401 (any condition)
    trial = {"kind": "pair", "id": "one", "clip": "speech", "seed": 1}
    trial |= {"conditions": ["original", "plain"]}
    conditions = in_two_modes("all", loss_share=0.02) | CONDITIONS | more
    return study_definition(conditions=conditions, blocks=[block([trial])])


def spec(condition: dict[str, Any], seed: int = 1) -> RecordingSpec:
    return RecordingSpec("speech", "0" * 64, Reference.model_validate(condition), seed)


def test_a_study_has_both_kinds_of_conditions() -> None:
    study = definition()
    assert isinstance(study.conditions["plain"].resolved, Condition)
    for name, written in CONDITIONS.items():
        assert study.conditions[name].resolved == Reference.model_validate(written)


def test_what_is_stored_is_what_was_meant() -> None:
    study = definition()
    again = StudyDefinition.model_validate(study.model_dump(mode="json"))
    assert again.conditions == study.conditions
    assert again.content_hash == study.content_hash
    for one in study.conditions.values():
        assert recorded(one.resolved.model_dump(mode="json")) == one.resolved


def test_a_reference_means_what_it_says_whatever_was_before() -> None:
    before = definition(low={"mode": "all", "path": "paper"})
    now = definition()
    assert now.as_it_was_meant(before).conditions["low"] == now.conditions["low"]
    assert before.as_it_was_meant(now).conditions["low"] == before.conditions["low"]


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ({"reference": "mnru"}, "`q_db` belongs to `reference: mnru`, which needs it"),
        ({"reference": "low_pass_3500", "q_db": 3}, "`q_db` belongs to `reference: mnru`"),
        ({"reference": "mnru", "q_db": -1}, "greater than or equal to 0"),
        ({"reference": "mnru", "q_db": float("nan")}, "finite number"),
        ({"reference": "mp3"}, "'unprocessed', 'mnru'"),
        ({"reference": "unprocessed", "path": "paper"}, "Extra inputs are not permitted"),
        ({"reference": None}, "'unprocessed', 'mnru'"),
    ],
)
def test_what_makes_no_reference_is_refused(condition: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        definition(wrong=condition)


def test_recordings_of_different_references_have_different_keys() -> None:
    specs = [spec(one) for one in CONDITIONS.values()]
    specs += [spec({"reference": "mnru", "q_db": 21}), spec(CONDITIONS["noisy"], seed=2)]
    assert len({one.spec_key for one in specs}) == len(specs)
    assert spec(CONDITIONS["noisy"]).is_as(spec(CONDITIONS["noisy"]))


def test_each_reference_has_words_of_its_own() -> None:
    words = [ConditionWords.of(definition().conditions[name].resolved) for name in CONDITIONS]
    assert len({one.mode for one in words}) == len(words)
    assert words[1].mode == "modulated noise, Q = 20 dB"
    assert {one.there for one in words} == {"nothing is sent"}
