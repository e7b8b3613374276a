"""Opus packets as the agent makes them for listeners, by the library that PyAV brings along.

PyAV itself cannot switch prediction off.

SPDX-License-Identifier: Apache-2.0
"""

import ctypes
import ctypes.util
from enum import IntEnum
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

from thinlab.demo.rtp_stream import SAMPLES_PER_PACKET, SAMPLES_PER_S

PACKET_NS = 20_000_000
MOST_BYTES = 1_275
# opus_defines.h
OK = 0
APPLICATION_RESTRICTED_LOWDELAY = 2051


class Request(IntEnum):
    """What an encoder is told or asked."""

    SET_BITRATE = 4002
    GET_LOOKAHEAD = 4027
    SET_PREDICTION_DISABLED = 4042


Pcm = NDArray[np.int16]


def _library() -> ctypes.CDLL:
    beside = sorted((Path(av.__file__).parents[1] / "av.libs").glob("libopus*"))
    name = str(beside[0]) if beside else ctypes.util.find_library("opus")
    library = ctypes.CDLL(name)
    library.opus_encoder_create.restype = ctypes.c_void_p
    library.opus_decoder_create.restype = ctypes.c_void_p
    return library


_OPUS = _library()


class Encoder:
    """48 kHz mono, packets that need none before them."""

    def __init__(self, bit_per_s: int = 96_000) -> None:
        failed = ctypes.c_int()
        self._state = ctypes.c_void_p(
            _OPUS.opus_encoder_create(
                SAMPLES_PER_S, 1, APPLICATION_RESTRICTED_LOWDELAY, ctypes.byref(failed)
            )
        )
        assert failed.value == OK
        settings = {Request.SET_BITRATE: bit_per_s, Request.SET_PREDICTION_DISABLED: 1}
        for request, value in settings.items():
            assert _OPUS.opus_encoder_ctl(self._state, request, ctypes.c_int(value)) == OK
        lookahead = ctypes.c_int()
        _OPUS.opus_encoder_ctl(self._state, Request.GET_LOOKAHEAD, ctypes.byref(lookahead))
        self.lookahead_samples = lookahead.value
        """So much later than its own first sample is a packet's sound in what is decoded."""

    def encode(self, samples: Pcm) -> bytes:
        """20 ms."""
        assert len(samples) == SAMPLES_PER_PACKET
        packet = ctypes.create_string_buffer(MOST_BYTES)
        source = np.ascontiguousarray(samples, np.int16)
        length = _OPUS.opus_encode(
            self._state,
            source.ctypes.data_as(ctypes.c_void_p),
            SAMPLES_PER_PACKET,
            packet,
            MOST_BYTES,
        )
        assert length > 0, length
        return packet.raw[:length]


class Decoder:
    """Of such packets."""

    def __init__(self) -> None:
        failed = ctypes.c_int()
        self._state = ctypes.c_void_p(
            _OPUS.opus_decoder_create(SAMPLES_PER_S, 1, ctypes.byref(failed))
        )
        assert failed.value == OK

    def decode(self, packet: bytes) -> Pcm:
        """20 ms."""
        samples = np.zeros(SAMPLES_PER_PACKET, np.int16)
        length = _OPUS.opus_decode(
            self._state,
            packet,
            len(packet),
            samples.ctypes.data_as(ctypes.c_void_p),
            SAMPLES_PER_PACKET,
            0,
        )
        assert length == SAMPLES_PER_PACKET, length
        return samples
