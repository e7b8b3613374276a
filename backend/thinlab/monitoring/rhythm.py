"""Whether hands typed, or a script: told from when keys were pressed and released. Pure.

Of hands, gaps between keys vary by much, more upwards than downwards, and not twice in the same
way: their logarithms are about normal or logistic (González et al. 2021,
doi:10.1016/j.heliyon.2021.e08413), and keys are down for times that differ as well (Dhakal et al.
2018, doi:10.1145/3173574.3174220, of 136 million keystrokes). A script gives itself away in one of
these. One that draws its gaps from such a distribution itself, or plays a person's own gaps once,
cannot be told from a person by anything in here.

Only gaps between two different characters count: the same key tapped again and again, as an arrow
is, comes evenly from anybody. Made once, when a session ends, and kept with it; `verdict_of` puts
a participant's sessions together.

SPDX-License-Identifier: Apache-2.0
"""

import math
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Protocol

from pydantic import BaseModel, ConfigDict, Field, JsonValue

# Of one session; what is shorter adds nothing.
LEAST_GAPS = 20
# Of all sessions together: nobody is judged by fewer.
LEAST_JUDGED = 100
# Whoever waits longer thinks, or looks away.
PAUSE_MS = 2_000.0
# No hand presses many keys so soon after another: two fingers do now and then, a paste always.
BURST_MS = 15.0
# Gaps that differ by less than this share of the median are the same once more.
SAME_SHARE = 0.1
# Shares of gaps, and of the sessions' gaps, from which on a sign counts.
BURST_SHARE_LIMIT = 0.2
AGAIN_SHARE_LIMIT = 0.5
SESSIONS_SHARE = 0.5
# Half as many as an exponential distribution has below a quarter of its median, 1 − 2^(−1/4).
SHORT_SHARE_LIMIT = 0.08
# Standard deviation of the logarithms, as the quartiles have it. Copying, people have 0.3 to 0.6.
SPREAD_LIMIT = 0.2
# Between the 10th and 90th percentile of how long keys were down. Of people it is about 60 ms.
DWELL_SPREAD_LIMIT_MS = 3.0
# Of a difference of AIC: the other model has “essentially no support” (Burnham and Anderson 2002,
# Model Selection and Multimodel Inference, section 2.6).
NO_SUPPORT = 10.0
# A page's clock and a script's timer are no finer.
RESOLUTION_MS = 1.0
QUARTILES_IN_SD = 1.349
# Dimensionless, as UCUM writes it.
NO_UNIT: dict[str, JsonValue] = {"x-unit": "1", "x-source": ""}
# The latest gaps of each session: all pairs of them are looked at.
COMPARED_LIMIT = 2_000


class Press(Protocol):
    """As much of a key as its rhythm needs; instants by one clock."""

    @property
    def at_us(self) -> int:
        """When it was pressed."""

    @property
    def released_at_us(self) -> int | None:
        """When it was released; None: unseen."""

    @property
    def data(self) -> str:
        """What it writes."""

    @property
    def kind(self) -> str:
        """One of `thinlab.live.messages.KeyKind`."""

    @property
    def repeat(self) -> bool:
        """Whether it came because it was held."""


class Rhythm(BaseModel):
    """How the keys of one session came: numbers only, and nothing of what was typed."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    gaps: int = Field(description="gaps between different characters that the rhythm is told from")
    spread: float = Field(
        description="standard deviation of the gaps' natural logarithms, from their quartiles",
        json_schema_extra=NO_UNIT,
    )
    burst_share: float = Field(
        description=f"share of gaps below {BURST_MS:g} ms, which hands seldom manage"
    )
    short_share: float = Field(
        description="share of gaps below a quarter of their median, or below "
        f"{BURST_MS:g} ms: an exponential distribution has 16 %, hands have few"
    )
    again_share: float = Field(
        description="share of gaps that are the same as so many keys before, in this session or "
        "an earlier one, at the distance where most are"
    )
    dwell_spread_ms: float | None = Field(
        description="from the 10th to the 90th percentile of how long keys were down"
    )
    uniform_preferred: float = Field(
        description="by how much AIC prefers a uniform distribution of gaps to that of hands",
        json_schema_extra=NO_UNIT,
    )
    normal_preferred: float = Field(
        description="by how much AIC prefers a normal distribution of gaps to that of hands",
        json_schema_extra=NO_UNIT,
    )
    exponential_preferred: float = Field(
        description="by how much AIC prefers an exponential distribution of gaps, from the "
        "shortest on, to that of hands",
        json_schema_extra=NO_UNIT,
    )


class Sign(StrEnum):
    """What gives a script away."""

    EVEN = "even"
    BURSTS = "bursts"
    AGAIN = "again"
    DWELL = "dwell"
    UNIFORM = "uniform"
    NORMAL = "normal"
    EXPONENTIAL = "exponential"


class Verdict(BaseModel):
    """What a participant's sessions say together."""

    model_config = ConfigDict(frozen=True)

    gaps: int
    signs: tuple[Sign, ...]
    """None: nothing speaks against hands."""

    @property
    def is_judged(self) -> bool:
        """Whether there was enough to go by."""
        return self.gaps >= LEAST_JUDGED


