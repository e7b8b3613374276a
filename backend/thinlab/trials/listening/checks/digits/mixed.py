"""The sounds of digits in noise, made of a voice's digits and a seed.

Each digit is cut to where it sounds and brought to the level of the others, by its root mean
square. The noise has the long-term spectrum of all ten, so that neither stands out anywhere. Speech
and noise are mixed at the ratio that is asked for, and the whole is brought to one level: neither
length, size nor loudness tells how deep the digits are. All triplets take their places at the same
moments.

SPDX-License-Identifier: Apache-2.0
"""

import io
import wave
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from thinlab.clips import wav
from thinlab.clips.manifest import ClipError, Clips

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RATE_HZ = 16_000
"""What the voices were recorded with."""
# The longest digit of any voice, and a pause, fit in a place.
PLACE_S = 0.95
BEFORE_S = 0.5
AFTER_S = 0.3
# Quieter than this below its loudest part, a digit's ends are taken for silence, but for a margin.
SILENT_DB = -35
MARGIN_S = 0.03
WINDOW_S = 0.01
FADE_S = 0.05
# Of the whole, as root mean square of full scale: about as loud as the speech of a trial.
RMS = 0.05
# Points of the spectrum: fine enough for its formants, too coarse for its pitch.
SPECTRUM_POINTS = 1_024


@dataclass(frozen=True)
class Voice:
    """Ten digits of one voice."""

    digits: "tuple[NDArray[np.float64], ...]"
    """From zero on, each with a root mean square of 1 while it sounds."""
    spectrum: "NDArray[np.float64]"
    """Amplitude of their long-term spectrum, from 0 Hz to half of the rate."""


def voice_of(digits: Clips | None, language: str) -> Voice:
    """A voice, made once. Raises `ClipError` where its sounds are not there."""
    if digits is None:
        raise ClipError("THINLAB_DIGITS is not set; `make run` sets it")
    sounds = tuple(digits.samples(f"{language}_{digit}") for digit in range(10))
    return _made(sounds)


@lru_cache(maxsize=4)
def _made(sounds: tuple[bytes, ...]) -> Voice:
    import numpy as np  # noqa: PLC0415

    digits = tuple(_cut(_at_our_rate(np.frombuffer(one, dtype="<i2") / 32_768)) for one in sounds)
    window = np.hanning(SPECTRUM_POINTS)
    step = SPECTRUM_POINTS // 2
    power = np.mean(
        [
            np.abs(np.fft.rfft(window * one[at : at + SPECTRUM_POINTS])) ** 2
            for one in digits
            for at in range(0, len(one) - SPECTRUM_POINTS, step)
        ],
        axis=0,
    )
    return Voice(digits, np.sqrt(power))


def triplet(voice: Voice, seed: bytes, number: int, spoken: str, snr_db: float) -> bytes:
    """A round as WAV in one channel: noise, and in it three digits, `snr_db` below or above it."""
    import numpy as np  # noqa: PLC0415

    speech = np.zeros(_samples(BEFORE_S + len(spoken) * PLACE_S + AFTER_S))
    for place, digit in enumerate(spoken):
        sound = voice.digits[int(digit)]
        at = _start(place, len(sound))
        speech[at : at + len(sound)] = sound
    noise = _noise(voice, np.random.default_rng([number, *seed]), len(speech))
    whole = 10 ** (snr_db / 20) * speech + noise
    fade = np.sin(np.linspace(0, np.pi / 2, _samples(FADE_S))) ** 2
    whole[: len(fade)] *= fade
    whole[-len(fade) :] *= fade[::-1]
    whole *= RMS / np.sqrt(np.mean(whole**2))
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE_HZ)
        file.writeframes(np.rint(np.clip(whole, -1, 1) * 32_767).astype("<i2").tobytes())
    return buffer.getvalue()


@dataclass(frozen=True)
class Recognised:
    """What a program makes of a round."""

    digits: str
    likeness: float
    """Of the best digit at each place, summed; the higher the surer."""


def recognised(voice: Voice, round_: bytes) -> Recognised:
    """The digits that correlate best with what is at each place: better than people hear."""
    import numpy as np  # noqa: PLC0415

    with wave.open(io.BytesIO(round_), "rb") as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), dtype="<i2").astype(float)
    places = round((len(samples) / RATE_HZ - BEFORE_S - AFTER_S) / PLACE_S)
    found, sure = "", 0.0
    for place in range(places):
        likeness = []
        for sound in voice.digits:
            at = _start(place, len(sound))
            there = samples[at : at + len(sound)]
            likeness.append(float(there @ sound) / float(np.linalg.norm(sound)))
        found += str(int(np.argmax(likeness)))
        sure += max(likeness)
    return Recognised(found, sure)


def _start(place: int, length: int) -> int:
    """The first sample of a digit, which stands in the middle of its place."""
    return _samples(BEFORE_S + place * PLACE_S) + (_samples(PLACE_S) - length) // 2


def _noise(voice: Voice, chance: "np.random.Generator", length: int) -> "NDArray[np.float64]":
    """Of the voice's long-term spectrum, with a root mean square of 1."""
    import numpy as np  # noqa: PLC0415

    spectrum = np.fft.rfft(chance.standard_normal(length))
    places = np.linspace(0, 1, len(voice.spectrum))
    spectrum *= np.interp(np.linspace(0, 1, len(spectrum)), places, voice.spectrum)
    noise: NDArray[np.float64] = np.fft.irfft(spectrum, length)
    noise /= np.sqrt(np.mean(noise**2))
    return noise


def _at_our_rate(samples: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """At a third of the clips' rate; above its half the voices have nothing."""
    import numpy as np  # noqa: PLC0415

    ratio = wav.SAMPLE_RATE_HZ // RATE_HZ
    length = len(samples) // ratio
    spectrum = np.fft.rfft(samples[: length * ratio])[: length // 2 + 1]
    resampled: NDArray[np.float64] = np.fft.irfft(spectrum, length) / ratio
    return resampled


def _cut(samples: "NDArray[np.float64]") -> "NDArray[np.float64]":
    """From where a digit begins to sound to where it ends, with a root mean square of 1."""
    import numpy as np  # noqa: PLC0415

    step = _samples(WINDOW_S)
    windows = samples[: len(samples) // step * step].reshape(-1, step)
    levels = np.sqrt(np.mean(windows**2, axis=1))
    sounding = np.flatnonzero(levels > levels.max() * 10 ** (SILENT_DB / 20))
    margin = _samples(MARGIN_S)
    start = max(int(sounding[0]) * step - margin, 0)
    end = min((int(sounding[-1]) + 1) * step + margin, len(samples))
    cut = samples[start:end].copy()
    fade = np.linspace(0, 1, step)
    cut[:step] *= fade
    cut[-step:] *= fade[::-1]
    cut /= np.sqrt(np.mean(cut**2))
    return cut


def _samples(length_s: float) -> int:
    return round(length_s * RATE_HZ)
