"""Which row of each block a participant gets: the least used one, by chance among equals.

Pure. Who counts is the caller's business: completed sessions and live ones;
abandoned, withdrawn and excluded ones do not, so that their places return.

SPDX-License-Identifier: Apache-2.0
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count

from thinlab.study.schedule import Cover


@dataclass(frozen=True)
class Drawn:
    """A row of one block, for one participant."""

    row: int
    """Index in `rows_of` the block."""
    round: int
    """The lowest that nobody who counts has with this row: it decides the runs."""


def draw_row(
    covers: Sequence[Cover], held: Mapping[int, Sequence[int]], chance: random.Random
) -> Drawn:
    """The row to give out next. `held`: the rounds that counted participants have of each row.

    A cover is used up before the next one is begun, so that at any time the
    cells trial x position x first member differ by at most one among those
    that count, as far as nobody leaves. Whoever comes after somebody who left
    gets their round too, and so hears the runs that they would have heard.
    """
    cover_of = [number for number, cover in enumerate(covers) for _ in cover]

    def rank(row: int) -> tuple[int, int]:
        return len(held.get(row, ())), cover_of[row]

    lowest = min(rank(row) for row in range(len(cover_of)))
    row = chance.choice([row for row in range(len(cover_of)) if rank(row) == lowest])
    rounds = set(held.get(row, ()))
    return Drawn(row, next(one for one in count() if one not in rounds))


def run_of(trial: int, drawn: Drawn, runs: int) -> int:
    """Which of a trial's runs is heard. `trial`: its index in the block.

    Rows of one cover shift against each other, so that the runs of a trial
    mix with its positions; a row and its mirror image (the other member
    first) get the same run, so that runs never mix with sides.
    """
    return (drawn.round + drawn.row // 2 + trial) % runs
