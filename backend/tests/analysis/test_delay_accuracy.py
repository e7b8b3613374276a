"""P.1401's figures by hand, and that nothing is fitted to what it predicts."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from thinlab.analysis.delay import accuracy as told
from thinlab.analysis.delay.observed import LESS, MORE, Observed, observe
from thinlab.analysis.simulated.thresholds import RIGHT, Design, planted_slope, study_votes


def made(scale: str, seed: int) -> Observed:
    design = Design(scale)  # type: ignore[arg-type]  # spelt out in the tests
    votes = study_votes(design, planted_slope(design), np.random.default_rng(seed))
    return observe(design.scale, votes, RIGHT)


def test_the_figures_by_hand() -> None:
    value = np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    reach = np.array([0.2, 0.2, 0.2, 0.2, 0.2])
    predicted = np.array([1.1, 2.5, 3.0, 3.7, 5.0])
    found = told.figures(value, reach, predicted, 0.95)
    assert found.rmse.value == pytest.approx(np.sqrt((0.01 + 0.25 + 0.09) / 4))
    assert found.rmse_star.value == pytest.approx(np.sqrt((0.3**2 + 0.1**2) / 4))
    assert found.outliers.value == 2 / 5
    assert found.rmse.low == pytest.approx(found.rmse.value * np.sqrt(4 / stats.chi2.ppf(0.975, 4)))
    assert found.rmse.high == pytest.approx(
        found.rmse.value * np.sqrt(4 / stats.chi2.ppf(0.025, 4))
    )
    correlation = float(np.corrcoef(value, predicted)[0, 1])
    assert found.correlation is not None
    assert found.correlation.value == pytest.approx(correlation)
    assert found.correlation.low == pytest.approx(
        np.tanh(np.arctanh(correlation) - 1.959964 / np.sqrt(2)), abs=1e-6
    )


def test_alike_predictions_have_no_correlation() -> None:
    found = told.figures(np.array([1.0, 2, 3, 4]), np.full(4, 0.1), np.full(4, 2.0), 0.95)
    assert found.correlation is None


@pytest.mark.parametrize("scale", ["preference", "ccr", "acr"])
def test_what_a_recording_gets_does_not_change_what_is_predicted_of_it(scale: str) -> None:
    observed = made(scale, 1)
    recordings, number = told.judged(observed)
    before = told._predicted(observed, recordings, number)
    mine = number == 3
    other = {"preference": MORE, "ccr": -3, "acr": 1}[scale]
    changed = replace(observed, answer=np.where(mine, other, observed.answer))
    recordings, number = told.judged(changed)
    after = told._predicted(changed, recordings, number)
    assert after[3] == pytest.approx(before[3], abs=1e-12)
    fold = np.arange(len(before)) % told.MOST_FOLDS
    others = fold != fold[3]
    assert abs(after[others] - before[others]).max() > 1e-4


@pytest.mark.parametrize("scale", ["preference", "ccr", "acr"])
def test_recordings_are_predicted_by_what_moves_their_votes(scale: str) -> None:
    found = told.accuracy(made(scale, 2), 0.95)
    assert found is not None
    assert found.correlation is not None
    assert found.correlation.low > 0.2


def test_b_against_a_is_judged_whichever_is_the_less_delayed() -> None:
    observed = made("preference", 3)
    # Exchange what is called a and b of half of the recordings.
    other = np.array([hash(name) % 2 == 0 for name in observed.recordings])
    exchanged = replace(observed, b_less=observed.b_less ^ other)
    plain, turned = (told.judged(one)[0] for one in (observed, exchanged))
    assert (np.sign(turned.delay) * np.sign(plain.delay)).min() == -1
    for one, two in zip(plain.value, turned.value, strict=True):
        assert two == pytest.approx(one) or two == pytest.approx(1 - one)


def test_few_recordings_have_no_figures() -> None:
    observed = made("preference", 4)
    few = observed.part(np.isin(observed.recordings, observed.recordings[:3]))
    assert told.accuracy(few, 0.95) is None


def test_undecided_recordings_are_left_out() -> None:
    observed = made("preference", 5)
    name = observed.recordings[0]
    nobody = np.array(observed.recordings) == name
    found = told.judged(replace(observed, answer=np.where(nobody, 2, observed.answer)))[0]
    assert len(found.value) == len(set(observed.recordings)) - 1
    assert np.isfinite(found.value).all()
    assert LESS == 0
