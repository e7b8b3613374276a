"""A column of an export: what it is called, what it means, and how its cell is found.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, Literal, TypeVar

Cell = str | int | float | bool | datetime | None
Kind = Literal["text", "integer", "number", "boolean", "time"]
Row = TypeVar("Row")


@dataclass(frozen=True)
class Column(Generic[Row]):
    """One column over rows made of `Row`."""

    name: str
    kind: Kind
    unit: str
    meaning: str
    source: str
    cell: Callable[[Row], Cell]


def text(name: str, meaning: str, source: str, cell: Callable[[Row], Cell]) -> Column[Row]:
    """Words."""
    return Column(name, "text", "", meaning, source, cell)


def count(name: str, meaning: str, source: str, cell: Callable[[Row], Cell]) -> Column[Row]:
    """How many."""
    return Column(name, "integer", "count", meaning, source, cell)


def whole(
    name: str, unit: str, meaning: str, source: str, cell: Callable[[Row], Cell]
) -> Column[Row]:
    """A whole number of something."""
    return Column(name, "integer", unit, meaning, source, cell)


def number(
    name: str, unit: str, meaning: str, source: str, cell: Callable[[Row], Cell]
) -> Column[Row]:
    """A number of something."""
    return Column(name, "number", unit, meaning, source, cell)


def yes(name: str, meaning: str, source: str, cell: Callable[[Row], Cell]) -> Column[Row]:
    """Whether."""
    return Column(name, "boolean", "", meaning, source, cell)


def time(name: str, meaning: str, source: str, cell: Callable[[Row], Cell]) -> Column[Row]:
    """When."""
    return Column(name, "time", "UTC, ISO 8601", meaning, source, cell)
