"""The mixed model's likelihood: its gradient, what is known of it, R's fit of the same votes."""

import numpy as np
import pytest
from scipy import special

from thinlab.analysis.delay import ordinal
from thinlab.analysis.delay.laplace import Laplace, Parameters
from thinlab.analysis.delay.observed import observe
from thinlab.analysis.simulated.thresholds import RIGHT, Design, planted_slope, study_votes
from thinlab.study.scale import ScaleKind


def votes(seed: int, people: int = 12, recordings: int = 8) -> Laplace:
    chance = np.random.default_rng(seed)
    person = np.repeat(np.arange(people), recordings)
    recording = np.tile(np.arange(recordings), people)
    delay = np.linspace(0, 1, recordings)[recording]
    order = chance.choice([-0.5, 0.5], size=len(person))
    eta = 2 * delay + 0.4 * order + 0.8 * chance.normal(size=people)[person]
    eta += 0.5 * chance.normal(size=recordings)[recording]
    cuts = np.array([-0.5, 0.8, 2.0])
    answer = (eta[:, None] + chance.logistic(size=(len(eta), 1)) > cuts).sum(axis=1)
    return Laplace(answer, np.column_stack([delay, order]), person, recording)


AT = Parameters(np.array([-0.4, 0.9, 1.7]), np.array([1.5, 0.2]), 0.7, 0.4)


@pytest.mark.parametrize("spreads", [(0.7, 0.4), (1.5, 0.01), (0.0, 0.8)])
def test_the_gradient_is_that_of_the_value(spreads: tuple[float, float]) -> None:
    laplace = votes(1)
    flat = np.concatenate([AT.flat[:-2], spreads])
    _, gradient = laplace.value_and_gradient(laplace.parameters(flat))
    step = 1e-5
    for place in range(len(flat)):
        sides = []
        for sign in (1, -1):
            moved = flat.copy()
            moved[place] += sign * step
            sides.append(laplace.value_and_gradient(laplace.parameters(moved))[0])
        assert gradient[place] == pytest.approx((sides[0] - sides[1]) / (2 * step), abs=2e-6)


def test_without_random_effects_it_is_the_plain_cumulative_logit() -> None:
    laplace = votes(2)
    at = Parameters(AT.cutpoints, AT.effects, 0.0, 0.0)
    value, _ = laplace.value_and_gradient(at)
    ends = np.concatenate([[-np.inf], at.cutpoints, [np.inf]])
    eta = laplace.x @ at.effects
    shares = special.expit(ends[laplace.answer + 1] - eta) - special.expit(
        ends[laplace.answer] - eta
    )
    assert value == pytest.approx(np.log(shares).sum(), rel=1e-12)


def test_one_random_effect_agrees_with_the_integral() -> None:
    """Of many votes each, Laplace's approximation is close to Gauss and Hermite's."""
    laplace = votes(3, people=5, recordings=60)
    at = Parameters(AT.cutpoints, AT.effects, 0.7, 0.0)
    value, _ = laplace.value_and_gradient(at)
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    ends = np.concatenate([[-np.inf], at.cutpoints, [np.inf]])
    exact = 0.0
    for person in range(5):
        mine = laplace.person == person
        eta = (laplace.x[mine] @ at.effects)[:, None] + at.people * nodes
        answer = laplace.answer[mine][:, None]
        shares = special.expit(ends[answer + 1] - eta) - special.expit(ends[answer] - eta)
        heights = np.log(shares).sum(axis=0)
        top = heights.max()
        exact += top + np.log(weights @ np.exp(heights - top) / weights.sum())
    assert value == pytest.approx(exact, abs=0.02)


def test_cutpoints_that_fall_have_no_likelihood() -> None:
    laplace = votes(4)
    value, gradient = laplace.value_and_gradient(
        Parameters(np.array([0.5, 0.1, 2.0]), AT.effects, 0.7, 0.4)
    )
    assert value == -np.inf
    assert not gradient.any()


def test_votes_so_far_off_that_shares_vanish_still_have_a_likelihood() -> None:
    laplace = votes(5)
    value, gradient = laplace.value_and_gradient(
        Parameters(AT.cutpoints, np.array([300.0, 0.0]), 0.1, 0.1)
    )
    assert np.isfinite(value)
    assert np.isfinite(gradient).all()


# `clmm` of R's package ordinal, as Debian 12 has it, on the votes that are made here: the
# log-likelihood; cutpoints, slope and order effect; standard deviations of participants and
# recordings. Made once; docs/analysis.md says how.
OF_R = {
    "ccr": (
        -294.92754801,
        [-3.18601142, -1.91193293, -0.84944015, 1.14920427, 2.2225422, 4.1860421],
        [2.60992791, 0.39216199],
        [0.27203222, 0.34133807],
    ),
    "acr": (
        -274.21048198,
        [-3.77433815, -2.4742418, -1.20393215, 0.52137792],
        [-3.82323413],
        [0.69799546, 0.15318034],
    ),
}


@pytest.mark.parametrize("scale", ["ccr", "acr"])
def test_fits_are_those_of_r(scale: ScaleKind) -> None:
    design = Design(scale, participants=24, trials=8)
    votes = study_votes(design, planted_slope(design), np.random.default_rng(11))
    found = ordinal.fit(observe(scale, votes, RIGHT))
    assert found is not None
    likelihood, cutpoints, effects, spreads = OF_R[scale]
    assert found.log_likelihood == pytest.approx(likelihood, abs=2e-6)
    assert found.at.cutpoints == pytest.approx(np.array(cutpoints), abs=1e-4)
    assert found.at.effects == pytest.approx(np.array(effects), abs=1e-4)
    assert [found.at.people, found.at.recordings] == pytest.approx(spreads, abs=1e-4)
