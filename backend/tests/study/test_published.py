"""Published counts in a study file: what is wrong is named, and freezing covers them.

SPDX-License-Identifier: Apache-2.0
"""

from pathlib import Path

import pytest

from tests.made_up import study_definition
from tests.study.study_files import CLIPS, SURVEY, faults
from thinlab.study.deviation import compare
from thinlab.study.file import read
from thinlab.study.frozen import FrozenDocument
from thinlab.trials.registry import KINDS

LISTENING = SURVEY / "lcn2008-listening.yaml"
TYPING = SURVEY / "lcn2008-typing.yaml"
COUNT = {"trial": "song", "preferred": "modified", "count": 84, "of": 88, "source": "LCN 2008"}


@pytest.mark.parametrize(
    ("old", "new", "field", "says"),
    [
        ("count: 84", "count: 89", "published[0]", "`count: 89` is more than `of: 88`"),
        ("count: 84", "count: most", "published[0].count", "Write a whole number"),
        ("trial: song", "trial: sonk", "published[0].trial", "Did you mean `song`?"),
        ("trial: song", "trial: reference", "published[0].trial", "Name a `kind: pair`"),
        (
            "preferred: modified",
            "preferred: modified-lossy",
            "published[0].preferred",
            "no condition of trial `song` is called `modified-lossy`",
        ),
        ("preferred: modified", "prefered: modified", "published[0].prefered", "`preferred`?"),
    ],
)
def test_faults_are_named(tmp_path: Path, old: str, new: str, field: str, says: str) -> None:
    found = faults(tmp_path, LISTENING, old, new)
    assert any(field in fault and says in fault for fault in found), found


def test_no_count_of_a_round_to_practise_on(tmp_path: Path) -> None:
    found = faults(tmp_path, LISTENING, "- id: papers", "- id: papers\n    role: training")
    assert any("published[0].trial" in fault and "is training" in fault for fault in found), found


@pytest.mark.parametrize(
    ("file", "trial", "count", "of"), [(LISTENING, "song", 84, 88), (TYPING, "session", 21, 26)]
)
def test_the_papers_studies_name_what_the_paper_counted(
    file: Path, trial: str, count: int, of: int
) -> None:
    (one,) = read(file, CLIPS, KINDS).published or ()
    assert (one.trial, one.preferred, one.count, one.of) == (trial, "modified", count, of)


def test_they_are_frozen_with_the_plan() -> None:
    plain, named = study_definition(), study_definition(published=[COUNT])
    frozen = FrozenDocument.of(named, {}, 0)
    assert frozen.analysis["published[0].count"] == 84
    other = study_definition(published=[COUNT | {"count": 80}])
    assert {one.place for one in compare(frozen, other, None)} == {"published[0].count"}
    assert {one.kind for one in compare(frozen, plain, None)} == {"analysis"}


def test_a_study_without_them_is_hashed_as_before_there_were_any() -> None:
    plain = study_definition()
    assert not any("published" in path for path in FrozenDocument.of(plain, {}, 0).analysis)
    assert "published" not in plain.model_dump(exclude_defaults=True)