def gaps_ms(presses_us: Iterable[int]) -> list[float]:
    """From key to key, in order."""
    return [(after - before) / 1000 for before, after in pairwise(presses_us)]


def rhythm_of(keys: Sequence[Press], earlier: Sequence[Sequence[float]] = ()) -> Rhythm | None:
    """One session's rhythm; none where too little was typed. Slow: not for the event loop.

    `earlier`: `gaps_ms` of the characters in each session before, repeats of held keys aside.
    """
    pressed = [key for key in keys if not key.repeat]
    gaps = sorted(
        (after.at_us - before.at_us) / 1000
        for before, after in pairwise(pressed)
        if before.kind == after.kind == "character" and before.data != after.data
    )
    gaps = [min(max(gap, RESOLUTION_MS), PAUSE_MS) for gap in gaps if gap <= PAUSE_MS]
    if len(gaps) < LEAST_GAPS:
        return None
    quarters = (_at(gaps, 0.25), _at(gaps, 0.75))
    return Rhythm(
        gaps=len(gaps),
        spread=math.log(quarters[1] / quarters[0]) / QUARTILES_IN_SD,
        burst_share=sum(gap < BURST_MS for gap in gaps) / len(gaps),
        short_share=sum(gap <= max(_at(gaps, 0.5) / 4, BURST_MS) for gap in gaps) / len(gaps),
        again_share=_again_share(
            gaps_ms(key.at_us for key in pressed if key.kind == "character"), earlier
        ),
        dwell_spread_ms=_dwell_spread_ms(pressed),
        **_preferred([gap for gap in gaps if gap >= BURST_MS]),
    )


def verdict_of(sessions: Sequence[Rhythm]) -> Verdict:
    """Sessions with most of the gaps have to show a sign; likelihoods of all are multiplied."""
    gaps = sum(one.gaps for one in sessions)
    if gaps < LEAST_JUDGED:
        return Verdict(gaps=gaps, signs=())

    def mostly(shows: Callable[[Rhythm], bool]) -> bool:
        return sum(one.gaps for one in sessions if shows(one)) >= SESSIONS_SHARE * gaps

    def preferred(difference: Callable[[Rhythm], float]) -> bool:
        return sum(difference(one) for one in sessions) > NO_SUPPORT

    # Its mark is that the shortest gaps are the most frequent ones, which they never are of hands;
    # the rest of it can be much like people who pause a lot.
    short = sum(one.short_share * one.gaps for one in sessions) >= SHORT_SHARE_LIMIT * gaps
    found = {
        Sign.EVEN: mostly(lambda one: one.spread < SPREAD_LIMIT),
        Sign.BURSTS: mostly(lambda one: one.burst_share > BURST_SHARE_LIMIT),
        Sign.AGAIN: mostly(lambda one: one.again_share >= AGAIN_SHARE_LIMIT),
        Sign.DWELL: mostly(
            lambda one: (
                one.dwell_spread_ms is not None and one.dwell_spread_ms < DWELL_SPREAD_LIMIT_MS
            )
        ),
        Sign.UNIFORM: preferred(lambda one: one.uniform_preferred),
        Sign.NORMAL: preferred(lambda one: one.normal_preferred),
        Sign.EXPONENTIAL: preferred(lambda one: one.exponential_preferred) and short,
    }
    return Verdict(gaps=gaps, signs=tuple(sign for sign, shown in found.items() if shown))


