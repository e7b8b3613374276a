"""Orders in which no clip follows itself: whoever hears one sentence twice on end compares.

Williams' orders have every trial follow every other, those of the same clip too. Here the trials
stand in a ring, and an order goes round it by steps that never lead from a clip to itself,
wherever it begins. Begun once at each trial, one such walk is a Latin square: every trial is at
every position once. Several walks that take each step about as often as each other have every
trial follow every other one of another clip about equally often.

Pure.

SPDX-License-Identifier: Apache-2.0
"""

import random
from collections import Counter
from collections.abc import Hashable, Sequence
from functools import cache
from itertools import pairwise

Order = tuple[int, ...]
Square = tuple[Order, ...]

# Walks, each the other way round as well: enough for steps to be about equally frequent.
WALKS = 2
# Dead ends of one walk before another beginning is tried.
MOST_TRIES = 20_000


@cache
def orders_apart(labels: tuple[Hashable, ...]) -> tuple[Square, ...]:
    """Latin squares of as many things as labels, where like labels never follow each other.

    Empty where there is none to be found: for one, where a label is on more than half of them.
    """
    rings = [ring for ring in _rings(labels) if _steps(ring, labels)]
    if not rings:
        return ((tuple(range(len(labels))),),) if len(labels) == 1 else ()
    ring = max(rings, key=lambda one: len(_steps(one, labels)))
    steps = _steps(ring, labels)
    taken: Counter[int] = Counter()
    squares: list[Square] = []
    for number in range(WALKS):
        walk = _walk(len(ring), steps, taken, random.Random(f"walk {number}"))  # noqa: S311
        if walk is None:
            break
        for way in (walk, walk[::-1]):
            squares.append(
                tuple(
                    tuple(ring[(place + shift) % len(ring)] for place in way)
                    for shift in range(len(ring))
                )
            )
            taken.update(_taken(way))
    return tuple(squares)


def _rings(labels: Sequence[Hashable]) -> list[Order]:
    """Two ways to keep like labels apart: dealt out in turn, and every other place first."""
    groups: dict[Hashable, list[int]] = {}
    for thing, label in enumerate(labels):
        groups.setdefault(label, []).append(thing)
    sizes = sorted(groups.values(), key=len, reverse=True)
    dealt = [group[turn] for turn in range(len(sizes[0])) for group in sizes if turn < len(group)]
    flat = [thing for group in sizes for thing in group]
    spread = [0] * len(flat)
    places = [*range(0, len(flat), 2), *range(1, len(flat), 2)]
    for place, thing in zip(places, flat, strict=True):
        spread[place] = thing
    return [tuple(dealt), tuple(spread)]


def _steps(ring: Order, labels: Sequence[Hashable]) -> frozenset[int]:
    """Those that lead to another label from everywhere on the ring."""
    count = len(ring)
    return frozenset(
        step
        for step in range(1, count)
        if all(
            labels[ring[place]] != labels[ring[(place + step) % count]] for place in range(count)
        )
    )


def _taken(walk: Sequence[int]) -> list[int]:
    count = len(walk)
    return [(there - here) % count for here, there in pairwise(walk)]


def _walk(
    count: int, steps: frozenset[int], taken: Counter[int], chance: random.Random
) -> Order | None:
    """Once to each place by these steps, by those first that were taken least; none if not found.

    One step alone goes round a ring of any size, if it is 1 or as good as 1.
    """
    walk, tries = [0], 0
    own = Counter(taken)
    waiting = [_choices(walk, count, steps, own, chance)]
    while waiting:
        if len(walk) == count:
            return tuple(walk)
        tries += 1
        if tries > MOST_TRIES:
            return _round(count, steps)
        if waiting[-1]:
            step = waiting[-1].pop(0)
            own[step] += 1
            walk.append((walk[-1] + step) % count)
            waiting.append(_choices(walk, count, steps, own, chance))
        else:
            waiting.pop()
            there = walk.pop()
            if walk:
                own[(there - walk[-1]) % count] -= 1
    return None


def _choices(
    walk: Sequence[int],
    count: int,
    steps: frozenset[int],
    taken: Counter[int],
    chance: random.Random,
) -> list[int]:
    been = set(walk)
    open_ = [step for step in sorted(steps) if (walk[-1] + step) % count not in been]
    chance.shuffle(open_)
    return sorted(open_, key=lambda step: taken[step])


def _round(count: int, steps: frozenset[int]) -> Order | None:
    for step in sorted(steps):
        places = [place * step % count for place in range(count)]
        if len(set(places)) == count:
            return tuple(places)
    return None
