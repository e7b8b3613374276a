"""`thinlab study thresholds`: how often planted thresholds lie in their intervals.

SPDX-License-Identifier: Apache-2.0
"""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from thinlab.analysis.simulated.thresholds import Coverage

# Of intervals of 95 %: what chance alone leaves of the rate in 2000 studies.
LEAST, MOST = 0.939, 0.961
# So sure is it that a rate lies outside, and does not only seem to in so many studies.
SURE = 0.99

Studies = Annotated[int, typer.Option(min=1, help="How many studies of each scale, or taste.")]
Compared = Annotated[
    int, typer.Option(min=0, help="In how many of them metrics are compared, which takes longest.")
]


def thresholds(studies: int, compared: int, seed: int) -> bool:
    """Prints a line for each scale; whether all are within the bounds."""
    from thinlab.analysis.simulated.thresholds import Design, coverage

    typer.echo(
        "Planted thresholds in their 95 % interval, and the wrong one of two metrics found to "
        "predict best:\n"
        f"{'scale':12}  {'studies':>7}  {'told':>6}  {'inside':>7}  {'compared':>8}  {'wrong':>6}"
    )
    fine = True
    for design in (Design("preference"), Design("ccr"), Design("acr")):
        found = coverage(design, studies, compared, seed)
        typer.echo(_line(found))
        fine = fine and _is_fine(found)
    return fine


def _line(found: "Coverage") -> str:
    wrong = f"{100 * found.wrong_preferred / found.compared:4.1f} %" if found.compared else "     -"
    inside = f"{100 * found.inside / found.told:5.1f} %" if found.told else "      -"
    remark = "" if _is_fine(found) else f"  not within {LEAST:.1%} … {MOST:.1%}, or not told apart"
    return (
        f"{found.design.scale:12}  {found.studies:7}  {found.told:6}  {inside}  "
        f"{found.compared:8}  {wrong}{remark}"
    )


def _is_fine(found: "Coverage") -> bool:
    from scipy import stats

    if not found.told:
        return False
    low, high = stats.binomtest(found.inside, found.told).proportion_ci(SURE)
    fine = bool(low <= MOST and high >= LEAST)
    if found.compared:
        fine = fine and found.wrong_preferred < found.compared / 2
    return fine
