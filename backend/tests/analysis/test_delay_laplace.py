"""The mixed model's likelihood: its gradient, what is known of it, R's fit of the same votes."""

import numpy as np
import pytest
from scipy import special

from thinlab.analysis.delay.laplace import Laplace, Parameters


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
