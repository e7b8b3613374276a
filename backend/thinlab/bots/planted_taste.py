"""How good recordings have to sound for bots to weigh damage against delay as somebody planted it.

A bot that minds both hears of each recording u + θ v: how much it has of the plan's `delay_metric`
(u), and of `weighed_against` (v), of which a unit is worth θ units of u. Between two it chooses by
the difference, in log odds, and what it rates alone it rates by the same, from the middle of the
scale on. Who finds a recording good or bad beyond that is nobody here: bots differ by chance alone.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from typing import Any

from thinlab.contract.columns import SESSION_COLUMNS, flatten, named

# Between the best and the worst recording of the study: the ends of a scale from 1 to 5 are hardly
# reached, where answers would tell less of how much worse one is than the other.
LOG_ODDS_APART = 3.0


class NothingWeighedError(Exception):
    """The study's plan does not weigh one metric of what is heard against another."""


def utilities_of(
    definition: Mapping[str, Any], results: Mapping[int, Mapping[str, Any] | None], worth: float
) -> dict[int, float]:
    """Of each recording, by its id; `worth`: of a unit of the one in units of the other.

    `results`: what was measured of it; none of a reference, which was sent nowhere and so is
    neither late nor damaged. Raises `NothingWeighedError`.
    """
    plan = definition["analysis"] or {}
    names = (plan.get("delay_metric") or "", plan.get("weighed_against") or "")
    try:
        columns = named(SESSION_COLUMNS, *names)
    except KeyError as error:
        raise NothingWeighedError from error
    worse = {id_: _worse(flatten(columns, result or {}), worth) for id_, result in results.items()}
    best, worst = min(worse.values(), default=0.0), max(worse.values(), default=0.0)
    if best == worst:
        return dict.fromkeys(worse, 0.0)
    step = LOG_ODDS_APART / (worst - best)
    return {id_: step * ((best + worst) / 2 - one) for id_, one in worse.items()}


def _worse(measured: Mapping[str, float | None], worth: float) -> float:
    """Agents tell damage only where there is some."""
    late, damaged = (value or 0.0 for value in measured.values())
    return late + worth * damaged
