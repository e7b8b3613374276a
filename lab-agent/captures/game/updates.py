"""Where tanks are, out of what a BZFlag server (protocol 0221) tells one player.

The stream begins with a greeting of nine bytes. Every message after it has its length and its code,
two bytes each, then that many bytes; all numbers are big-endian. These say where a tank is:

    pu  update         time stamp f32, player u8, order i32, status i16, position 3 f32, velocity
                       3 f32, azimuth f32, turning f32
    ps  small update   the same up to the status, then position 3 i16 of 2 cm, velocity 3 i16 of
                       1 cm/s, azimuth i16 of pi/32766, turning i16 of 1 mrad/s
    al  alive          player u8, position 3 f32, azimuth f32: stands there
    kl  killed         player u8: is nowhere from here on
    rp  removed        player u8: likewise

SPDX-License-Identifier: Apache-2.0
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

GREETING = b"BZFS0221"
GREETING_BYTES = 9
HEAD = struct.Struct(">H2s")
# Up to the status.
UPDATE = struct.Struct(">fBih")
WHOLE, SMALL = struct.Struct(">8f"), struct.Struct(">8h")
SMALL_SCALES = (*(0.02,) * 3, *(0.01,) * 3, 0.0, 0.001)
PLACED = struct.Struct(">B3f")
ALIVE, FALLING = 1 << 0, 1 << 6
# Of the small form all that it says; of the other enough.
DECIMALS = 3


class UpdatesError(Exception):
    """Why a stream cannot be read."""


@dataclass(frozen=True)
class State:
    """What a message says of a tank. In units of the game, seconds and radians."""

    player: int
    position: tuple[float, ...] = ()
    """Of three axes; none of a tank that is nowhere."""
    velocity: tuple[float, ...] = ()
    """Of three axes; none of one that only stands there."""
    turning: float = 0.0
    falls: bool = False
    stamp: float = 0.0
    """When it was so, on its player's clock; of what moves."""


def states(stream: bytes) -> Iterator[tuple[int, State]]:
    """After which byte of the stream a player knows what. Raises `UpdatesError`."""
    if not stream.startswith(GREETING):
        raise UpdatesError(f"it begins with {stream[:8]!r}, and not with {GREETING!r}")
    at = GREETING_BYTES
    while at + HEAD.size <= len(stream):
        length, code = HEAD.unpack_from(stream, at)
        at += HEAD.size
        body = stream[at : at + length]
        at += length
        # The last message may not have come whole.
        state = _state(code, body) if len(body) == length else None
        if state is not None:
            yield at, state


def _state(code: bytes, body: bytes) -> State | None:
    try:
        if code in (b"pu", b"ps"):
            return _update(body, small=code == b"ps")
        if code == b"al":
            player, *position = PLACED.unpack_from(body)
            return State(player, _rounded(position))
    except struct.error as error:
        raise UpdatesError(f"a message {code!r} of {len(body)} bytes is too short") from error
    if code in (b"kl", b"rp") and body:
        return State(body[0])
    return None


def _update(body: bytes, *, small: bool) -> State:
    stamp, player, _, status = UPDATE.unpack_from(body)
    told = (SMALL if small else WHOLE).unpack_from(body, UPDATE.size)
    if small:
        told = tuple(value * scale for value, scale in zip(told, SMALL_SCALES, strict=True))
    if not status & ALIVE:
        return State(player)
    turning, stamp = _rounded((told[7], stamp))
    falls = bool(status & FALLING)
    return State(player, _rounded(told[:3]), _rounded(told[3:6]), turning, falls, stamp)


def _rounded(values: tuple[float, ...] | list[float]) -> tuple[float, ...]:
    return tuple(round(value, DECIMALS) for value in values)
