"""Sound in which a moment and a lane can be found again: a note a lane, and two chirps a second.

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np
from numpy.typing import NDArray

from tests.demo.opus import Decoder, Encoder, Pcm
from thinlab.demo.rtp_stream import SAMPLES_PER_PACKET, SAMPLES_PER_S

NOTES_HERTZ = (600, 900, 1_200, 1_500)
NOTE_SHARE = 0.15
CHIRP_HERTZ = (2_000, 6_000)
CHIRP_SAMPLES = 960
CHIRP_EVERY_SAMPLES = SAMPLES_PER_S // 2
CHIRP_SHARE = 0.5
LOUD = 32_767
# Of a chirp's correlation with itself; the notes reach a hundredth.
FOUND_SHARE = 0.3


def chirp() -> NDArray[np.float64]:
    """Rises evenly, and begins and ends softly."""
    at_s = np.arange(CHIRP_SAMPLES) / SAMPLES_PER_S
    low, high = CHIRP_HERTZ
    phase = 2 * np.pi * (low * at_s + (high - low) * at_s**2 / (2 * CHIRP_SAMPLES / SAMPLES_PER_S))
    return np.asarray(np.hanning(CHIRP_SAMPLES) * np.sin(phase))


def marked(lane: int, seconds: int) -> Pcm:
    """A lane's sound; it can be repeated without a seam."""
    note = np.sin(
        2 * np.pi * NOTES_HERTZ[lane] * np.arange(seconds * SAMPLES_PER_S) / SAMPLES_PER_S
    )
    sound = NOTE_SHARE * note
    for begin in range(0, len(sound), CHIRP_EVERY_SAMPLES):
        sound[begin : begin + CHIRP_SAMPLES] += CHIRP_SHARE * chirp()
    return (LOUD * sound).astype(np.int16)


def packets(lane: int, seconds: int) -> list[bytes]:
    """The same, as the agent would send it; the last packet leads to the first."""
    encoder = Encoder()
    sound = marked(lane, seconds)
    pieces = [
        sound[at : at + SAMPLES_PER_PACKET] for at in range(0, len(sound), SAMPLES_PER_PACKET)
    ]
    encoder.encode(pieces[-1])
    return [encoder.encode(piece) for piece in pieces]


def marks_samples(opus: list[bytes]) -> list[float]:
    """Where chirps begin in what went into these packets, in samples from the first."""
    decoder = Decoder()
    heard = np.concatenate([decoder.decode(packet) for packet in opus]).astype(np.float64)
    found = np.correlate(heard / LOUD, chirp())
    whole = CHIRP_SHARE * float(np.sum(chirp() ** 2))
    marks: list[float] = []
    at = 0
    while at < len(found):
        if found[at] < FOUND_SHARE * whole:
            at += 1
            continue
        peak = at + int(np.argmax(found[at : at + CHIRP_SAMPLES]))
        marks.append(peak - Encoder().lookahead_samples)
        at = peak + CHIRP_SAMPLES
    return marks
