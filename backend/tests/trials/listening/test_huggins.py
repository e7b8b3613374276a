"""What the noises of the headphone test are.

SPDX-License-Identifier: Apache-2.0
"""

import io
import wave

import numpy as np
import pytest

from thinlab.bots.ears import right_one
from thinlab.participation.round_sound import RATE_HZ
from thinlab.study.headphone_test import SOUNDS
from thinlab.trials.listening.checks.headphones.huggins import round_of

SEED = b"sixteen bytes it"


def ears(with_tone: int, noise: int) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    """A noise's samples, left and right."""
    with wave.open(io.BytesIO(round_of(SEED, 1, with_tone)), "rb") as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), dtype="<i2").reshape(-1, 2)
    start = noise * RATE_HZ * 3 // 2
    return samples[start : start + RATE_HZ].astype(float)


def likeness(sound: "np.ndarray[tuple[int, int], np.dtype[np.float64]]", hertz: int) -> float:
    """How alike the ears are about a frequency: 1 the same, -1 upside down."""
    left, right = (np.fft.rfft(sound[:, ear])[hertz - 10 : hertz + 11] for ear in (0, 1))
    alike = np.sum(left * right.conj()).real
    return float(alike / np.linalg.norm(left) / np.linalg.norm(right))


@pytest.mark.parametrize("tone", range(SOUNDS))
def test_with_the_tone_the_ears_differ_in_a_band_and_nowhere_else(tone: int) -> None:
    for noise in range(SOUNDS):
        sound = ears(tone, noise)
        if noise == tone:
            assert all(likeness(sound, hertz) < -0.9 for hertz in (580, 600, 620))
            assert all(likeness(sound, hertz) > 0.9 for hertz in (100, 500, 700, 3_000))
        else:
            assert np.array_equal(sound[:, 0], sound[:, 1])
    assert right_one(round_of(SEED, 1, tone), "huggins") == tone


def test_neither_ear_alone_has_the_tone() -> None:
    left, right = (np.abs(np.fft.rfft(ears(0, 0)[:, ear])) ** 2 for ear in (0, 1))
    assert right[566:635].sum() / left[566:635].sum() == pytest.approx(1, abs=0.1)
    assert 0.5 < right[566:635].mean() / right[640:709].mean() < 2


def test_the_same_seed_gives_the_same_round_and_another_another() -> None:
    assert round_of(SEED, 1, 0) == round_of(SEED, 1, 0)
    others = {round_of(SEED, 2, 0), round_of(SEED[::-1], 1, 0), round_of(SEED, 1, 1)}
    assert round_of(SEED, 1, 0) not in others
    assert {len(other) for other in others} == {len(round_of(SEED, 1, 0))}
