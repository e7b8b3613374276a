"""Columns by member, not by place: what `a` and `b` were, whichever was presented first.

Each is made of the two columns of the export of votes that say the same of either place, so that a
measure is described once.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from thinlab.export.column import Cell, Column
from thinlab.export.entry import Experienced, Place, VoteEntry
from thinlab.export.kind import Kinds
from thinlab.export.kind_columns import of_all_kinds
from thinlab.export.place_columns import columns_of_place
from thinlab.study.definition import StudyDefinition
from thinlab.study.schedule import MemberName

MEMBERS: tuple[MemberName, ...] = ("a", "b")
# What the account of an answer says of either place, as `plays_first`.
ACCOUNTED = ("plays", "heard_share")


@dataclass(frozen=True)
class OfEither:
    """A column of what a member was, found at the place where it was presented."""

    name: str
    column: Column[VoteEntry]
    """Of the first place, whose kind, unit and source hold for either."""
    meaning: str
    cells: Mapping[Place, Callable[[VoteEntry], Cell]]

    def cell(self, entry: VoteEntry, member: MemberName) -> Cell:
        """None where the trial has no such member."""
        place = place_of(entry, member)
        return None if place is None else self.cells[place](entry)


def place_of(entry: VoteEntry, member: MemberName) -> Place | None:
    """Where a member was presented; a recording that is judged alone is member `a`."""
    if entry.second is None:
        return "first" if member == "a" else None
    return "first" if entry.presentation.first_member == member else "second"


def member_of(entry: VoteEntry, member: MemberName) -> Experienced | None:
    """What was presented as this member."""
    place = place_of(entry, member)
    return None if place is None else entry.at(place)


def perceived(definitions: Sequence[StudyDefinition], kinds: Kinds) -> list[OfEither]:
    """The few measures that say most of what people may have noticed."""
    used = {medium for definition in definitions for medium in definition.media}
    names = dict.fromkeys(
        name for kind in kinds.values() if kind.medium in used for name in kind.perceived
    )
    first, second = (
        {column.name: column for column in columns_of_place(place, definitions, kinds)}
        for place in ("first", "second")
    )
    meanings = {
        column.name: column.meaning
        for kind in kinds.values()
        if kind.medium in used
        for column in kind.place_columns
    }
    return [
        OfEither(
            name,
            first[f"first_{name}"],
            meanings[name],
            {"first": first[f"first_{name}"].cell, "second": second[f"second_{name}"].cell},
        )
        for name in names
    ]


def accounted(kinds: Kinds) -> list[OfEither]:
    """How each was played: what of it sounded at all, and how often it was started."""
    columns = of_all_kinds({name: kind.account_columns for name, kind in kinds.items()})
    known = {column.name: column for column in columns}
    meanings = {
        "plays": "times that playing started on it, or that it was typed",
        "heard_share": "how much of it sounded at all, whatever sounded again; empty where the "
        "page did not tell, and where something is typed",
    }
    return [
        OfEither(
            name,
            known[f"{name}_first"],
            meanings[name],
            {"first": known[f"{name}_first"].cell, "second": known[f"{name}_second"].cell},
        )
        for name in ACCOUNTED
    ]


def columns_of_members(
    definitions: Iterable[StudyDefinition], kinds: Kinds
) -> list[Column[VoteEntry]]:
    """For the export of votes: `a_…`, `b_…`, and of measures `b_minus_a_…`."""
    measures = perceived(list(definitions), kinds)
    found: list[Column[VoteEntry]] = []
    for member in MEMBERS:
        found.append(_named(member))
        found += [_of_member(one, member) for one in (*accounted(kinds), *measures)]
    return [*found, *(_difference(one) for one in measures)]


def _named(member: MemberName) -> Column[VoteEntry]:
    def cell(entry: VoteEntry) -> Cell:
        here = member_of(entry, member)
        return None if here is None else here.condition_name

    return Column(
        f"{member}_condition",
        "text",
        "",
        f"the study's name of member {member}'s condition, wherever it was presented",
        "study file",
        cell,
    )


def _of_member(one: OfEither, member: MemberName) -> Column[VoteEntry]:
    return Column(
        f"{member}_{one.name}",
        one.column.kind,
        one.column.unit,
        f"member {member}: {one.meaning}",
        one.column.source,
        lambda entry: one.cell(entry, member),
    )


def _difference(one: OfEither) -> Column[VoteEntry]:
    def cell(entry: VoteEntry) -> Cell:
        a, b = (one.cell(entry, member) for member in MEMBERS)
        if not isinstance(a, int | float) or not isinstance(b, int | float):
            return None
        return b - a

    return Column(
        f"b_minus_a_{one.name}",
        one.column.kind,
        one.column.unit,
        f"member b's less member a's: {one.meaning}",
        one.column.source,
        cell,
    )
