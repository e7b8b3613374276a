"""What references sound like, against what ITU-T P.810 and ITU-R BS.1534-3 ask of them.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import math

import numpy as np
import pytest
from numpy.typing import NDArray

from thinlab.clips import wav
from thinlab.condition.reference import Reference
from thinlab.recording.reference_sound import modulated_noise, reference_sound

SECOND = wav.SAMPLE_RATE_HZ
REFERENCES = ("unprocessed", "mnru", "low_pass_3500", "low_pass_7000")

Samples = NDArray[np.int64]


def reference(kind: str, q_db: float = 20) -> Reference:
    return Reference.model_validate(
        {"reference": kind} | ({"q_db": q_db} if kind == "mnru" else {})
    )


def made(one: Reference, clip: NDArray[np.int16], seed: int = 1) -> Samples:
    heard = reference_sound(one, seed, clip.astype("<i2").tobytes())
    return np.frombuffer(heard, "<i2").astype(np.int64)


def speech_like(seconds: int, rms: float = 1_640) -> NDArray[np.int16]:
    """Noise up to 7 kHz that comes and goes as syllables do, at -26 dBov."""
    chance = np.random.default_rng(7)
    length = seconds * SECOND
    spectrum = np.fft.rfft(chance.normal(size=length))
    spectrum[np.fft.rfftfreq(length, 1 / SECOND) > 7_000] = 0
    at_s = np.arange(length) / SECOND
    sound = np.fft.irfft(spectrum, length) * (1.2 + np.sin(2 * np.pi * 4 * at_s)) ** 2
    speech: NDArray[np.int16] = np.rint(sound * rms / np.sqrt(np.mean(sound**2))).astype(np.int16)
    return speech


@pytest.mark.parametrize("q_db", [5, 15, 20, 35])
def test_the_ratio_of_speech_to_noise_is_q(q_db: float) -> None:
    speech = speech_like(20, rms=600)
    noise = made(reference("mnru", q_db), speech) - speech
    ratio = np.sum(speech.astype(float) ** 2) / np.sum(noise.astype(float) ** 2)
    assert 10 * math.log10(ratio) == pytest.approx(q_db, abs=0.1)


def test_the_noise_has_unit_power_and_is_white_and_gaussian() -> None:
    noise = modulated_noise(400_000, seed=3)
    assert np.mean(noise) == pytest.approx(0, abs=0.01)
    assert np.mean(noise**2) == pytest.approx(1, abs=0.01)
    # Of twelve uniform ones: 3 less 0.1.
    assert np.mean(noise**4) == pytest.approx(2.9, abs=0.06)
    for lag in (1, 2, 3, 4, 12):
        assert np.mean(noise[lag:] * noise[:-lag]) == pytest.approx(0, abs=0.01)


def test_the_noise_is_modulated_and_silence_stays_silent() -> None:
    speech = speech_like(3)
    speech[SECOND : 2 * SECOND] = 0
    heard = made(reference("mnru", 5), speech)
    margin = SECOND // 100
    assert not heard[SECOND + margin : 2 * SECOND - margin].any()
    assert heard[:SECOND].any()
    assert heard[2 * SECOND :].any()


def test_twice_as_loud_has_twice_the_noise() -> None:
    quiet = speech_like(2, rms=400)
    once, twice = (made(reference("mnru", 10), quiet * gain) for gain in (1, 2))
    assert np.abs(twice - 2 * once).max() <= 2


def test_another_seed_is_other_noise() -> None:
    speech = speech_like(1)
    one, same, other = (made(reference("mnru", 10), speech, seed) for seed in (1, 1, 2))
    assert (one == same).all()
    assert not (one == other).all()


def response_db(kind: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Frequencies in Hz and the gain at each, by an impulse."""
    impulse = np.zeros(SECOND, np.int16)
    impulse[SECOND // 2] = 32_767
    spectrum = np.abs(np.fft.rfft(made(reference(kind), impulse))) / 32_767
    gain_db: NDArray[np.float64] = 20 * np.log10(spectrum + 1e-9)
    return np.fft.rfftfreq(SECOND, 1 / SECOND).astype(np.float64), gain_db


@pytest.mark.parametrize(("kind", "hz"), [("low_pass_3500", 3_500), ("low_pass_7000", 7_000)])
def test_an_anchor_passes_what_bs_1534_says_and_no_more(kind: str, hz: int) -> None:
    """Annex 1, 5.1: ±0.1 dB up to 3.5 kHz, 25 dB down at 4 kHz, 50 dB at 4.5 kHz."""
    at_hz, gain_db = response_db(kind)
    assert np.abs(gain_db[at_hz <= hz]).max() <= 0.1
    assert gain_db[at_hz >= hz + 500].max() <= -25
    assert gain_db[at_hz >= hz + 1_000].max() <= -50


@pytest.mark.parametrize("kind", REFERENCES)
@pytest.mark.parametrize("more", [0, 1, 2])
def test_a_reference_is_as_long_as_its_clip_and_in_its_place(kind: str, more: int) -> None:
    speech = speech_like(2)[: SECOND + more]
    heard = made(reference(kind, 30), speech)
    assert len(heard) == len(speech)
    shifts = range(-20, 21)
    likeness = [np.sum(np.roll(heard, -shift) * speech) for shift in shifts]
    assert shifts[int(np.argmax(likeness))] == 0


@pytest.mark.parametrize("kind", REFERENCES)
def test_what_is_too_loud_is_cut_off_and_does_not_wrap(kind: str) -> None:
    loud = np.where(speech_like(1) >= 0, 32_767, -32_768).astype(np.int16)
    heard = made(reference(kind, 0), loud)
    assert heard.max() <= 32_767
    assert heard.min() >= -32_768
    assert np.sum(heard * loud.astype(np.int64)) > 0


def test_the_clip_itself_is_the_same_bytes() -> None:
    speech = speech_like(1).astype("<i2").tobytes()
    assert reference_sound(reference("unprocessed"), 1, speech) == speech


@pytest.mark.parametrize("kind", REFERENCES)
def test_nothing_has_no_reference_to_fear(kind: str) -> None:
    for length in (0, 1, 2, 5):
        clip = np.zeros(length, np.int16)
        assert not made(reference(kind), clip).any()
        assert len(made(reference(kind), clip)) == length


@pytest.mark.parametrize(
    ("kind", "sha256"),
    [
        ("mnru", "3d7d21e0cad64f6b6b60e8852e18538a833be6d2b015cc3c26f7eb1b6f1e06db"),
        ("low_pass_3500", "f89d75a8b0b5a28703fb7acec12249487d94f6d1ddebe63f6c31e69b7fdfecb1"),
        ("low_pass_7000", "279ad91690f153f6b54e0777aaa724633abc414780fd0a8fc0f3300a1bbc4d35"),
    ],
)
def test_a_reference_is_the_same_bytes_as_ever(kind: str, sha256: str) -> None:
    """Whoever changes them on purpose raises `WAY_OF_MAKING`: recordings have keys."""
    clip = (np.arange(30_000) * 7_919 % 20_011 - 10_005).astype("<i2").tobytes()
    heard = reference_sound(reference(kind), 12_345, clip)
    assert hashlib.sha256(heard).hexdigest() == sha256
