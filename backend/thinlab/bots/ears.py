"""Ears of a bot that wears headphones: which of a round's sounds is the right one.

The two ears differ in it alone (`thinlab.participation.huggins`), or it is the quietest
(`thinlab.participation.antiphase`), the louder one or the brighter
(`thinlab.participation.hearing_sound`).

SPDX-License-Identifier: Apache-2.0
"""

import io
import wave
from array import array
from itertools import pairwise

from thinlab.participation.round_sound import PAUSE_S


def right_one(round_: bytes, signal: str) -> int:
    """0, 1 or 2."""
    channels, places = _sounds(round_)
    if signal == "levels":
        return max(range(len(places)), key=lambda sound: max(channels[0][places[sound]]))
    if signal == "bandwidth":
        # What changes from sample to sample is what is high.
        return max(range(len(places)), key=lambda sound: _changes(channels[0][places[sound]]))
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


def _changes(sound: "array[int]") -> int:
    return sum((after - before) ** 2 for before, after in pairwise(sound))
