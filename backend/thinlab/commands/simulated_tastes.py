"""`thinlab study tastes`: how often a planted taste lies in the interval of what is told of it.

SPDX-License-Identifier: Apache-2.0
"""

from itertools import product
from typing import TYPE_CHECKING, Literal

import typer

from thinlab.commands.simulated_thresholds import LEAST, MOST, SURE

if TYPE_CHECKING:
    from thinlab.analysis.simulated.tastes import Recovered

# People to whom damage is nearly nothing, as bad as waiting, and much worse.
TASTES = (0.3, 1.0, 3.0)
SCALES: tuple[Literal["preference", "acr"], ...] = ("preference", "acr")


def tastes(studies: int, seed: int) -> bool:
    """Prints a line for each taste; whether all are within the bounds."""
    from thinlab.analysis.simulated.tastes import Taste, recovered

    typer.echo(
        "What a unit of damage is worth in units of lateness, planted and in its 95 % interval:\n"
        f"{'scale':<10}  {'planted':>7}  {'studies':>7}  {'told':>6}  {'inside':>7}"
    )
    fine = True
    for scale, worth in product(SCALES, TASTES):
        found = recovered(Taste(worth, scale), studies, seed)
        inside = f"{100 * found.inside / found.told:5.1f} %" if found.told else "      -"
        is_fine = _is_fine(found)
        remark = "" if is_fine else f"  not within {LEAST:.1%} … {MOST:.1%}"
        typer.echo(f"{scale:<10}  {worth:7g}  {found.studies:7}  {found.told:6}  {inside}{remark}")
        fine = fine and is_fine
    return fine


def _is_fine(found: "Recovered") -> bool:
    from scipy import stats

    if not found.told:
        return False
    low, high = stats.binomtest(found.inside, found.told).proportion_ci(SURE)
    return bool(low <= MOST and high >= LEAST)
