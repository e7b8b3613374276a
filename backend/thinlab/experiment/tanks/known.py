"""What a captured game's server told each player of the tanks: `captures/game/positions` wrote it.

SPDX-License-Identifier: Apache-2.0
"""

import itertools
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from thinlab.part import Part

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
NS_PER_S = 1e9

# How much the file says of a tank that is nowhere, that begins to live, and that moves.
NOWHERE, STANDS, MOVES = 1, 4, 10


@dataclass(frozen=True, eq=False)
class States:
    """What there was to know of tanks, a row each. In units of the game, seconds and radians."""

    player: Integers
    somewhere: NDArray[np.bool_]
    position: Floats
    """Three columns."""
    velocity: Floats
    """Three columns."""
    turning: Floats
    falls: NDArray[np.bool_]
    stamp: Floats
    """When it was so, on the player's own clock; NaN where nobody says."""

    @classmethod
    def of(cls, rows: tuple[tuple[float, ...], ...]) -> "States":
        """As the file has them. Raises `ValueError`."""
        if any(len(row) not in (NOWHERE, STANDS, MOVES) for row in rows):
            raise ValueError(f"a state has {NOWHERE}, {STANDS} or {MOVES} numbers")
        still = (0.0,) * (MOVES - 1) + (float("nan"),)
        whole = np.array([row + still[len(row) :] for row in rows], float).reshape(-1, MOVES)
        return cls(
            player=whole[:, 0].astype(np.int64),
            somewhere=np.array([len(row) > NOWHERE for row in rows], bool),
            position=whole[:, 1:4],
            velocity=whole[:, 4:7],
            turning=whole[:, 7],
            falls=whole[:, 8] != 0,
            stamp=whole[:, 9],
        )


@dataclass(frozen=True, eq=False)
class Told:
    """What one player was told, in the order of the stream."""

    states: States
    which: Integers
    """Of each message, the row of its state."""
    ends: Integers
    """The offset in the stream after its last byte."""

    def ages_ns(self, sent_ns: Integers) -> Integers:
        """How old each message was when the server sent it, beyond the youngest of that tank.

        What has no stamp was so just then.
        """
        stamped_ns = self.states.stamp[self.which] * NS_PER_S
        players = self.states.player[self.which]
        ages = np.zeros(len(sent_ns), np.int64)
        for player in np.unique(players):
            mine = np.flatnonzero((players == player) & ~np.isnan(stamped_ns))
            if len(mine):
                behind = sent_ns[mine] - stamped_ns[mine]
                ages[mine] = np.rint(behind - behind.min()).astype(np.int64)
        return ages


class _Connection(Part):
    client: str
    server: str
    ends: tuple[int, ...]
    states: tuple[int, ...]


class _File(Part):
    made_by: str
    states: tuple[tuple[float, ...], ...] = Field(min_length=1)
    connections: tuple[_Connection, ...] = Field(min_length=1)


@cache
def known_in(content: str) -> dict[tuple[str, str], Told]:
    """By client and server, what a file says. Raises `ValueError`."""
    file = _File.model_validate_json(content)
    states = States.of(file.states)
    told: dict[tuple[str, str], Told] = {}
    for one in file.connections:
        if len(one.ends) != len(one.states) or any(step <= 0 for step in one.ends):
            raise ValueError(f"{one.client}: each message has an end, behind the one before it")
        if any(not 0 <= state < len(file.states) for state in one.states):
            raise ValueError(f"{one.client}: it names a state that is not there")
        ends = np.array(list(itertools.accumulate(one.ends)), np.int64)
        which = np.array(one.states, np.int64)
        told[one.client, one.server] = Told(states, which, ends)
    return told
