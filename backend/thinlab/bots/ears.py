"""Ears of a bot that wears headphones: which of a round's noises has the tone.

The two ears differ in it alone (`thinlab.participation.huggins`).

SPDX-License-Identifier: Apache-2.0
"""

import io
import wave
from array import array

from thinlab.participation.huggins import NOISES, PAUSE_S


def tone_of(round_: bytes) -> int:
    """0, 1 or 2."""
    with wave.open(io.BytesIO(round_), "rb") as file:
        rate_hz = file.getframerate()
        samples = array("h", file.readframes(file.getnframes()))
    left, right = samples[0::2], samples[1::2]
    step = int((1 + PAUSE_S) * rate_hz)
    places = [slice(noise * step, noise * step + rate_hz) for noise in range(NOISES)]
    return next(noise for noise, place in enumerate(places) if left[place] != right[place])
