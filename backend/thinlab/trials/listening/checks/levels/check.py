"""Two tones, one of which is louder.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.clips.manifest import Clips
from thinlab.database.schema import HearingTest
from thinlab.participation.round_sound import envelope, round_of_sounds
from thinlab.study.hearing.levels import LevelsTest
from thinlab.trials.listening.checks.one_of_some import (
    FADE_S,
    RATE_HZ,
    OneOfSomeCheck,
    sounds_of,
)

TONE_HZ = 1_000
# Of the softer tone; twelve decibels more still fit.
AMPLITUDE = 0.1


class LevelsCheck(OneOfSomeCheck):
    """As `Check`."""

    def sound(
        self,
        rule: LevelsTest,
        begun: HearingTest,
        round_: int,
        digits: Clips | None = None,  # noqa: ARG002
    ) -> bytes:
        """As `Check`."""
        return round_of(rule, begun.rights[round_ - 1])

    def hear(
        self,
        round_: bytes,
        digits: Clips | None = None,  # noqa: ARG002
    ) -> int:
        """As `Check`: the one with the highest peak."""
        peaks = [max(sound) for sound in sounds_of(round_)]
        return peaks.index(max(peaks))


def round_of(test: LevelsTest, right: int) -> bytes:
    """A round as WAV in one channel, 48 kHz: tones of a second each, with a pause between."""
    # Takes a moment to load, and only who is tested needs it.
    import numpy as np  # noqa: PLC0415

    shape = envelope(FADE_S, RATE_HZ)
    tone = AMPLITUDE * np.sin(2 * np.pi * TONE_HZ * np.arange(RATE_HZ) / RATE_HZ)
    louder = 10 ** (test.difference_db / 20)
    sounds = [tone * (louder if one == right else 1.0) for one in range(test.sounds)]
    return round_of_sounds([(shape * one)[:, None] for one in sounds], RATE_HZ)
