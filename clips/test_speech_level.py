"""The meter of active speech level, against signals whose level arithmetic knows.

SPDX-License-Identifier: Apache-2.0
"""

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from speech_level import HANGOVER_S, MARGIN_DB, SMOOTHING_S, speech_level

RATES_HZ = (8_000, 16_000, 48_000)


def tone(amplitude: float, seconds: float, rate_hz: int) -> NDArray[np.float64]:
    return amplitude * np.sin(
        2 * np.pi * 500 * np.arange(round(seconds * rate_hz)) / rate_hz
    )


def silence(seconds: float, rate_hz: int) -> NDArray[np.float64]:
    return np.zeros(round(seconds * rate_hz))


def sampled(*parts: NDArray[np.float64]) -> NDArray[np.int16]:
    return (
        np.rint(np.concatenate(parts) * 32_768).clip(-32_768, 32_767).astype(np.int16)
    )


@pytest.mark.parametrize("rate_hz", RATES_HZ)
@pytest.mark.parametrize("amplitude", [0.5, 0.1, 0.01])
def test_a_tone_that_never_stops_has_its_root_mean_square(
    amplitude: float, rate_hz: int
) -> None:
    level = speech_level(sampled(tone(amplitude, 10, rate_hz)), rate_hz)
    assert level.active_dbov == pytest.approx(
        20 * math.log10(amplitude / math.sqrt(2)), abs=0.05
    )
    assert level.activity_share > 0.99


@pytest.mark.parametrize("rate_hz", RATES_HZ)
def test_a_square_wave_that_just_does_not_overload_has_0_dbov(rate_hz: int) -> None:
    # Long, since the first 20 ms, in which the envelope rises, are not active.
    square = np.where(tone(1, 20, rate_hz) >= 0, 32_767, -32_768).astype(np.int16)
    assert speech_level(square, rate_hz).active_dbov == pytest.approx(0, abs=0.01)


def test_bursts_are_active_while_they_last_and_for_the_hangover_after() -> None:
    """The level L solves: energy / (on + hangover + fall) = L, where the envelope falls to
    L - 15.9 dB; and rises to it, at the beginning, in next to no time."""
    rate_hz, amplitude, on_s = 16_000, 0.25, 1.0
    mean = amplitude * 2 / math.pi

    def envelope_s(reaches: float, *, falling: bool) -> float:
        """When two smoothings of a step come to this share of it."""
        low, high = 0.0, 1.0
        for _ in range(60):
            half = (low + high) / 2
            left = (1 + half / SMOOTHING_S) * math.exp(-half / SMOOTHING_S)
            is_before = left > reaches if falling else 1 - left < reaches
            low, high = (half, high) if is_before else (low, half)
        return low

    level_db, active_s = -20.0, on_s
    for _ in range(100):
        reaches = 10 ** ((level_db - MARGIN_DB) / 20) / mean
        rise_s, fall_s = (envelope_s(reaches, falling=one) for one in (False, True))
        active_s = on_s - rise_s + fall_s + HANGOVER_S
        level_db = 10 * math.log10(amplitude**2 / 2 * on_s / active_s)
    bursts = [
        part
        for _ in range(5)
        for part in (tone(amplitude, on_s, rate_hz), silence(3, rate_hz))
    ]
    found = speech_level(sampled(*bursts), rate_hz)
    # Thresholds are 6 dB apart, and what lies between them is taken for straight.
    assert found.active_dbov == pytest.approx(level_db, abs=0.1)
    assert found.activity_share == pytest.approx(active_s / 4, rel=0.03)


@pytest.mark.parametrize("pause_s", [0.5, 2, 20])
def test_a_pause_changes_nothing_however_long_it_is(pause_s: float) -> None:
    def spoken(seconds: float) -> float:
        parts = (tone(0.2, 2, 16_000), silence(seconds, 16_000))
        return speech_level(sampled(*parts, *parts), 16_000).active_dbov

    assert spoken(pause_s) == pytest.approx(spoken(1), abs=0.01)


def test_a_gap_within_the_hangover_is_speech() -> None:
    gaps = [
        part
        for _ in range(50)
        for part in (tone(0.2, 0.1, 16_000), silence(0.1, 16_000))
    ]
    level = speech_level(sampled(*gaps), 16_000)
    assert level.activity_share > 0.99
    assert level.active_dbov == pytest.approx(20 * math.log10(0.2 / 2), abs=0.05)


def test_a_gain_of_6_db_is_6_db() -> None:
    # On the grid of thresholds, so that nothing between them is taken for straight.
    chance = np.random.default_rng(1)
    speech = chance.normal(0, 0.05, 80_000) * np.repeat(chance.uniform(0, 1, 40), 2_000)
    quiet, loud = (speech_level(sampled(speech * gain), 16_000) for gain in (1, 2))
    assert loud.active_dbov - quiet.active_dbov == pytest.approx(
        20 * math.log10(2), abs=0.01
    )


def test_noise_below_the_margin_is_no_speech() -> None:
    chance = np.random.default_rng(2)
    noise = chance.normal(0, 0.0005, 16_000 * 8)
    speech = np.concatenate([tone(0.2, 4, 16_000), silence(4, 16_000)])
    clean, noisy = (
        speech_level(sampled(one), 16_000) for one in (speech, speech + noise)
    )
    assert noisy.active_dbov == pytest.approx(clean.active_dbov, abs=0.05)


def test_silence_has_no_level() -> None:
    assert speech_level(np.zeros(16_000, np.int16), 16_000).active_dbov == -math.inf
