"""How far tanks are from where a player sees them.

A tank is where the last message that the server sent of it says, moved on; the player sees it where
the last one says that has come. Both are moved on to the same moment, so that a tank which drives
straight is where it is seen, however late its messages are. What the path's lowest delay alone does
is in this error, as nothing helps against it; *beyond the path*, the tank is compared with where
the player would see it if every message took the lowest delay.

Where the two are made of the same message the error is 0; elsewhere it is taken in the middle of
steps of five milliseconds at the most, which weigh by their length. Only tanks count that are on
the map, in one and the same life and game, by both.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thinlab.experiment.tanks.known import NS_PER_S, Floats, Integers, States
from thinlab.experiment.tanks.reckoning import moved_on

STEP_NS = 5_000_000
# Of a message that never came.
NEVER_NS = 1 << 62

TANK_UNITS = 6.0
"""As long as a tank is."""
LOWEST_UNITS, HIGHEST_UNITS, POINTS_RATIO = 0.01, 2_000.0, 1.05
"""The curve's points after 0: from, to, and from one to the next."""

Indices = NDArray[np.intp]
Booleans = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Heard:
    """What one player was told of tanks, message by message, in the order of the stream."""

    states: States
    which: Integers
    """Of each message, the row of its state."""
    holds_ns: Integers
    """When the tank was where it says."""
    sent_ns: Integers
    """When the server wrote it."""
    came_ns: Integers
    """When the player could read it; `NEVER_NS`: not at all."""
    game: Integers
    """The how many-th game of the stream it is of."""
    over_ns: Integers
    """When that game is over."""

    @property
    def lowest_ns(self) -> int:
        """The lowest delay that a message had."""
        return int((self.came_ns - self.sent_ns).min()) if len(self.which) else 0

    def tanks(self) -> Iterator["Heard"]:
        """Of each tank, what is about it."""
        of = self.states.player[self.which]
        for player in np.unique(of):
            kept = np.flatnonzero(of == player)
            yield Heard(
                self.states,
                self.which[kept],
                self.holds_ns[kept],
                self.sent_ns[kept],
                self.came_ns[kept],
                self.game[kept],
                self.over_ns[kept],
            )


@dataclass(frozen=True)
class Distribution:
    """Of an error over time, all tanks together. In units of the game."""

    seconds: float
    """So much time of a tank counts."""
    mean: float
    p95: float
    p99: float
    highest: float
    over_half_a_tank_share: float
    over_a_tank_share: float
    points: tuple[tuple[float, float], ...]
    """The share of the time at or below each error."""


@dataclass(frozen=True)
class Found:
    """What one player saw."""

    error: Distribution
    beyond_path: Distribution
    jump_p99: float
    """How far tanks moved at once when messages came."""
    jump_highest: float


def measure(heard: Heard) -> Found:
    """Of all tanks that a player was told of."""
    tanks = [_Tank(one, heard.lowest_ns) for one in heard.tanks()]
    jumps = np.concatenate([np.empty(0), *(tank.jumps() for tank in tanks)])
    return Found(
        error=_distribution([tank.against(tank.sent) for tank in tanks]),
        beyond_path=_distribution([tank.against(tank.in_time) for tank in tanks]),
        jump_p99=float(np.quantile(jumps, 0.99)) if len(jumps) else 0.0,
        jump_highest=float(jumps.max(initial=0.0)),
    )


@dataclass(frozen=True, eq=False)
class _Errors:
    counted_ns: int
    units: Floats
    weights_ns: Floats
    """Of the rest of what counts the error is 0."""


