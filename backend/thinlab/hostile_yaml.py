"""What a YAML file may not be, found before anything is built from it.

A study file may come from anybody: one that is huge, nested without end, or
that names one part a million times is refused in bounded time, with the line.

SPDX-License-Identifier: Apache-2.0
"""

import unicodedata
from collections.abc import Callable
from pathlib import Path

import yaml

# The longest file of ours has 20 kB; one of 256 kB takes a second or two to read.
LONGEST_FILE_BYTES = 256 * 1024
DEEPEST = 20
# Counted with every alias (`*name`) put in full.
MOST_VALUES = 20_000
# Of a number: 64 bits need 20 digits.
LONGEST_NUMBER = 40
LONGEST_QUOTE = 60

TAG = "tag:yaml.org,2002:"
MERGE = TAG + "merge"


class HostileYamlError(Exception):
    """A file, or a value in it, that is not read any further."""

    def __init__(self, line: int, message: str, remedy: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message
        self.remedy = remedy


def read_text(file: Path) -> str:
    """An ordinary file of bounded length. Raises `HostileYamlError`, `OSError`, `UnicodeError`."""
    if not file.is_file():
        if file.exists():
            raise HostileYamlError(0, "not an ordinary file", "Name a .yaml file")
        raise FileNotFoundError(2, "No such file", str(file))
    with file.open("rb") as opened:
        content = opened.read(LONGEST_FILE_BYTES + 1)
    if len(content) > LONGEST_FILE_BYTES:
        message = f"longer than {LONGEST_FILE_BYTES // 1024} kB"
        raise HostileYamlError(1, message, "Split it into several files")
    return content.decode("utf-8-sig")


def check_extent(text: str, loader: type[yaml.SafeLoader]) -> None:
    """Counts depth and values as the parser meets them. Raises `HostileYamlError`."""
    extent = _Extent()
    for event in yaml.parse(text, Loader=loader):
        extent.take(event, event.start_mark.line + 1 if event.start_mark else 1)


class _Extent:
    """How much a document holds so far, aliases counted in full."""

    def __init__(self) -> None:
        self.values = 0
        self.unclosed: list[tuple[str | None, int]] = []
        self.sizes: dict[str, int] = {}

    def take(self, event: yaml.Event, line: int) -> None:
        tag = getattr(event, "tag", None)
        if tag is not None:
            message = f"a tag, `{quoted(tag)}`"
            raise HostileYamlError(line, message, "Remove it: a value's type follows from its form")
        match event:
            case yaml.AliasEvent():
                self._repeat(str(event.anchor), line)
            case yaml.CollectionStartEvent():
                self._open(event.anchor, line)
            case yaml.CollectionEndEvent():
                anchor, before = self.unclosed.pop()
                if anchor is not None:
                    self.sizes[anchor] = self.values - before
            case yaml.ScalarEvent():
                self.values += 1
                if event.anchor is not None:
                    self.sizes[event.anchor] = 1
        if self.values > MOST_VALUES:
            message = f"more than {MOST_VALUES} values, each `*name` counted in full"
            raise HostileYamlError(line, message, "Write a smaller file")

    def _repeat(self, anchor: str, line: int) -> None:
        if any(anchor == unclosed for unclosed, _ in self.unclosed):
            message = f"`*{quoted(anchor)}` stands inside itself"
            raise HostileYamlError(line, message, "Write the part out")
        self.values += self.sizes.get(anchor, 0)

    def _open(self, anchor: str | None, line: int) -> None:
        self.unclosed.append((anchor, self.values))
        self.values += 1
        if len(self.unclosed) > DEEPEST:
            message = f"nested deeper than {DEEPEST} levels"
            raise HostileYamlError(
                line, message, "Nothing is nested this deep: check the indentation"
            )


def check_scalar(node: yaml.ScalarNode, construct: Callable[[yaml.Node], object]) -> None:
    """What JSON, a terminal or the database would choke on. Raises `HostileYamlError`.

    And what looks like a value and is none, such as the day 2026-13-45.
    """
    line = node.start_mark.line + 1
    for character in node.value:
        if unicodedata.category(character) in {"Cc", "Cs"} and character not in "\n\t":
            message = f"holds the control character U+{ord(character):04X}"
            raise HostileYamlError(line, message, "Remove it")
    if node.tag in {TAG + "int", TAG + "float"} and len(node.value) > LONGEST_NUMBER:
        message = f"a number of {len(node.value)} characters"
        raise HostileYamlError(line, message, f"Use at most {LONGEST_NUMBER}")
    if node.tag == MERGE:
        return
    try:
        construct(node)
    except (ValueError, OverflowError) as error:
        message = f"`{quoted(node.value)}` is not what it looks like: {error}"
        remedy = "Correct it, or put it in quotes if it is a text"
        raise HostileYamlError(line, message, remedy) from error


def quoted(value: object, longest: int = LONGEST_QUOTE) -> str:
    """A value from a file as one short line of printable characters, for a message."""
    text = " ".join(str(value)[: 4 * longest].split())
    text = text if len(text) <= longest else text[: longest - 1] + "…"
    return "".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in text)
