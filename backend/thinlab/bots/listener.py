"""Models of listeners: what somebody answers who hears one sound, or two.

Pure: sounds and chance in, an answer out. On the preference scale the model is Davidson's, the
same that the analysis fits, so that what is planted here has to come out there.

SPDX-License-Identifier: Apache-2.0
"""

import math
import random
from dataclasses import dataclass
from typing import Protocol

from thinlab.bots.key import Sound
from thinlab.study.scale import RATED, ScaleKind
from thinlab.study.scales.dcr import INAUDIBLE
from thinlab.study.scales.mushra import HIGHEST, POINTS_A_FIFTH

Answer = str | int

ACR_MIDDLE = 3


@dataclass(frozen=True)
class Heard:
    """One trial, as it reached the ear."""

    scale: ScaleKind
    no_difference: bool
    """Whether the answer is offered."""
    first: Sound
    second: Sound | None
    x: Sound | None = None
    """One of the two once more, on `abx`."""


class Listener(Protocol):
    """Answers trials."""

    def answer(self, heard: Heard, chance: random.Random) -> Answer:
        """`first`, `second`, `no_difference`, or a score."""


@dataclass(frozen=True)
class Attentive:
    """Hears differences as well as its sensitivity lets it, and leans to a side by its bias."""

    sensitivity: float = 1.0
    """Multiplies the planted utilities."""
    side_bias: float = 0.0
    """Log odds of the first presented against the second when both are equally good."""
    tie: float = -0.5
    """Log weight of "no difference" against either of two equally good ones."""
    tie_with_itself: float = 3.0
    """The same of one recording and itself, as in a control: who listens seldom hears any."""
    noise: float = 0.7
    """Standard deviation of a score's error, in steps of the scale."""
    noise_with_itself: float = 0.25
    """The same of one recording and itself."""

    def answer(self, heard: Heard, chance: random.Random) -> Answer:
        """By what is heard; a trap is answered as it asks."""
        for sound in (heard.first, heard.second):
            if sound is not None and sound.says is not None:
                return sound.says
        if heard.x is not None:
            beside = self._beside_reference if heard.scale == "mushra" else self._which_is_x
            return beside(heard, heard.x, chance)
        itself = heard.first is heard.second
        noise = self.noise_with_itself if itself else self.noise
        first = self.sensitivity * heard.first.utility
        second = self.sensitivity * heard.second.utility if heard.second else 0.0
        if heard.scale == "acr":
            return _step(ACR_MIDDLE + first + self.noise * chance.gauss(), 1, 5)
        if heard.scale == "dcr":
            # The first is the reference: what the second has less of is its degradation.
            return _step(INAUDIBLE + min(0.0, second - first) + noise * chance.gauss(), 1, 5)
        if heard.scale == "ccr":
            lean = second - first - self.side_bias
            return _step(lean + noise * chance.gauss(), -3, 3)
        lean = first - second + self.side_bias
        weights = [math.exp(lean / 2), math.exp(-lean / 2)]
        if heard.no_difference:
            weights.append(math.exp(self.tie_with_itself if itself else self.tie))
        return chance.choices(["first", "second", "no_difference"][: len(weights)], weights)[0]

    def _beside_reference(self, heard: Heard, reference: Sound, chance: random.Random) -> Answer:
        """100 for what cannot be told from the reference, and so much less as is missing of it."""
        missing = self.sensitivity * (reference.utility - heard.first.utility)
        if missing <= 0:
            return HIGHEST
        return _step(HIGHEST - POINTS_A_FIFTH * (missing + self.noise * chance.gauss()), 0, HIGHEST)

    def _which_is_x(self, heard: Heard, x: Sound, chance: random.Random) -> Answer:
        """The more the two differ, the surer; who hears no difference has to guess."""
        second = heard.second.utility if heard.second else heard.first.utility
        apart = self.sensitivity * abs(heard.first.utility - second)
        answers = ("first", "second") if x is heard.first else ("second", "first")
        return chance.choices(answers, [math.exp(apart), 1.0])[0]


@dataclass(frozen=True)
class StraightLining:
    """Gives one answer throughout, whatever plays."""

    def answer(self, heard: Heard, chance: random.Random) -> Answer:  # noqa: ARG002
        """Always the same."""
        same: dict[ScaleKind, Answer] = {
            "preference": "first",
            "abx": "first",
            "ccr": 1,
            "acr": 4,
            "dcr": 4,
            "mushra": 70,
        }
        return same[heard.scale]


@dataclass(frozen=True)
class Inattentive:
    """Answers by chance, traps as well."""

    def answer(self, heard: Heard, chance: random.Random) -> Answer:
        """Any answer that is offered."""
        if heard.scale in RATED:
            return chance.randint(RATED[heard.scale].lowest, RATED[heard.scale].highest)
        if heard.scale == "ccr":
            return chance.randint(-3, 3)
        offered = ["first", "second"] + ["no_difference"] * heard.no_difference
        return chance.choice(offered)


def _step(value: float, lowest: int, highest: int) -> int:
    return max(lowest, min(highest, round(value)))
