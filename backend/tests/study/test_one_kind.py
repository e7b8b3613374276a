"""A study with trials of one kind takes nothing of the others.

SPDX-License-Identifier: Apache-2.0
"""

import pytest

from tests.made_up import study_definition, typing_definition
from tests.study.study_files import CLIPS, SURVEY
from thinlab.study import catalogue
from thinlab.study.consistency import inconsistencies
from thinlab.study.definition import StudyDefinition, used_clips
from thinlab.study.file import read
from thinlab.study.kind import is_live, kinds_of
from thinlab.study.outline import outline
from thinlab.trials.registry import KINDS

TYPED = [
    read(SURVEY / f"{name}.yaml", CLIPS, KINDS)
    for name in ("lcn2008-typing", "typing-modes", "typing-protocols")
]
HEARD = [read(SURVEY / f"{name}.yaml", CLIPS, KINDS) for name in ("demo", "p808-acr")]


@pytest.mark.parametrize("study", [typing_definition(), *TYPED], ids=lambda study: study.slug)
def test_what_is_typed_needs_no_sound(study: StudyDefinition) -> None:
    assert study.sound_check is None
    # Valid where there are no clips at all.
    assert inconsistencies(study, {}, KINDS) == []
    assert used_clips(study) == set()
    assert catalogue.members_total(study) == 0
    told = list(outline(study, {}, study.languages[0], KINDS))
    assert "RECORDINGS: none" in told
    assert not any(line.startswith("SOUND CHECK") for line in told)
    assert [kind.medium for kind in kinds_of(study, KINDS)] == ["typed"]


@pytest.mark.parametrize("study", HEARD, ids=lambda study: study.slug)
def test_what_is_heard_needs_no_lab_while_somebody_listens(study: StudyDefinition) -> None:
    assert not is_live(study, KINDS)
    assert study.tasks == {}
    assert not {"connection", "keep_text"} & study.model_fields_set
    told = list(outline(study, CLIPS, study.languages[0], KINDS))
    assert not any(line.startswith(("CONNECTION CHECK", "TASKS")) for line in told)


@pytest.mark.parametrize(
    ("study", "change"),
    [
        (typing_definition(), {"sound_check": "check"}),
        (typing_definition(), {"headphones": "asked"}),
        (typing_definition(), {"record": "at_start"}),
        (study_definition(), {"keep_text": True}),
        (study_definition(), {"connection": {"rtt_ms_at_most": 50}}),
    ],
)
def test_what_is_of_another_kind_is_a_fault(
    study: StudyDefinition, change: dict[str, object]
) -> None:
    (key,) = change
    said = study.model_dump(mode="json", exclude_unset=True) | change
    faults = inconsistencies(StudyDefinition.model_validate(said), {}, KINDS)
    assert "Remove it" in {one.remedy for one in faults if one.place == (key,)}
