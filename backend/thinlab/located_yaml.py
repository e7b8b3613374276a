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

Place = tuple[str | int, ...]


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


def parse(file: Path, example: str) -> LocatedDocument:
    """Reads a file; `example` is one to start from. Raises `FileFaultsError`."""
    document = LocatedDocument(file)
    try:
        text = file.read_text(encoding="utf-8")
        root = yaml.compose(text, Loader=_Loader)
        if root is None:
            raise FileFaultsError(
                [Fault(file, 1, "", "the file is empty", f"Start from {example}")]
            )
        _note_lines(document, root, ())
        document.data = yaml.load(text, Loader=_Loader)  # noqa: S506 (a SafeLoader)
    except UnicodeDecodeError as error:
        raise FileFaultsError([Fault(file, 1, "", "not UTF-8", "Save it as UTF-8")]) from error
    except OSError as error:
        raise FileFaultsError([Fault(file, 0, "", f"cannot be read: {error.strerror}")]) from error
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        fault = Fault(file, line, "", f"not YAML: {error.problem}", "Check indentation and quotes")
        raise FileFaultsError([fault]) from error
    return document


def _note_lines(document: LocatedDocument, node: yaml.Node, place: Place) -> None:
    """Walks the tree, noting lines and refusing keys given twice."""
    document.lines[place] = node.start_mark.line + 1
    if isinstance(node, yaml.MappingNode):
        for key_node, value_node in node.value:
            here = (*place, str(key_node.value))
            line = key_node.start_mark.line + 1
            if here in document.lines:
                message = f"given twice, first on line {document.lines[here]}"
                fault = Fault(document.file, line, path_text(here), message, "Keep one")
                raise FileFaultsError([fault])
            _note_lines(document, value_node, here)
            document.lines[here] = line
    elif isinstance(node, yaml.SequenceNode):
        for index, item in enumerate(node.value):
            _note_lines(document, item, (*place, index))


def path_text(place: Place) -> str:
    """`trials[0].clip`."""
    text = ""
    for part in place:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text
