"""Columns about what was presented at a place, heard or typed: its condition, and its own kind's.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Literal, TypeVar

from thinlab.condition.path import Direction, Impairments
from thinlab.condition.quantities import DIRECTION
from thinlab.export.column import Cell, Column, number, text, whole
from thinlab.export.entry import Experienced, Heard, Typed, VoteEntry
from thinlab.export.recording_columns import RECORDING
from thinlab.export.session_columns import SESSION
from thinlab.study.definition import StudyDefinition

Place = Literal["first", "second"]
Row = TypeVar("Row")


def _direction(name: Literal["forward", "backward"], words: str) -> list[Column[Experienced]]:
    def of(place: Experienced) -> Direction:
        path = place.condition.path
        return path.forward if name == "forward" else path.backward

    def bursts(place: Experienced) -> Cell:
        loss = of(place).gilbert_elliott
        return loss.model_dump_json() if loss else None

    def value(place: Experienced, *, field: str) -> Cell:
        found: Cell = getattr(of(place), field)
        return found

    source = "study file"
    columns = []
    for field in Impairments.model_fields:
        column = f"{name}_{field}"
        one = DIRECTION.get(field)
        if one is None:
            columns.append(text(column, f"loss in bursts set, {words}, JSON", source, bursts))
            continue
        meaning = f"{one.title.lower()} set, {words}: {one.meaning}"
        kind = whole if one.whole else number
        columns.append(kind(column, one.unit, meaning, source, partial(value, field=field)))
    return columns


CONDITION: tuple[Column[Experienced], ...] = (
    text(
        "member", "which member of the trial it is, `a` or `b`", "presentation", lambda h: h.member
    ),
    text(
        "condition", "the study's name of the condition", "study file", lambda h: h.condition_name
    ),
    text("mode", "named set of mechanisms", "study file", lambda h: h.condition.transport.mode),
    text(
        "mechanisms", "mechanisms switched on, separated by spaces", "study file",
        lambda h: " ".join(h.condition.transport.mechanisms),
    ),
    text(
        "baseline", "the rest of the TCP configuration", "study file",
        lambda h: h.condition.transport.baseline.value,
    ),
    number(
        "rtt_ms", "ms", "round-trip time set, split evenly", "study file",
        lambda h: h.condition.path.rtt_ms,
    ),
    *_direction("forward", "sender to receiver"),
    *_direction("backward", "receiver to sender"),
    whole("seed", "", "of the emulator's randomness", "study file", lambda h: h.row.seed),
    text(
        "host_build", "content hash of the host that made it", "host", lambda h: h.row.host_build
    ),
    text("kernel_release", "the host's kernel", "host", lambda h: h.row.kernel_release),
    text("agent_version", "the host's agent", "host", lambda h: h.row.agent_version),
)  # fmt: skip


def columns_of_place(
    place: Place, definitions: Iterable[StudyDefinition]
) -> list[Column[VoteEntry]]:
    """Of what was presented at a place; the kinds' own where any version of a study has them."""
    definitions = list(definitions)
    found = [
        _at(place, column, "what was presented", partial(_of_either, place=place, column=column))
        for column in CONDITION
    ]
    own: dict[str, Column[VoteEntry]] = {}
    if any(definition.is_heard for definition in definitions):
        for heard in RECORDING:
            cell = partial(_of_heard, place=place, column=heard)
            own[heard.name] = _at(place, heard, "recording presented", cell)
    if any(definition.is_typed for definition in definitions):
        for typed in SESSION:
            cell = partial(_of_typed, place=place, column=typed)
            # What both kinds of sessions measure is one column.
            other = own.get(typed.name)
            own[typed.name] = (
                _at(place, typed, "session typed", cell)
                if other is None
                else replace(other, cell=partial(_either_cell, cells=(other.cell, cell)))
            )
    return [*found, *own.values()]


def _either_cell(
    entry: VoteEntry, *, cells: tuple[Callable[[VoteEntry], Cell], Callable[[VoteEntry], Cell]]
) -> Cell:
    first, second = (cell(entry) for cell in cells)
    return second if first is None else first


def _at(
    place: Place, column: Column[Row], what: str, cell: Callable[[VoteEntry], Cell]
) -> Column[VoteEntry]:
    return Column(
        f"{place}_{column.name}",
        column.kind,
        column.unit,
        f"{what} {place}: {column.meaning}",
        column.source,
        cell,
    )


def _here(entry: VoteEntry, place: Place) -> Experienced | None:
    return entry.first if place == "first" else entry.second


def _of_either(entry: VoteEntry, *, place: Place, column: Column[Experienced]) -> Cell:
    here = _here(entry, place)
    return None if here is None else column.cell(here)


def _of_heard(entry: VoteEntry, *, place: Place, column: Column[Heard]) -> Cell:
    heard = _here(entry, place)
    if not isinstance(heard, Heard):
        return None
    if column.name not in heard.cells:
        heard.cells[column.name] = column.cell(heard)
    return heard.cells[column.name]


def _of_typed(entry: VoteEntry, *, place: Place, column: Column[Typed]) -> Cell:
    typed = _here(entry, place)
    return column.cell(typed) if isinstance(typed, Typed) else None
