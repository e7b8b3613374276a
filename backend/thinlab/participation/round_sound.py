"""What all rounds of a test have in common: sounds of a second each, as WAV.

They are alike in length, and are made in the same steps, whichever is the right one.

SPDX-License-Identifier: Apache-2.0
"""

import io
import wave
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RATE_HZ = 16_000
PAUSE_S = 0.5


def envelope(fade_s: float, rate_hz: int = RATE_HZ) -> "NDArray[np.float64]":
    """Of one sound: in and out by a quarter of a cosine."""
    # Takes a moment to load, and only who tests headphones needs it.
    import numpy as np  # noqa: PLC0415

    fade = np.sin(np.linspace(0, np.pi / 2, int(fade_s * rate_hz), endpoint=False)) ** 2
    shape = np.ones(rate_hz)
    shape[: len(fade)], shape[-len(fade) :] = fade, fade[::-1]
    return shape


def round_of_sounds(sounds: Sequence["NDArray[np.float64]"], rate_hz: int = RATE_HZ) -> bytes:
    """One after the other, with pauses between; each of samples × channels, −1 to 1."""
    import numpy as np  # noqa: PLC0415

    channels = sounds[0].shape[1]
    silence = np.zeros((int(PAUSE_S * rate_hz), channels), dtype="<i2")
    parts = []
    for sound in sounds:
        parts += [np.rint(np.clip(sound, -1, 1) * 32_767).astype("<i2"), silence]
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes(np.concatenate(parts[:-1]).tobytes())
    return buffer.getvalue()
