"""Boundaries are those of published tables, and keep the level when looks are simulated."""

import numpy as np
import pytest
from scipy import stats

from thinlab.analysis.boundary import FAR, Sides, critical_values, nominal, spent
from thinlab.analysis.looks import Levels, Schedule

# Two-sided, 5 %, equal increments, spending on either side like O'Brien and Fleming's: as Lan and
# DeMets' own program (ldbounds) and gsDesign (sfLDOF) print them.
PUBLISHED = {
    2: [2.963, 1.969],
    3: [3.710, 2.511, 1.993],
    4: [4.333, 2.963, 2.359, 2.014],
    5: [4.877, 3.357, 2.680, 2.290, 2.031],
}
# Pocock's and O'Brien and Fleming's own constants: Jennison and Turnbull (2000), tables 2.1 and
# 2.3, alpha = 0.05. Their boundaries are no spending functions, but must spend 5 % all told.
POCOCK = {2: 2.178, 3: 2.289, 4: 2.361, 5: 2.413}
OBRIEN_FLEMING = {2: 1.977, 3: 2.004, 4: 2.024, 5: 2.040}


def equal(looks: int) -> list[float]:
    return [number / looks for number in range(1, looks + 1)]


@pytest.mark.parametrize("looks", PUBLISHED)
def test_boundaries_are_the_published_ones(looks: int) -> None:
    fractions = equal(looks)
    found = critical_values(fractions, [spent(one, 0.05) for one in fractions])
    assert found == pytest.approx(PUBLISHED[looks], abs=0.0011)


def spent_by(boundary: list[float], fractions: list[float], sides: Sides = 2) -> float:
    """How much a given boundary spends: the level at which `critical_values` gives it."""
    total: list[float] = []
    for critical in boundary:
        low, high = (total[-1] if total else 0.0), 1.0
        for _ in range(30):
            middle = (low + high) / 2
            found = critical_values(fractions[: len(total) + 1], [*total, middle], sides)[-1]
            low, high = (middle, high) if found > critical else (low, middle)
        total.append((low + high) / 2)
    return total[-1]


@pytest.mark.parametrize("looks", [2, 3, 4, 5])
def test_boundaries_of_others_spend_what_they_say(looks: int) -> None:
    fractions = equal(looks)
    flat = spent_by([POCOCK[looks]] * looks, fractions)
    assert flat == pytest.approx(0.05, abs=0.0002)
    steep = [OBRIEN_FLEMING[looks] / np.sqrt(one) for one in fractions]
    assert spent_by(steep, fractions) == pytest.approx(0.05, abs=0.0002)


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("fractions", [[0.5, 1.0], [0.2, 0.3, 0.9, 1.0], [0.49, 0.5, 0.51, 1.0]])
def test_any_looks_together_find_as_much_as_is_spent(fractions: list[float], sides: Sides) -> None:
    boundary = critical_values(fractions, [spent(one, 0.05, sides) for one in fractions], sides)
    chance = np.random.default_rng(1)
    steps = np.sqrt(np.diff([0.0, *fractions]))
    studies = 200_000
    sums = np.cumsum(chance.normal(size=(studies, len(fractions))) * steps, axis=1)
    statistics = sums / np.sqrt(fractions)
    beyond = (np.abs(statistics) if sides == 2 else statistics) >= boundary
    found = int(beyond.any(axis=1).sum())
    assert stats.binomtest(found, studies, 0.05).pvalue > 0.001


def test_one_look_is_the_ordinary_test() -> None:
    assert critical_values([1.0], [0.05]) == pytest.approx([1.959964], abs=1e-6)
    assert critical_values([7.0], [0.05], 1) == pytest.approx([1.644854], abs=1e-6)
    assert nominal(1.959964) == pytest.approx(0.05, abs=1e-7)


def test_nothing_spent_is_nothing_found() -> None:
    assert critical_values([0.01, 1.0], [spent(0.01, 0.05), 0.05])[0] == FAR
    assert spent(0.0, 0.05) == 0.0
    assert spent(1.2, 0.05) == 0.05
    # Nothing is given back where less was to be spent than before.
    assert critical_values([0.5, 1.0], [0.05, 0.01])[1] == FAR


@pytest.mark.parametrize("information", [[0.0, 1.0], [0.5, 0.5], [0.6, 0.5], [-1.0]])
def test_information_has_to_rise(information: list[float]) -> None:
    with pytest.raises(ValueError, match="has to rise"):
        critical_values(information, [0.01] * len(information))


def test_levels_come_from_who_is_analysed_and_not_from_the_plan() -> None:
    planned = Schedule(100).levels(50, 0.95, last=False)
    fewer = Schedule(100).levels(40, 0.95, last=False)
    assert planned.two_sided == pytest.approx(0.00305, abs=1e-5)
    assert fewer.two_sided < planned.two_sided
    assert planned.two_sided < planned.one_sided < 0.05
    # The last look may spend all that is left, however many came.
    for at_the_end in (80, 100, 130):
        last = Schedule(100, (50,)).levels(at_the_end, 0.95, last=True)
        assert 0.048 < last.two_sided < 0.05
    assert Schedule(100).levels(37, 0.95, last=True) == Levels(
        pytest.approx(0.05),  # type: ignore[arg-type]
        pytest.approx(0.05),  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("analysed", [0, 49, 50])
def test_a_look_that_adds_nobody_finds_nothing(analysed: int) -> None:
    found = Schedule(100, (50,)).levels(analysed, 0.95, last=True)
    assert found.two_sided < 1e-9
    assert found.one_sided < 1e-9
