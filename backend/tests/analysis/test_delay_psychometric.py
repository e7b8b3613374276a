"""The psychometric function: what is planted comes out, and what is not delay does not."""

from dataclasses import replace

import numpy as np
import pytest

from thinlab.analysis.delay import psychometric
from thinlab.analysis.delay.observed import LESS, MORE, NEITHER, Observed, observe, rounded
from thinlab.analysis.simulated.thresholds import RIGHT, Design, study_votes

NOBODY_DIFFERS = Design(
    "preference", participants=200, listeners_differ=0.0, recordings_differ=0.0, lapses=0.04
)


def made(design: Design, slope: float, seed: int) -> Observed:
    votes = study_votes(design, slope, np.random.default_rng(seed))
    return observe("preference", votes, RIGHT)


def test_slope_order_ties_and_lapses_come_out_as_planted() -> None:
    curve = psychometric.curve_of(made(NOBODY_DIFFERS, 8.0, 1))
    assert curve.slope == pytest.approx(8.0, rel=0.12)
    assert curve.order == pytest.approx(0.3, abs=0.15)
    assert curve.tie == pytest.approx(-0.5, abs=0.3)
    assert 0.02 < curve.lapse <= psychometric.MOST_LAPSES
    assert curve.threshold == pytest.approx(np.log(3) / curve.slope)


def test_the_threshold_is_where_three_in_four_choose_the_less_delayed_without_lapses() -> None:
    curve = psychometric.curve_of(made(NOBODY_DIFFERS, 8.0, 2))
    there = np.array([curve.threshold])
    assert replace(curve, lapse=0.0).share(there)[0] == pytest.approx(0.75)
    assert curve.share(there)[0] < 0.75
    assert curve.share(np.array([0.0]))[0] == pytest.approx(0.5)


def test_a_forced_choice_has_no_weight_of_ties() -> None:
    observed = made(NOBODY_DIFFERS, 6.0, 3)
    forced = observed.part(observed.answer != NEITHER)
    curve = psychometric.curve_of(forced)
    assert curve.tie is None
    assert curve.slope > 0


def test_leaning_to_the_first_is_no_slope() -> None:
    """Everybody chooses the first, whatever it is: sides are balanced."""
    observed = made(replace(NOBODY_DIFFERS, order=4.0), 0.0, 4)
    found = psychometric.fit(observed, 0.95)
    assert found.slope.low is not None
    assert found.slope.high is not None
    assert found.slope.low < 0 < found.slope.high


def test_units_change_the_slope_and_nothing_else() -> None:
    observed = made(Design("preference"), 5.0, 5)
    found = psychometric.fit(observed, 0.95)
    scaled = psychometric.fit(replace(observed, delay=1000 * observed.delay), 0.95)
    assert scaled.slope.value == pytest.approx(found.slope.value / 1000, rel=1e-4)
    assert scaled.slope.low == pytest.approx((found.slope.low or 0) / 1000, rel=1e-3)


def test_who_all_choose_the_less_delayed_set_the_slope_no_bound() -> None:
    observed = made(Design("preference"), 5.0, 6)
    alike = replace(observed, answer=np.full_like(observed.answer, LESS))
    assert psychometric.fit(alike, 0.95).separated
    against = replace(observed, answer=np.full_like(observed.answer, MORE))
    found = psychometric.fit(against, 0.95)
    assert found.separated
    assert found.slope.value < 0
    assert found.curve.threshold == np.inf


def test_a_curve_far_out_stays_a_share() -> None:
    curve = psychometric.Curve(1e6, 0.0, 300.0, 0.0)
    share = curve.share(np.array([0.0, 1e-9, 1.0, 1e6]))
    assert np.isfinite(share).all()
    assert share[-1] == pytest.approx(1.0)


def test_many_values_are_taken_in_steps() -> None:
    values = np.random.default_rng(7).random(5000)
    steps = rounded(values)
    assert len(np.unique(steps)) <= 251
    assert abs(steps - values).max() <= 0.5 / 250
