"""YAML files that people write: where each value stands, and faults that name line, field, remedy.

YAML as of version 1.2 where it matters: `off`, `no` and `on` are words, not
truth values (a mode is called `off`), and a key given twice is an error.

SPDX-License-Identifier: Apache-2.0
"""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from thinlab.hostile_yaml import (
    LONGEST_QUOTE,
    TAG,
    HostileYamlError,
    check_extent,
    check_scalar,
    quoted,
    read_text,
)

Place = tuple[str | int, ...]

MOST_FAULTS = 50


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong in a file."""

    file: Path
    line: int
    field: str
    message: str
    remedy: str = ""

    def __str__(self) -> str:
        where = f"{self.file}:{self.line}: "
        named = f"{self.field}: " if self.field else ""
        return where + named + self.message + (f". {self.remedy}" if self.remedy else "")


class FileFaultsError(Exception):
    """A file that cannot be used, with everything that is wrong in it."""

    def __init__(self, faults: list[Fault]) -> None:
        told = [str(fault) for fault in faults[:MOST_FAULTS]]
        if len(faults) > MOST_FAULTS:
            told.append(f"… and {len(faults) - MOST_FAULTS} more")
        super().__init__("\n".join(told))
        self.faults = faults


class _Loader(yaml.SafeLoader):
    """SafeLoader with YAML 1.2's truth values and whole numbers."""


_Loader.yaml_implicit_resolvers = {
    first: [
        (tag, pattern)
        for tag, pattern in resolvers
        if tag not in {TAG + "bool", TAG + "int", TAG + "value"}
    ]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver(
    TAG + "bool", re.compile(r"^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")
)
# Neither 1:30 (ninety, in YAML 1.1) nor 010 (eight) is a number.
_Loader.add_implicit_resolver(
    TAG + "int", re.compile(r"^[-+]?(?:0|[1-9][0-9]*)$"), list("-+0123456789")
)


@dataclass
class LocatedDocument:
    """A file's content, and on which line each value begins."""

    file: Path
    data: Any = None
    lines: dict[Place, int] = field(default_factory=dict)

    def line_of(self, place: Place) -> int:
        """The line of a value, or of the nearest thing around it."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 1)

    def fault(self, place: Place, message: str, remedy: str = "") -> Fault:
        """Something wrong with the value at a place."""
        return Fault(self.file, self.line_of(place), path_text(place), message, remedy)


def parse(file: Path, example: str) -> LocatedDocument:
    """Reads a file; `example` is one to start from. Raises `FileFaultsError`."""
    document = LocatedDocument(file)

    def refuse(line: int, message: str, remedy: str) -> FileFaultsError:
        return FileFaultsError([Fault(file, line, "", message, remedy)])

    text = ""
    try:
        text = read_text(file)
        check_extent(text, _Loader)
        loader = _Loader(text)
        root = loader.get_single_node()
        if root is None:
            raise refuse(1, "the file is empty", f"Start from {example}")
        _note_lines(document, root, ())
        document.data = loader.construct_document(root)
    except HostileYamlError as error:
        raise refuse(error.line, error.message, error.remedy) from error
    except UnicodeDecodeError as error:
        raise refuse(1, "not UTF-8", "Save it as UTF-8") from error
    except OSError as error:
        raise refuse(0, f"cannot be read: {error.strerror}", "Name a file that is there") from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        message = f"holds U+{ord(text[error.position]):04X}, which no YAML file may hold"
        raise refuse(line, message, "Remove it, or save the file as plain UTF-8 text") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        message = f"not YAML: {quoted(error.problem or error.context, LONGEST_QUOTE * 2)}"
        remedy = "Check indentation, quotes and `*names`"
        raise refuse(mark.line + 1 if mark else 1, message, remedy) from error
    return document


def _note_lines(document: LocatedDocument, node: yaml.Node, place: Place) -> None:
    """Walks the tree, noting lines and refusing what no value may be."""
    document.lines[place] = node.start_mark.line + 1
    if isinstance(node, yaml.ScalarNode):
        _check_scalar(document, node, place)
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            _note_lines(document, item, (*place, index))
    elif isinstance(node, yaml.MappingNode):
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                raise _refused(document, line, place, "a key that is no word", "Use a word")
            here = (*place, str(key_node.value))
            _check_scalar(document, key_node, place)
            if here in document.lines:
                message = f"given twice, first on line {document.lines[here]}"
                raise _refused(document, line, here, message, "Keep one")
            _note_lines(document, value_node, here)
            document.lines[here] = line


def _check_scalar(document: LocatedDocument, node: yaml.ScalarNode, place: Place) -> None:
    try:
        check_scalar(node, _Loader("").construct_object)
    except HostileYamlError as error:
        raise _refused(document, error.line, place, error.message, error.remedy) from error


def _refused(
    document: LocatedDocument, line: int, place: Place, message: str, remedy: str
) -> FileFaultsError:
    return FileFaultsError([Fault(document.file, line, path_text(place), message, remedy)])


def path_text(place: Place) -> str:
    """`trials[0].clip`."""
    text = ""
    for part in place:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            text += f".{quoted(part)}" if text else quoted(part)
    return text
