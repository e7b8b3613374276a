"""Study files: what is wrong is named with line, field and remedy.

SPDX-License-Identifier: Apache-2.0
"""

from pathlib import Path

import pytest

from thinlab.recording.clips import Clips
from thinlab.settings import CHECKOUT
from thinlab.study import schema
from thinlab.study.condition import Mode
from thinlab.study.file import StudyFileError, read, read_all

DEMO = CHECKOUT / "survey" / "demo.yaml"
CLIPS = ("speech", "song", "sound_check")


def faults(folder: Path, old: str, new: str) -> list[str]:
    """What is said about the demo study after one change."""
    text = DEMO.read_text()
    assert old in text
    file = folder / "demo.yaml"
    file.write_text(text.replace(old, new, 1))
    with pytest.raises(StudyFileError) as caught:
        read(file, CLIPS)
    return [str(fault).removeprefix(f"{file}:") for fault in caught.value.faults]


def line_of(text: str) -> int:
    """Line of the demo study that holds a text first."""
    return DEMO.read_text().split(text)[0].count("\n") + 1


def test_the_demo_study_is_valid_with_the_clips_there_are() -> None:
    clips = Clips.open(CHECKOUT / "clips" / "manifest.yaml", Path())
    (demo,) = read_all(CHECKOUT / "survey", clips.manifest)
    assert {trial.kind for trial in demo.trials} == {"pair", "control"}
    assert {trial.clip for trial in demo.trials} == {"speech", "song"}


def test_a_mode_called_off_is_a_word(tmp_path: Path) -> None:
    file = tmp_path / "demo.yaml"
    file.write_text(DEMO.read_text())
    assert read(file, CLIPS).conditions["plain"].mode is Mode.OFF


def test_the_committed_schema_is_up_to_date() -> None:
    committed = (CHECKOUT / "survey" / "study.schema.json").read_text()
    assert committed == schema.text(), "run: uv run thinlab schema > ../survey/study.schema.json"


def test_the_hash_follows_the_content_not_the_form(tmp_path: Path) -> None:
    file = tmp_path / "demo.yaml"
    file.write_text(DEMO.read_text())
    before = read(file, CLIPS).content_hash
    file.write_text("# another comment\n" + DEMO.read_text())
    assert read(file, CLIPS).content_hash == before
    file.write_text(DEMO.read_text().replace("seed: 3", "seed: 4"))
    assert read(file, CLIPS).content_hash != before


@pytest.mark.parametrize(
    ("old", "new", "at", "field", "says"),
    [
        (
            "clip: song",
            "clip: sonk",
            "clip: song",
            "blocks[0].trials[1].clip",
            "no clip is called `sonk`",
        ),
        (
            "[plain, modified]",
            "[plain, modfied]",
            "- id: speech",
            "blocks[0].trials[0]",
            "There are: modified, modified-lossy, plain, plain-lossy",
        ),
        ("mode: off", "mode: fast", "mode: off", "conditions.plain.mode", "'bundling'"),
        ("rtt_ms: 130", "rtt: 130", "rtt_ms: 130", "conditions.plain.path.rtt", "`rtt_ms`?"),
        ("loss_share: 0.02", "loss_share: 2", "forward: { loss", "forward.loss_share", "less than"),
        ("seed: 3", "seed: one", "seed: 3", "blocks[0].trials[2].seed", "valid integer"),
        ("kind: control", "kind: trap", "- id: control", "blocks[0].trials[2]", "Use one of"),
        ("slug: demo", "slug: De mo", "slug: demo", "slug", "Use a-z"),
        ("slug: demo\n", "slug: demo\nslug: two\n", "title:", "slug", "given twice"),
        ("[plain, modified]", "[plain, plain]", "- id: speech", "trials[0]", "kind: control"),
        ("  - id: song", "  - id: speech", "", "", "trial ids must differ"),
        ("title: Which one", "titel: Which one", "title:", "titel", "Did you mean `title`?"),
        ('version: "1"', 'version: "1', 'version: "1"', "", "not YAML"),
    ],
)
def test_faults_are_named(
    tmp_path: Path, old: str, new: str, at: str, field: str, says: str
) -> None:
    found = faults(tmp_path, old, new)
    assert any(field in fault and says in fault for fault in found), found
    if at and says != "not YAML":
        assert any(fault.startswith(f"{line_of(at)}:") for fault in found), found


def test_a_missing_field_is_named(tmp_path: Path) -> None:
    fault = faults(tmp_path, "      question: Which of the two do you like better?\n", "")[0]
    assert "blocks[0].scale.question: missing. Add `question:`" in fault


def test_files_that_are_no_studies(tmp_path: Path) -> None:
    for name, content, says in (
        ("empty.yaml", b"", "the file is empty"),
        ("list.yaml", b"- a\n- b\n", "valid dictionary"),
        ("latin.yaml", b"slug: caf\xe9\n", "not UTF-8"),
        ("tab.yaml", b"slug:\n\t- x\n", "not YAML"),
    ):
        file = tmp_path / name
        file.write_bytes(content)
        with pytest.raises(StudyFileError, match=says):
            read(file, CLIPS)


def test_two_files_cannot_have_one_slug(tmp_path: Path) -> None:
    for name in ("one.yaml", "two.yaml"):
        (tmp_path / name).write_text(DEMO.read_text())
    with pytest.raises(StudyFileError, match=r"slug: `demo` is one\.yaml's"):
        read_all(tmp_path, CLIPS)
