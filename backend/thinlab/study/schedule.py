"""In which orders a block's trials are presented: a fixed list of balanced rows.

A row is what one participant gets: the trials in an order, and for each which
member is the first. Over all rows of a block every trial comes at every
position with either member first equally often, and, with a balanced order,
follows every other trial equally often (E. J. Williams, 1949); with clips kept apart it
follows those of other clips about equally often, and those of its own never. Where several trials
share a page, this is said of pages, and a page's trials follow each other. So wherever the
rows are used equally often to within one, the cells trial x side x position
are balanced to within one.

SPDX-License-Identifier: Apache-2.0
"""

import math
import random
from dataclasses import dataclass
from functools import cache
from typing import Literal

from thinlab.study import apart
from thinlab.study.definition import Block
from thinlab.study.page import pages_of
from thinlab.study.trial import member_conditions, presented

MemberName = Literal["a", "b"]


@dataclass(frozen=True)
class Place:
    """One trial of a row."""

    trial: int
    """Index in the block."""
    first_member: MemberName


Row = tuple[Place, ...]
Cover = tuple[Row, ...]
"""Rows that together hold every cell trial x position x first member exactly once."""


@dataclass(frozen=True)
class Drawn:
    """A row of one block, for one participant."""

    row: int
    """Index in `rows_of` the block."""
    round: int
    """The lowest that nobody who counts has with this row: it decides the runs."""


def covers_of(block: Block) -> tuple[Cover, ...]:
    """Every row of a block, cover by cover; there is at least one."""
    two_members = tuple(len(member_conditions(trial)) > 1 for trial in block.trials)
    pages = pages_of(block)
    labels = (
        tuple(presented(block.trials[page[0]]) for page in pages)
        if block.order == "apart"
        else None
    )
    turns = block.sides == "balanced" and not block.scale.reference_first
    return _covers(two_members, pages, block.order != "as_written", turns, labels)


def rows_of(block: Block) -> tuple[Row, ...]:
    """Every row of a block, in the order of the covers."""
    return tuple(row for cover in covers_of(block) for row in cover)


def run_of(trial: int, drawn: Drawn, runs: int, rows: int) -> int:
    """Which of a trial's runs is heard. `trial`: its index in a block of so many `rows`.

    A row and its mirror image (the other member first) get the same run, so
    that runs never mix with sides. The pairs of rows take the runs in turn,
    and each round goes on where the one before has ended: whole rounds hear
    each run equally often to within one. Where that would give a row the
    same runs again and again, the next turn begins one further on, so that
    the runs of a trial mix with its positions.
    """
    pairs = -(-rows // 2)
    rounds_until_the_same = runs // math.gcd(pairs, runs)
    begins = drawn.round * pairs + drawn.round // rounds_until_the_same
    return (begins + drawn.row // 2 + trial) % runs


@cache
def _covers(
    two_members: tuple[bool, ...],
    pages: tuple[tuple[int, ...], ...],
    balanced_order: bool,
    balanced_sides: bool,
    labels: tuple[str, ...] | None,
) -> tuple[Cover, ...]:
    count = len(pages)
    squares = _squares(count, labels) if balanced_order else ((tuple(range(count)),),)
    as_written: tuple[MemberName, ...] = tuple("a" for _ in two_members)
    covers = []
    for number, square in enumerate(squares):
        rows: list[Row] = []
        for index, order_of_pages in enumerate(square):
            order = tuple(trial for page in order_of_pages for trial in pages[page])
            sides = as_written
            if balanced_sides:
                sides = _sides(two_members, random.Random(f"{number}/{index}"))  # noqa: S311
            rows.append(_row(order, sides))
            if balanced_sides and any(two_members):
                rows.append(_row(order, _mirrored(sides, two_members)))
        covers.append(tuple(rows))
    return tuple(covers)


def _squares(count: int, labels: tuple[str, ...] | None) -> tuple[apart.Square, ...]:
    if labels is None:
        return williams(count)
    # Where there is none, a study's file is refused; one that was stored so keeps its places.
    return apart.orders_apart(labels) or williams(count)


def williams(count: int) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Latin squares of `count` things: one for an even number, two for an odd.

    In each square every thing is at each position once; in all squares
    together every thing comes equally often right after each other thing.
    """
    # 0, n-1, 1, n-2 …: neighbours differ by every amount once.
    zigzag = [place // 2 if place % 2 == 0 else count - 1 - place // 2 for place in range(count)]
    square = tuple(tuple((thing + shift) % count for thing in zigzag) for shift in range(count))
    if count % 2 == 0 or count == 1:
        return (square,)
    return (square, tuple(tuple(reversed(order)) for order in square))


def _sides(two_members: tuple[bool, ...], chance: random.Random) -> tuple[MemberName, ...]:
    """For each trial which member is first: either about as often, in no pattern.

    By turns would be a pattern: whoever recognises one member once would know
    it ever after, and whoever answers by turns would vote for one member only.
    """
    count = sum(two_members)
    firsts: list[MemberName] = ["a" if place % 2 == 0 else "b" for place in range(count)]
    chance.shuffle(firsts)
    rest = iter(firsts)
    return tuple(next(rest) if two else "a" for two in two_members)


def _mirrored(
    sides: tuple[MemberName, ...], two_members: tuple[bool, ...]
) -> tuple[MemberName, ...]:
    """The other member first in every trial that has two."""
    return tuple(
        "b" if two and side == "a" else "a" for side, two in zip(sides, two_members, strict=True)
    )


def _row(order: tuple[int, ...], sides: tuple[MemberName, ...]) -> Row:
    return tuple(Place(trial, sides[trial]) for trial in order)
