"""Study files from anybody: always a message with place and remedy, never a traceback.

SPDX-License-Identifier: Apache-2.0
"""

import copy
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.study.study_files import CLIPS, DEMO, READY, faults_of
from thinlab.hostile_yaml import DEEPEST, LONGEST_FILE_BYTES, MOST_VALUES
from thinlab.study.definition import StudyDefinition
from thinlab.study.file import StudyFileError, read
from thinlab.study.frozen import FrozenDocument
from thinlab.study.outline import outline
from thinlab.trials.registry import KINDS

TEXTS = [file.read_text() for file in READY]
STUDIES = [yaml.safe_load(text.replace("mode: off", "mode: 'off'")) for text in TEXTS]
LONGEST_MESSAGE = 2_000
BOMB = "a0: &a0 [x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)
)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "the file is empty. Start from survey/demo.yaml"),
        ("# nothing\n", "the file is empty"),
        ("- a\n- b\n", "Write `key: value`"),
        ("just words\n", "Write `key: value`"),
        (b"slug: caf\xe9\n", "not UTF-8. Save it as UTF-8"),
        ("slug: demo\n".encode("utf-16"), "not UTF-8"),
        (b"slug: a\0b\n", "1: holds U+0000"),
        (b"\n\nslug: \x1b[31mred\n", "3: holds U+001B"),
        ('slug: "a\\0b"\n', "slug: holds the control character U+0000. Remove it"),
        ('title: "\\e[2J"\n', "title: holds the control character U+001B"),
        ('title: "\\uD800"\n', "title: holds the control character U+D800"),
        ("slug:\n\t- x\n", "2: not YAML"),
        ("a: *nobody\n", "undefined alias"),
        ("a: 1\n---\nb: 2\n", "another document"),
        ("a: 1\na: 2\n", "2: a: given twice, first on line 1"),
        ("labels: { 3: x, '3': y }\n", "labels.3: given twice"),
        ("? [a, b]\n: c\n", "a key that is no word"),
        ("slug: !!python/object/apply:os.system [id]\n", "a tag"),
        ("slug: !!binary aGVsbG8=\n", "a tag"),
        ("slug: !!set {x, y}\n", "a tag"),
        ("a: &a [*a]\n", "`*a` stands inside itself"),
        ("a: &a\n  <<: *a\n", "stands inside itself"),
        ("a:\n  <<: 3\n", "not YAML: expected a mapping"),
        (BOMB, f"more than {MOST_VALUES} values, each `*name` counted in full"),
        ("[" * 5_000, f"nested deeper than {DEEPEST} levels"),
        ("".join(" " * depth + "a:\n" for depth in range(300)), "nested deeper"),
        ("- " * 10_000, "nested deeper"),
        ("trials:\n" + "- {id: a}\n" * 10_000, f"more than {MOST_VALUES} values"),
        ("#" * (LONGEST_FILE_BYTES + 1), "longer than 256 kB. Split it"),
        ("seed: " + "9" * 5_000, "seed: a number of 5000 characters"),
        ("on: 2026-13-45\n", "on: `2026-13-45` is not what it looks like: month"),
        ("on: 2026-01-01T99:00:00Z\n", "is not what it looks like: hour"),
    ],
)
def test_nasty_texts_are_refused_with_place_and_remedy(
    tmp_path: Path, text: str | bytes, says: str
) -> None:
    found = faults_of(tmp_path, text)
    assert any(says in fault for fault in found), found


def test_a_million_trials_are_refused_before_they_are_built(tmp_path: Path) -> None:
    ten = "ten: &ten\n" + "".join(
        f"  - {{ id: t{n}, kind: control, clip: speech, condition: plain, seed: {n} }}\n"
        for n in range(10)
    )
    levels = "".join(
        f"x{n}: &x{n} [{', '.join(['*ten' if n == 0 else f'*x{n - 1}'] * 10)}]\n" for n in range(5)
    )
    assert any("more than" in fault for fault in faults_of(tmp_path, ten + levels))


def test_too_many_trials_are_counted(tmp_path: Path) -> None:
    line = "      - {{ id: t{}, kind: control, clip: speech, condition: plain, seed: 1 }}\n"
    text = DEMO.read_text() + "".join(line.format(number) for number in range(300))
    assert any("more than 200 values" in fault for fault in faults_of(tmp_path, text))


def test_what_is_no_ordinary_file_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.yaml"
    os.mkfifo(pipe)
    for file, says in (
        (pipe, "not an ordinary file"),
        (tmp_path, "not an ordinary file"),
        (Path("/dev/zero"), "not an ordinary file"),
        (tmp_path / "absent.yaml", "No such file"),
    ):
        with pytest.raises(StudyFileError, match=says):
            read(file, CLIPS, KINDS)


JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=20),
    st.sampled_from(["off", "first", "en", "a" * 5_000, "2026-12-31", "null", "\u202e", "*", "{"]),
    st.lists(st.integers() | st.text(max_size=3), max_size=3),
    st.dictionaries(st.text(max_size=5) | st.integers(), st.integers(), max_size=3),
    st.dates(),
)


def _places(data: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:  # noqa: ANN401
    inner = (
        data.items()
        if isinstance(data, dict)
        else enumerate(data)
        if isinstance(data, list)
        else ()
    )
    return [here, *(place for key, value in inner for place in _places(value, (*here, key)))]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A ready study with one to three values replaced, removed, renamed or doubled."""
    data = copy.deepcopy(draw(st.sampled_from(STUDIES)))
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.sampled_from(_places(data)[1:]))
        around = data
        for part in place[:-1]:
            around = around[part]
        key = place[-1]
        match draw(st.sampled_from(["replace", "remove", "rename", "double"])):
            case "replace":
                around[key] = draw(JUNK)
            case "remove":
                del around[key]
            case "rename" if isinstance(around, dict):
                around[draw(st.text(max_size=12))] = around.pop(key)
            case "double" if isinstance(around, list):
                around.append(copy.deepcopy(around[key]))
        if not data:
            break
    return str(yaml.safe_dump(data, allow_unicode=True))


@st.composite
def scratched(draw: st.DrawFn) -> str:
    """A ready study's text with a piece cut out and something else put there."""
    text = draw(st.sampled_from(TEXTS))
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, min(len(text), start + 40)))
    characters = st.characters(codec="utf-8") | st.sampled_from("&*:-{}[]!|>'\"%@`#?,\n\t ")
    return text[:start] + draw(st.text(characters, max_size=12)) + text[end:]


@settings(max_examples=60)
@given(text=mutated() | scratched())
def test_whatever_is_done_to_a_study_it_is_read_or_explained(text: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "study.yaml"
        file.write_bytes(text.encode())
        try:
            definition = read(file, CLIPS, KINDS)
        except StudyFileError as error:
            _explained(error, file, text)
        else:
            _usable(definition)


def _explained(error: StudyFileError, file: Path, text: str) -> None:
    assert error.faults
    # YAML counts more line breaks than Python's count of "\n".
    last = len(text.splitlines()) + 1
    for fault in error.faults:
        told = str(fault).removeprefix(str(file))
        assert 1 <= fault.line <= last, told
        assert fault.message, told
        assert fault.remedy, told
        assert len(told) < LONGEST_MESSAGE, told
        assert told.isprintable(), told


def _usable(definition: StudyDefinition) -> None:
    assert definition.content_hash
    for language in definition.languages:
        assert list(outline(definition, CLIPS, language, KINDS))
    assert FrozenDocument.of(definition, {}, 0).is_whole()
