"""What the tones of the headphone test are, through headphones and from loudspeakers.

SPDX-License-Identifier: Apache-2.0
"""

import io
import wave

import numpy as np
import pytest
from numpy.typing import NDArray

from thinlab.bots.ears import right_one
from thinlab.participation.round_sound import RATE_HZ
from thinlab.study.headphone_test import SOUNDS
from thinlab.trials.listening.checks.headphones import huggins
from thinlab.trials.listening.checks.headphones.antiphase import round_of

SEED = b"sixteen bytes it"
ROUNDS = range(1, 25)


def tones(round_: bytes) -> list[NDArray[np.float64]]:
    """Each tone's samples, left and right."""
    with wave.open(io.BytesIO(round_), "rb") as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), dtype="<i2").reshape(-1, 2)
    starts = [tone * RATE_HZ * 3 // 2 for tone in range(SOUNDS)]
    return [samples[start : start + RATE_HZ].astype(float) for start in starts]


def level_db(sound: NDArray[np.float64]) -> float:
    return float(20 * np.log10(np.sqrt(np.mean(sound**2)) + 1e-9))


@pytest.mark.parametrize("quiet", range(SOUNDS))
def test_through_headphones_the_quiet_one_is_6_db_below_both_others(quiet: int) -> None:
    for number in ROUNDS:
        round_ = round_of(SEED, number, quiet)
        for ear in (0, 1):
            levels = [level_db(tone[:, ear]) for tone in tones(round_)]
            for tone, level in enumerate(levels):
                below = 6 if tone == quiet else 0
                assert max(levels) - level == pytest.approx(below, abs=0.05)
        assert right_one(round_, "antiphase") == quiet


@pytest.mark.parametrize("quiet", range(SOUNDS))
def test_from_loudspeakers_another_one_vanishes(quiet: int) -> None:
    gone = set()
    for number in ROUNDS:
        in_the_air = [level_db(tone.sum(axis=1)) for tone in tones(round_of(SEED, number, quiet))]
        softest = int(np.argmin(in_the_air))
        assert softest != quiet
        gone.add(softest)
    # It is drawn, and tells nothing of the quiet one.
    assert len(gone) == SOUNDS - 1


def test_all_rounds_are_as_long_as_those_of_the_other_signal() -> None:
    lengths = {len(round_of(SEED, number, number % SOUNDS)) for number in ROUNDS}
    assert lengths == {len(huggins.round_of(SEED, 1, 0))}