def _at(ordered: Sequence[float], share: float) -> float:
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def _preferred(gaps: Sequence[float]) -> dict[str, float]:
    """By how much AIC prefers what scripts draw from; `gaps` without those of two fingers at once.

    These say nothing of a distribution, and to a logarithm would say a lot. What is exponential
    stays so without its beginning.
    """
    scripts = {"uniform": _uniform, "normal": _normal, "exponential": _exponential}
    hand = max(_log_normal(gaps), _log_logistic(gaps)) if gaps else 0.0
    # All have two parameters, so that AIC is about the likelihood alone.
    return {
        f"{name}_preferred": 2 * (likelihood(gaps) - hand) if gaps else 0.0
        for name, likelihood in scripts.items()
    }


def _dwell_spread_ms(pressed: Sequence[Press]) -> float | None:
    down = sorted(
        (key.released_at_us - key.at_us) / 1000 for key in pressed if key.released_at_us is not None
    )
    # Pages that do not tell of every release would be judged by chance.
    if len(down) < max(LEAST_GAPS, len(pressed) / 2):
        return None
    return _at(down, 0.9) - _at(down, 0.1)


def _again_share(gaps: Sequence[float], earlier: Sequence[Sequence[float]]) -> float:
    """Where the gaps are compared with themselves and all earlier ones, at the best distance."""
    import numpy as np  # noqa: PLC0415 (takes a moment to load)

    own = np.asarray(gaps[-COMPARED_LIMIT:])
    near = SAME_SHARE * float(np.median(own))
    least = max(LEAST_GAPS, len(own) // 2)
    best = 0.0
    for other in (gaps, *earlier):
        before = np.asarray(other[-COMPARED_LIMIT:])
        size, width = len(own), len(own) + len(before)
        # Each row one further to the right: what is equally far apart is one column.
        skewed = np.zeros((size, width), dtype=bool)
        skewed[:, : len(before)] = np.abs(own[::-1, None] - before[None, :]) < near
        same = skewed.ravel()[: size * (width - 1)].reshape(size, width - 1).sum(axis=0)
        column = np.arange(width - 1)
        compared = np.minimum(column + 1, width - 1 - column).clip(max=min(size, len(before)))
        fits = compared >= least
        if other is gaps:
            # At no distance from itself everything is the same.
            fits &= column < size - 1
        best = max(best, float((same[fits] / compared[fits]).max(initial=0.0)))
    return best


def _log_normal(gaps: Sequence[float]) -> float:
    logs = [math.log(gap) for gap in gaps]
    return _normal_of(logs, least=0.01) - sum(logs)


def _log_logistic(gaps: Sequence[float]) -> float:
    """By moments, which is near enough to the likelihood's own maximum."""
    logs = [math.log(gap) for gap in gaps]
    mean, deviation = _moments(logs)
    scale = max(deviation, 0.01) * math.sqrt(3) / math.pi
    steps = [(one - mean) / scale for one in logs]
    # Written so that no exponential overflows.
    density = sum(-abs(step) - 2 * math.log1p(math.exp(-abs(step))) for step in steps)
    return density - len(logs) * math.log(scale) - sum(logs)


def _normal(gaps: Sequence[float]) -> float:
    return _normal_of(gaps, least=RESOLUTION_MS)


def _normal_of(values: Sequence[float], least: float) -> float:
    _, deviation = _moments(values)
    kept = max(deviation, least)
    inner = (deviation / kept) ** 2
    return -len(values) * (math.log(kept) + (math.log(2 * math.pi) + inner) / 2)


def _uniform(gaps: Sequence[float]) -> float:
    return -len(gaps) * math.log(max(max(gaps) - min(gaps), RESOLUTION_MS))


def _exponential(gaps: Sequence[float]) -> float:
    mean, _ = _moments(gaps)
    beyond = max(mean - min(gaps), RESOLUTION_MS)
    return -len(gaps) * (math.log(beyond) + (mean - min(gaps)) / beyond)


def _moments(values: Sequence[float]) -> tuple[float, float]:
    mean = sum(values) / len(values)
    return mean, math.sqrt(sum((one - mean) ** 2 for one in values) / len(values))
