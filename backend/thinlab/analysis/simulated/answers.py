"""Answers of listeners who differ, to recordings that differ.

Every recording of a pair has an effect of its own on the preference, and every listener a taste
of their own; both are as often for a as for b. So unless an effect is planted no condition is
better, and whoever hears other recordings of it finds that out: a test that rejects in more than
1 − confidence of such studies takes what these recordings happen to have lost for what the
condition does.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy import special

from thinlab.analysis.crossed import Array
from thinlab.analysis.simulated.presented import Numbers, PresentedBlock, PresentedTrial
from thinlab.analysis.simulated.scales import Effects
from thinlab.study.scale import RATED

NO_DIFFERENCE = 2


@dataclass(frozen=True)
class Answers:
    """Of one trial in many studies: a row a study, a column a participant."""

    given: NDArray[np.int64]
    """Preference: 0 the first, 1 the second, 2 no difference. ABX: 1 right, 0 wrong. Else the
    score."""
    recording: Numbers
    """What each participant heard; numbers differ between trials."""


@dataclass(frozen=True)
class Planted:
    """What is so beyond chance; by default nothing."""

    effects: Mapping[str, float] = field(default_factory=dict)
    """By trial, on the scale of `Effects`: for b, or to the level of what is rated; on ABX the log
    odds of a right answer, for a typical ear."""
    noticed: Mapping[str, float] = field(default_factory=dict)
    """By pair that is compared with controls: so much less indifference than in controls."""
    alike: frozenset[str] = frozenset()
    """Trials whose recordings do not differ."""


NOTHING_PLANTED = Planted()


def simulate(
    block: PresentedBlock,
    effects: Effects,
    studies: int,
    chance: np.random.Generator,
    planted: Planted = NOTHING_PLANTED,
) -> dict[str, Answers]:
    """Of each trial."""
    listeners = effects.listeners * chance.normal(size=(studies, block.participants))
    clips: dict[str, Array] = {}
    tastes: dict[str, Array] = {}
    readiness = effects.noticing * chance.normal(size=listeners.shape) if planted.noticed else None
    found = {}
    heard = 0
    for trial in block.trials:
        if trial.clip not in clips:
            clips[trial.clip] = effects.clips * chance.normal(size=(studies, 1))
        for name in trial.conditions:
            if name not in tastes:
                tastes[name] = effects.tastes * chance.normal(size=listeners.shape)
        recordings = effects.recordings * chance.normal(size=(studies, trial.runs))
        if trial.id in planted.alike:
            recordings = np.zeros_like(recordings)
        differ = listeners + recordings[:, trial.run]
        if block.scale == "abx":
            right = special.expit(planted.effects.get(trial.id, 0.0) * np.exp(differ))
            given = (chance.random(right.shape) < right).astype(np.int64)
            found[trial.id] = Answers(given, heard + trial.run)
            heard += trial.runs
            continue
        effect = planted.effects.get(trial.id, 0.0) + differ
        if trial.kind == "control":
            effect = np.zeros_like(listeners)
        indifference = None
        if readiness is not None and (trial.kind == "control" or trial.id in planted.noticed):
            indifference = _indifference(trial, effects, readiness, planted, chance)
        if block.scale in RATED:
            rated = RATED[block.scale]
            noise = effects.noise * chance.normal(size=effect.shape)
            level = rated.middle + clips[trial.clip] + tastes[trial.rated]
            given = _scores(level + effect + noise, rated.lowest, rated.highest)
        else:
            given = _compared(block, trial, effects, effect, indifference, chance)
        found[trial.id] = Answers(given, heard + trial.run)
        heard += trial.runs
    return found


def _compared(
    block: PresentedBlock,
    trial: PresentedTrial,
    effects: Effects,
    effect: Array,
    indifference: Array | None,
    chance: np.random.Generator,
) -> NDArray[np.int64]:
    toward_second = np.where(trial.b_first, -1.0, 1.0)
    if block.scale == "preference":
        lean = -toward_second * effect + effects.order
        tie = effects.tie if indifference is None else indifference
        return _chosen(lean, tie if block.ties else None, chance)
    noise = effects.noise * chance.normal(size=effect.shape)
    latent = toward_second * effect + effects.order + noise
    scores = _scores(latent, -3, 3)
    return scores if indifference is None else _told_of(latent, scores, indifference)


def _indifference(
    trial: PresentedTrial,
    effects: Effects,
    readiness: Array,
    planted: Planted,
    chance: np.random.Generator,
) -> Array:
    """Who is ready to tell of differences is so in pairs and in controls."""
    found: Array = effects.indifference - readiness
    if trial.kind == "control":
        return found
    own = effects.noticing * chance.normal(size=(len(readiness), trial.runs))
    if trial.id in planted.alike:
        own = np.zeros_like(own)
    return found - planted.noticed[trial.id] - own[:, trial.run]


def _told_of(latent: Array, scores: NDArray[np.int64], indifference: Array) -> NDArray[np.int64]:
    """No difference within `indifference`, and a difference beyond it."""
    least = np.where(scores == 0, np.where(latent < 0, -1, 1), scores)
    return np.where(np.abs(latent) < indifference, 0, least)


def _chosen(
    lean: Array, tie: float | Array | None, chance: np.random.Generator
) -> NDArray[np.int64]:
    """Davidson's model: `lean` is the log odds of the first against the second."""
    first, second = np.exp(lean / 2), np.exp(-lean / 2)
    none = 0.0 if tie is None else np.exp(tie)
    drawn = chance.random(lean.shape) * (first + second + none)
    return np.where(drawn < first, 0, np.where(drawn < first + second, 1, NO_DIFFERENCE))


def _scores(latent: Array, low: int, high: int) -> NDArray[np.int64]:
    return np.clip(np.rint(latent), low, high).astype(np.int64)
