"""Which row of each block a participant gets: the least used one, by chance among equals.

Pure. Who counts is the caller's business: completed sessions and live ones;
abandoned, withdrawn and excluded ones do not, so that their places return.

SPDX-License-Identifier: Apache-2.0
"""

import random
from collections.abc import Mapping, Sequence
from itertools import count

from thinlab.study.schedule import Cover, Drawn


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
