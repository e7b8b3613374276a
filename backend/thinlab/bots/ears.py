"""Ears of a bot that wears headphones: which of a round's sounds is the right one.

The two ears differ in it alone (Huggins pitch), or it is the quietest (antiphase).

SPDX-License-Identifier: Apache-2.0
"""

import io
import wave
from array import array

from thinlab.participation.round_sound import PAUSE_S


def right_one(round_: bytes, signal: str) -> int:
    """0, 1 or 2."""
    channels, places = _sounds(round_)
    left, right = channels
    if signal == "antiphase":
        return min(range(len(places)), key=lambda sound: max(left[places[sound]]))
    return next(sound for sound, place in enumerate(places) if left[place] != right[place])


def _sounds(round_: bytes) -> "tuple[list[array[int]], list[slice]]":
    """The channels, and where each of the sounds is in them."""
    with wave.open(io.BytesIO(round_), "rb") as file:
        rate_hz, count = file.getframerate(), file.getnchannels()
        samples = array("h", file.readframes(file.getnframes()))
    channels = [samples[channel::count] for channel in range(count)]
    step = int((1 + PAUSE_S) * rate_hz)
    return channels, [slice(at, at + rate_hz) for at in range(0, len(channels[0]), step)]
