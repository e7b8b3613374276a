"""When a bot presses and releases keys: as people do, or as scripts do.

SPDX-License-Identifier: Apache-2.0
"""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import cycle, islice
from types import MappingProxyType

# Copying at 33 words a minute; a held key waits half a second and then repeats thirty times one.
MEDIAN_PAUSE_S = 0.27
PAUSE_SPREAD = 0.5
REPEAT_PAUSE_S = 1 / 30
# As of 168 000 people who copied sentences: 116 ms, give or take 24 (Dhakal et al. 2018,
# doi:10.1145/3173574.3174220, table 3).
MEDIAN_DWELL_S = 0.113
DWELL_SPREAD = 0.2
# Just below what the server takes for a hand.
FAST_PAUSE_S = 0.012
# Pasted keys follow at once; what a script's timer adds.
PASTE_PAUSE_S = 0.002
RECORDED_KEYS = 400


@dataclass(frozen=True)
class Rhythm:
    """How somebody types."""

    pauses_s: Callable[[random.Random], Iterator[float]]
    """Of one session: seconds from each key to the next, without end."""
    dwell_s: Callable[[random.Random], float] = lambda chance: 0.0  # noqa: ARG005
    """For how long a key is down."""
    repeat_pause_s: float = REPEAT_PAUSE_S


def _each(draw: Callable[[random.Random], float]) -> Callable[[random.Random], Iterator[float]]:
    """One pause at a time, none before a script's own limit."""

    def pauses_s(chance: random.Random) -> Iterator[float]:
        while True:
            yield max(draw(chance), FAST_PAUSE_S)

    return pauses_s


def _hands_dwell_s(chance: random.Random) -> float:
    return chance.lognormvariate(0, DWELL_SPREAD) * MEDIAN_DWELL_S


human = Rhythm(
    _each(lambda chance: chance.lognormvariate(0, PAUSE_SPREAD) * MEDIAN_PAUSE_S), _hands_dwell_s
)
"""As people type: unevenly, but for a key that is held."""

fast = Rhythm(_each(lambda _: FAST_PAUSE_S), repeat_pause_s=FAST_PAUSE_S)
"""As fast as the server lets anybody type."""

Script = Callable[[random.Random], Rhythm]
"""Drawn for one participant. Keys are down as long as of people, so that pauses alone tell."""


def _pace_s(chance: random.Random) -> float:
    return chance.uniform(0.06, 0.4)


def _constant(chance: random.Random) -> Rhythm:
    pace_s = _pace_s(chance)
    # A timer fires a little late.
    return Rhythm(_each(lambda own: pace_s + own.expovariate(1) * 0.001), _hands_dwell_s)


def _uniform(chance: random.Random) -> Rhythm:
    pace_s, share = _pace_s(chance), chance.uniform(0.05, 0.95)
    return Rhythm(_each(lambda own: pace_s * own.uniform(1 - share, 1 + share)), _hands_dwell_s)


def _normal(chance: random.Random) -> Rhythm:
    pace_s, share = _pace_s(chance), chance.uniform(0.05, 0.5)
    return Rhythm(_each(lambda own: pace_s * own.gauss(1, share)), _hands_dwell_s)


def _exponential(chance: random.Random) -> Rhythm:
    pace_s = _pace_s(chance)
    return Rhythm(_each(lambda own: own.expovariate(1 / pace_s)), _hands_dwell_s)


def _replayed(chance: random.Random) -> Rhythm:
    recorded = list(islice(human.pauses_s(chance), RECORDED_KEYS))

    def pauses_s(own: random.Random) -> Iterator[float]:
        return (pause_s + own.expovariate(1) * 0.001 for pause_s in cycle(recorded))

    return Rhythm(pauses_s, _hands_dwell_s)


def _pasted(chance: random.Random) -> Rhythm:
    words = chance.randint(3, 30)

    def pauses_s(own: random.Random) -> Iterator[float]:
        for thinks_s in human.pauses_s(own):
            yield thinks_s
            for _ in range(own.randint(1, 2 * words)):
                yield PASTE_PAUSE_S + own.expovariate(1) * 0.001

    return Rhythm(pauses_s, _hands_dwell_s)


SCRIPTS: Mapping[str, Script] = MappingProxyType(
    {
        "constant gap": _constant,
        "uniform jitter": _uniform,
        "normal jitter": _normal,
        "exponential gaps": _exponential,
        "the same recording replayed": _replayed,
        "pasted in pieces": _pasted,
    }
)


def _gamma(chance: random.Random) -> Rhythm:
    pace_s, shape = _pace_s(chance), chance.uniform(2, 8)
    return Rhythm(_each(lambda own: own.gammavariate(shape, pace_s / shape)), _hands_dwell_s)


def _log_normal(chance: random.Random) -> Rhythm:
    pace_s, spread = _pace_s(chance), chance.uniform(0.3, 0.6)
    return Rhythm(_each(lambda own: pace_s * own.lognormvariate(0, spread)), _hands_dwell_s)


def _still_fingers(chance: random.Random) -> Rhythm:
    dwell_s = chance.uniform(0.02, 0.1)
    return Rhythm(human.pauses_s, lambda own: dwell_s + own.expovariate(1) * 0.0005)


# A script that knows what hands are like.
IN_DISGUISE: Mapping[str, Script] = MappingProxyType(
    {
        "pauses of hands, keys down equally long": _still_fingers,
        "gamma gaps": _gamma,
        "log-normal gaps": _log_normal,
        "a person's recording, played once": lambda _: human,
    }
)
