"""A short form of `backend/delay-thresholds`: planted thresholds lie in their intervals."""

import pytest
from scipy import stats

from thinlab.analysis.simulated.thresholds import Design, coverage, planted_slope
from thinlab.study.scale import ScaleKind

STUDIES = 40


@pytest.mark.long
@pytest.mark.parametrize("scale", ["preference", "ccr", "acr"])
def test_planted_thresholds_lie_in_their_intervals(scale: ScaleKind) -> None:
    found = coverage(Design(scale), STUDIES, compared=10, seed=7)
    assert found.told > 0.8 * STUDIES
    low, high = stats.binomtest(found.inside, found.told).proportion_ci(0.999)
    assert low <= 0.95 <= high
    assert found.wrong_preferred < found.compared / 2


def test_who_differ_are_flatter_than_a_typical_listener() -> None:
    alike = Design("preference", listeners_differ=0.0, recordings_differ=0.0)
    assert planted_slope(Design("preference")) > planted_slope(alike)
