"""Columns about what was presented at a place: its condition, and its own kind's.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any, Literal, TypeVar

from thinlab.condition.condition import Condition
from thinlab.condition.path import Direction, Impairments
from thinlab.condition.quantities import DIRECTION
from thinlab.condition.reference import Reference
from thinlab.contract import registry
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.export.column import Cell, Column, number, text, whole, yes
from thinlab.export.entry import Experienced, Place, VoteEntry
from thinlab.export.kind import ExportedKind, Kinds
from thinlab.study.definition import StudyDefinition

_TERMS = registry.fields(pb.Path.DESCRIPTOR)
_OF_PARTS = {"gilbert_elliott": "loss in bursts", "bit_errors": "bit errors"}

Row = TypeVar("Row")


def _sent(cell: Callable[[Condition], Cell]) -> Callable[[Experienced], Cell]:
    """Of what was sent; empty of a reference."""

    def found(place: Experienced) -> Cell:
        return None if place.sent is None else cell(place.sent)

    return found


def _of_reference(cell: Callable[[Reference], Cell]) -> Callable[[Experienced], Cell]:
    def found(place: Experienced) -> Cell:
        return cell(place.condition) if isinstance(place.condition, Reference) else None

    return found


def _direction(name: Literal["forward", "backward"], words: str) -> list[Column[Experienced]]:
    def of(condition: Condition) -> Direction:
        return condition.path.forward if name == "forward" else condition.path.backward

    def parts(condition: Condition, *, field: str) -> Cell:
        found = getattr(of(condition), field)
        return str(found.model_dump_json()) if found else None

    def value(condition: Condition, *, field: str) -> Cell:
        found: Cell = getattr(of(condition), field)
        return found

    source = "study file"
    columns = []
    for field in Impairments.model_fields:
        column = f"{name}_{field}"
        one = DIRECTION.get(field)
        if field in _OF_PARTS:
            told_as = f"{_OF_PARTS[field]} set, {words}, JSON"
            columns.append(text(column, told_as, source, _sent(partial(parts, field=field))))
            continue
        if one is None:
            term = _TERMS[field]
            meaning = f"{term.title} set, {words}: {term.meaning}"
            told = yes if Impairments.model_fields[field].annotation is bool else text
            columns.append(told(column, meaning, source, _sent(partial(value, field=field))))
            continue
        meaning = f"{one.title.lower()} set, {words}: {one.meaning}"
        kind = whole if one.whole else number
        columns.append(kind(column, one.unit, meaning, source, _sent(partial(value, field=field))))
    return columns


CONDITION: tuple[Column[Experienced], ...] = (
    text(
        "member", "which member of the trial it is, `a` or `b`", "presentation", lambda h: h.member
    ),
    text(
        "condition", "the study's name of the condition", "study file", lambda h: h.condition_name
    ),
    text(
        "reference", "what was made of the clip directly, with nothing sent: `unprocessed`, "
        "`mnru`, `low_pass_3500` or `low_pass_7000`; empty where something was sent", "study file",
        _of_reference(lambda one: one.reference.value),
    ),
    number(
        "reference_q_db", "dB", "of `mnru`: ratio of speech to modulated noise (ITU-T P.810)",
        "study file", _of_reference(lambda one: one.q_db),
    ),
    text(
        "mode", "named set of mechanisms; this and what follows about sender, path and host is "
        "empty of a reference", "study file", _sent(lambda one: one.transport.mode),
    ),
    text(
        "mechanisms", "mechanisms switched on, separated by spaces", "study file",
        _sent(lambda one: " ".join(one.transport.mechanisms)),
    ),
    text(
        "baseline", "the rest of the TCP configuration", "study file",
        _sent(lambda one: one.transport.baseline.value),
    ),
    number(
        "rtt_ms", "ms", "round-trip time set, split evenly", "study file",
        _sent(lambda one: one.path.rtt_ms),
    ),
    *_direction("forward", "sender to receiver"),
    *_direction("backward", "receiver to sender"),
    whole(
        "seed", "", "of the emulator's randomness, or of modulated noise", "study file",
        lambda h: h.run.seed,
    ),
    text(
        "host_build", "content hash of the host that made it", "host", lambda h: h.run.host_build
    ),
    text("kernel_release", "the host's kernel", "host", lambda h: h.run.kernel_release),
    text("agent_version", "the host's agent", "host", lambda h: h.run.agent_version),
)  # fmt: skip


def columns_of_place(
    place: Place, definitions: Iterable[StudyDefinition], kinds: Kinds
) -> list[Column[VoteEntry]]:
    """Of what was presented at a place; the kinds' own where any version of a study has them."""
    used = {medium for definition in definitions for medium in definition.media}
    found = [
        _at(place, column, "what was presented", partial(_of_any, place=place, column=column))
        for column in CONDITION
    ]
    own: dict[str, Column[VoteEntry]] = {}
    for kind in kinds.values():
        for column in kind.place_columns if kind.medium in used else ():
            cell = partial(_of_kind, place=place, kind=kind, column=column)
            # What several kinds measure is one column.
            other = own.get(column.name)
            own[column.name] = (
                _at(place, column, kind.place_words, cell)
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


def _of_any(entry: VoteEntry, *, place: Place, column: Column[Experienced]) -> Cell:
    here = entry.at(place)
    return None if here is None else column.cell(here)


def _of_kind(entry: VoteEntry, *, place: Place, kind: ExportedKind, column: Column[Any]) -> Cell:
    here = entry.at(place)
    if here is None or entry.presentation.medium != kind.medium:
        return None
    return column.cell(here)
