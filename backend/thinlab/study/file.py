"""Reading `survey/*.yaml`: errors name the file, the line, the field and the remedy.

YAML as of version 1.2 where it matters: `off`, `no` and `on` are words, not
truth values (a mode is called `off`), and a key given twice is an error.

SPDX-License-Identifier: Apache-2.0
"""

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from thinlab.study.definition import StudyDefinition, member_conditions, used_clips
from thinlab.study.schema import keys_at

Place = tuple[str | int, ...]

# trials, its index, then the kind.
KIND_DEPTH = 2


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong in a study file."""

    file: Path
    line: int
    field: str
    message: str
    remedy: str = ""

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}: "
        named = f"{self.field}: " if self.field else ""
        return where + named + self.message + (f". {self.remedy}" if self.remedy else "")


class StudyFileError(Exception):
    """A study file that cannot be used, with everything that is wrong in it."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = faults


class _Loader(yaml.SafeLoader):
    """SafeLoader with YAML 1.2's truth values."""


BOOL = "tag:yaml.org,2002:bool"
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != BOOL]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(
    BOOL, re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")
)


@dataclass
class _Document:
    """A file's content, and on which line each value begins."""

    file: Path
    data: Any = None
    lines: dict[Place, int] = field(default_factory=dict)

    def line_of(self, place: Place) -> int:
        """The line of a value, or of the nearest thing around it."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 1)


def read(file: Path, clips: Iterable[str]) -> StudyDefinition:
    """A study file as a definition. `clips`: the names there are. Raises `StudyFileError`."""
    document = _parse(file)
    try:
        definition = StudyDefinition.model_validate(document.data)
    except ValidationError as error:
        raise StudyFileError([_explain(document, one) for one in error.errors()]) from error
    faults = [
        *_unknown_conditions(document, definition),
        *_unknown_clips(document, definition, clips),
    ]
    if faults:
        raise StudyFileError(faults)
    return definition


def read_all(folder: Path, clips: Iterable[str]) -> list[StudyDefinition]:
    """Every `*.yaml` of a folder, by name. Raises `StudyFileError` with the faults of all."""
    known = list(clips)
    files = sorted(folder.glob("*.yaml"))
    definitions: list[StudyDefinition] = []
    owners: dict[str, Path] = {}
    faults: list[Fault] = []
    if not files:
        faults.append(Fault(folder, 0, "", "no study file here", "Add a .yaml file"))
    for file in files:
        try:
            definition = read(file, known)
        except StudyFileError as error:
            faults.extend(error.faults)
            continue
        if definition.slug in owners:
            other = owners[definition.slug].name
            faults.append(
                Fault(file, 1, "slug", f"`{definition.slug}` is {other}'s", "Choose another slug")
            )
        owners[definition.slug] = file
        definitions.append(definition)
    if faults:
        raise StudyFileError(faults)
    return definitions


def _parse(file: Path) -> _Document:
    document = _Document(file)
    try:
        text = file.read_text(encoding="utf-8")
        root = yaml.compose(text, Loader=_Loader)
        if root is None:
            raise StudyFileError(
                [Fault(file, 1, "", "the file is empty", "Start from survey/demo.yaml")]
            )
        _note_lines(document, root, ())
        document.data = yaml.load(text, Loader=_Loader)  # noqa: S506 (a SafeLoader)
    except UnicodeDecodeError as error:
        raise StudyFileError([Fault(file, 1, "", "not UTF-8", "Save it as UTF-8")]) from error
    except OSError as error:
        raise StudyFileError([Fault(file, 0, "", f"cannot be read: {error.strerror}")]) from error
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        fault = Fault(file, line, "", f"not YAML: {error.problem}", "Check indentation and quotes")
        raise StudyFileError([fault]) from error
    return document


def _note_lines(document: _Document, node: yaml.Node, place: Place) -> None:
    """Walks the tree, noting lines and refusing keys given twice."""
    document.lines[place] = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        for key_node, value_node in node.value:
            here = (*place, str(key_node.value))
            line = key_node.start_mark.line + 1
            if here in document.lines:
                message = f"given twice, first on line {document.lines[here]}"
                fault = Fault(document.file, line, _path(here), message, "Keep one")
                raise StudyFileError([fault])
            _note_lines(document, value_node, here)
            document.lines[here] = line
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            _note_lines(document, item, (*place, index))


def _explain(document: _Document, error: ErrorDetails) -> Fault:
    # A union's branch (`trials.0.pair.clip`) is pydantic's word, not the file's.
    place = tuple(
        part
        for index, part in enumerate(error["loc"])
        if not (index == KIND_DEPTH and part in {"pair", "control"})
    )
    message, remedy = error["msg"].removeprefix("Value error, "), ""
    match error["type"]:
        case "extra_forbidden":
            message, remedy = "unknown key", _nearest(place)
        case "missing":
            message, remedy = "missing", f"Add `{place[-1]}:`"
            return Fault(document.file, document.line_of(place[:-1]), _path(place), message, remedy)
        case "enum" | "literal_error":
            message = f"`{error['input']}` is not known"
            remedy = f"Use one of {error['ctx']['expected']}"
        case "union_tag_invalid":
            message, remedy = f"unknown kind `{error['ctx']['tag']}`", "Use pair or control"
        case "union_tag_not_found":
            message, remedy = "`kind` is missing", "Add `kind: pair` or `kind: control`"
        case "string_pattern_mismatch":
            message, remedy = f"`{error['input']}` is not a name", "Use a-z, 0-9, `-` and `_`"
    return Fault(document.file, document.line_of(place), _path(place), message, remedy)


def _nearest(place: Place) -> str:
    near = difflib.get_close_matches(str(place[-1]), keys_at(place[:-1]), n=1)
    return f"Did you mean `{near[0]}`?" if near else "Remove it"


def _unknown_conditions(document: _Document, definition: StudyDefinition) -> list[Fault]:
    faults = []
    for index, trial in enumerate(definition.trials):
        for number, name in enumerate(member_conditions(trial)):
            if name in definition.conditions:
                continue
            place: Place = (
                ("trials", index, "conditions", number)
                if trial.kind == "pair"
                else ("trials", index, "condition")
            )
            faults.append(
                _unknown(document, place, "condition", name, sorted(definition.conditions))
            )
    return faults


def _unknown_clips(
    document: _Document, definition: StudyDefinition, clips: Iterable[str]
) -> list[Fault]:
    known = sorted(clips)
    if used_clips(definition) <= set(known):
        return []
    places: list[tuple[Place, str]] = [(("sound_check",), definition.sound_check)]
    places += [(("trials", i, "clip"), trial.clip) for i, trial in enumerate(definition.trials)]
    return [
        _unknown(document, place, "clip", name, known)
        for place, name in places
        if name not in known
    ]


def _unknown(document: _Document, place: Place, what: str, name: str, known: list[str]) -> Fault:
    return Fault(
        document.file,
        document.line_of(place),
        _path(place),
        f"no {what} is called `{name}`",
        f"There are: {', '.join(known) or 'none'}",
    )


def _path(place: Place) -> str:
    """`trials[0].clip`."""
    text = ""
    for part in place:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text
