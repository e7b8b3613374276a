"""`thinlab study staircases`: how often adaptive blocks tell a planted threshold.

SPDX-License-Identifier: Apache-2.0
"""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from thinlab.questplus.simulated import Coverage

# Of intervals of 95 %: what chance alone leaves of the rate in 2000 staircases.
LEAST, MOST = 0.939, 0.961
# So sure is it that a rate lies outside, and does not only seem to in so many staircases.
SURE = 0.99
PEOPLE = 12

Observers = Annotated[int, typer.Option(min=1, help="How many observers, one staircase each.")]
Groups = Annotated[int, typer.Option(min=0, help=f"How many groups of {PEOPLE} people.")]


def staircases(observers: int, groups: int, seed: int) -> bool:
    """Prints a line for each design; whether all are within the bounds."""
    from thinlab.questplus.simulated import DESIGNS, coverage

    typer.echo(
        "Planted thresholds in their 95 % credible interval, and the mean of a group in its own;\n"
        f"with the {SURE:.0%} bounds of chance. sd: of a person's posterior, in decades.\n"
        f"{'design':30}  {'inside':>7}  {'bounds':>15}  {'sd':>5}  {'groups':>7}  {'bounds':>15}"
    )
    fine = True
    for design in DESIGNS:
        found = coverage(design, observers, groups, PEOPLE, seed)
        typer.echo(_line(found))
        fine = fine and _is_fine(found)
    return fine


def _line(found: "Coverage") -> str:
    of_groups = _share(found.group_inside, found.groups) if found.groups else ""
    remark = "" if _is_fine(found) else f"  not within {LEAST:.1%} … {MOST:.1%}"
    return (
        f"{found.design.name:30}  {_share(found.inside, found.observers)}  {found.mean_sd:5.3f}"
        f"  {of_groups}{remark}"
    )


def _share(inside: int, of: int) -> str:
    low, high = _bounds(inside, of)
    return f"{inside / of:7.1%}  {low:6.1%} … {high:6.1%}"


def _bounds(inside: int, of: int) -> tuple[float, float]:
    from scipy import stats

    low, high = stats.binomtest(inside, of).proportion_ci(SURE)
    return float(low), float(high)


def _is_fine(found: "Coverage") -> bool:
    low, high = _bounds(found.inside, found.observers)
    fine = low <= MOST and high >= LEAST
    if found.groups:
        # A flat prior on how much people differ makes intervals of small groups wide: never too
        # narrow is what is asked of them.
        fine = fine and _bounds(found.group_inside, found.groups)[1] >= LEAST
    return fine