class _Tank:
    """One tank on one player's screen, cut at every moment at which anything changes."""

    def __init__(self, heard: Heard, lowest_ns: int) -> None:
        self._heard = heard
        somewhere = heard.states.somewhere[heard.which]
        begins = np.diff(heard.game, prepend=-1) != 0
        self._somewhere = somewhere
        self._life = np.cumsum(~somewhere | begins)
        in_time_ns = heard.sent_ns + lowest_ns
        came_ns = heard.came_ns[heard.came_ns < NEVER_NS]
        cuts = np.unique(np.concatenate([heard.sent_ns, came_ns, in_time_ns, heard.over_ns]))
        self._from_ns, self._length_ns = cuts[:-1], np.diff(cuts)
        self.sent = _last(heard.sent_ns, self._from_ns)
        self.in_time = _last(in_time_ns, self._from_ns)
        self._seen = _last(heard.came_ns, self._from_ns)

    def against(self, actual: Indices) -> _Errors:
        """The error of what is seen, where these messages are the truth."""
        counted = self._count(actual, self._seen, self._from_ns)
        differs = np.flatnonzero(counted & (actual != self._seen))
        length_ns = self._length_ns[differs]
        steps = -(-length_ns // STEP_NS)
        of = np.repeat(differs, steps)
        step_ns = np.repeat(length_ns / np.maximum(steps, 1), steps)
        # Which of its interval's steps each one is.
        nth = np.arange(len(of)) - np.repeat(np.cumsum(steps) - steps, steps)
        at_ns = self._from_ns[of] + (nth + 0.5) * step_ns
        units = self._apart(actual[of], self._seen[of], at_ns)
        return _Errors(int(self._length_ns[counted].sum()), units, step_ns)

    def jumps(self) -> Floats:
        """How far the tank moves at once when messages come."""
        came_ns = self._heard.came_ns
        at_ns = np.unique(came_ns[came_ns < NEVER_NS])
        before, after = _last(came_ns, at_ns, ahead=True), _last(came_ns, at_ns)
        kept = self._count(before, after, at_ns)
        return self._apart(before[kept], after[kept], at_ns[kept].astype(float))

    def _count(self, one: Indices, other: Indices, at_ns: Integers) -> Booleans:
        """Whether both messages are of one life, and its game is under way."""
        both: Booleans = (one >= 0) & (other >= 0)
        both &= self._somewhere[one] & self._somewhere[other]
        both &= self._life[one] == self._life[other]
        both &= at_ns < self._heard.over_ns[one]
        return both

    def _apart(self, one: Indices, other: Indices, at_ns: Floats) -> Floats:
        apart = self._at(one, at_ns) - self._at(other, at_ns)
        distance: Floats = np.sqrt((apart**2).sum(axis=1))
        return distance

    def _at(self, messages: Indices, at_ns: Floats) -> Floats:
        heard = self._heard
        seconds = (at_ns - heard.holds_ns[messages]) / NS_PER_S
        return moved_on(heard.states, heard.which[messages], seconds)


def _last(rising_ns: Integers, at_ns: Integers, *, ahead: bool = False) -> Indices:
    """The last message whose time has come; −1: none. `ahead`: that came before that moment."""
    return np.searchsorted(rising_ns, at_ns, side="left" if ahead else "right") - 1


def _distribution(tanks: list[_Errors]) -> Distribution:
    counted_ns = sum(one.counted_ns for one in tanks)
    units = np.concatenate([np.empty(0), *(one.units for one in tanks)])
    weights_ns = np.concatenate([np.empty(0), *(one.weights_ns for one in tanks)])
    if not counted_ns:
        return Distribution(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, ())
    order = np.argsort(units)
    units, weights_ns = units[order], weights_ns[order]
    shares = weights_ns / counted_ns
    # What is above each of them, itself not counted.
    above = np.concatenate([np.cumsum(shares[::-1])[::-1], [0.0]])

    def over(limit: float) -> float:
        return float(above[np.searchsorted(units, limit, side="right")])

    def percentile(share: float) -> float:
        """The lowest error at or below which this share of the time is."""
        at = int(np.searchsorted(-above[1:], -(1 - share), side="left"))
        return float(units[at]) if above[0] > 1 - share and len(units) else 0.0

    highest = float(units.max(initial=0.0))
    return Distribution(
        seconds=counted_ns / NS_PER_S,
        mean=float((units * shares).sum()),
        p95=percentile(0.95),
        p99=percentile(0.99),
        highest=highest,
        over_half_a_tank_share=over(TANK_UNITS / 2),
        over_a_tank_share=over(TANK_UNITS),
        points=tuple((limit, 1 - over(limit)) for limit in _limits(highest)),
    )


def _limits(highest: float) -> Iterator[float]:
    """0, and up to the first one that nothing is above."""
    yield 0.0
    limit = LOWEST_UNITS
    while limit < min(highest, HIGHEST_UNITS):
        yield round(limit, 4)
        limit *= POINTS_RATIO
    yield highest
