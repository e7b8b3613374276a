"""A game of BZFlag: a server, and clients whose robots play while they look on.

SPDX-License-Identifier: Apache-2.0
"""

import ctypes
import errno
import os
import struct
import time
from pathlib import Path

from fault import CapturesError
from stage import Stage

PORT = 5154
# Each robot has a connection of its own. Those of one client send in the same moments, frame by
# frame, as players at machines of their own do not. With so many, one of them hears about as much
# of the others as the thesis's capture has bytes.
CLIENTS = 2
ROBOTS = 13
REPORTS = 4
JOINED = "joining as a robot tank"
# Drawn by the processor, more frames would keep it from the network.
SETTINGS = "set fpsLimit 30\nset quality low\n"


def play(stage: Stage, seconds: float) -> None:
    """The game, for so long from when every robot has joined."""
    tmp = stage.root / "tmp"
    (tmp / ".X11-unix").mkdir(mode=0o1777)
    display = tmp / "display"
    stage.start(
        ["Xvfb", "-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"], log=display
    )
    stage.wait_until(lambda: _number(display) is not None, "the display's beginning")
    free_for_all = ["-j", "-ms", "1", "-sb", "-mp", "50", "-a", "0", "0"]
    stage.start(["bzfs", "-i", "127.0.0.1", "-p", str(PORT), *free_for_all], log=tmp / "bzfs.log")
    stage.wait_for_listener(PORT)
    clients = [Client(stage, number, f":{_number(display)}") for number in range(CLIENTS)]
    stage.wait_until(
        lambda: all(client.has_all_robots() for client in clients),
        f"joining of {CLIENTS * ROBOTS} robots",
    )
    for part in range(REPORTS):
        stage.say(f"bzflag: {CLIENTS * ROBOTS} robots play, {100 * part // REPORTS} %")
        time.sleep(seconds / REPORTS)
        for client in clients:
            client.expect_alive()
    for client in clients:
        client.end()
    stage.say("bzflag: over")


class Client:
    """A player's program; its player looks on."""

    def __init__(self, stage: Stage, number: int, display: str) -> None:
        folder = stage.home / f"client-{number}"
        (folder / "2.4").mkdir(parents=True)
        (folder / "2.4" / "config.cfg").write_text(SETTINGS, encoding="ascii")
        self._said = stage.root / "tmp" / f"bzflag-{number}.log"
        options = ["-configdir", f"/tmp/home/{folder.name}/", "-echo", "-m", "-nolist", "-nomotd"]
        robots = ["-window", "320x240", "-solo", str(ROBOTS)]
        me = ["-team", "observer", f"watcher{number}@127.0.0.1:{PORT}"]
        self._process = stage.start(
            ["bzflag", *options, *robots, *me],
            log=self._said,
            extra={
                "DISPLAY": display,
                "LIBGL_ALWAYS_SOFTWARE": "1",
                "SDL_AUDIODRIVER": "dummy",
            },
            before=refuse_udp,
        )

    def has_all_robots(self) -> bool:
        """Whether each has joined. Raises `CapturesError` if the program has ended."""
        self.expect_alive()
        return _text(self._said).count(JOINED) >= ROBOTS

    def expect_alive(self) -> None:
        """Raises `CapturesError` if the program has ended."""
        if self._process.poll() is not None:
            last = _text(self._said).splitlines()[-1:]
            raise CapturesError(f"bzflag ended early: {' '.join(last)}", "run again")

    def end(self) -> None:
        """Leave the game."""
        self._process.terminate()
        self._process.wait()


def refuse_udp() -> None:
    """From here on this process, and what it starts, gets no UDP socket over IPv4.

    The client asks every server for UDP, whatever its settings say, and goes on over TCP where it
    has no socket for that. The thesis's streams were TCP.
    """
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    # offsets in seccomp_data: the call's number, then the low halves of its arguments
    number, family, kind = 0, 16, 24
    load, equal, mask, answer = 0x20, 0x15, 0x54, 0x06
    socket_call, inet, datagram, without_flags = 41, 2, 2, 0xF
    allow, refuse = 0x7FFF0000, 0x00050000 | errno.EACCES
    steps = [
        (load, 0, 0, number),
        (equal, 0, 6, socket_call),
        (load, 0, 0, family),
        (equal, 0, 4, inet),
        (load, 0, 0, kind),
        (mask, 0, 0, without_flags),
        (equal, 0, 1, datagram),
        (answer, 0, 0, refuse),
        (answer, 0, 0, allow),
    ]
    code = b"".join(struct.pack("=HBBI", *step) for step in steps)
    steps_at = ctypes.create_string_buffer(code)
    program = ctypes.create_string_buffer(
        struct.pack("@HP", len(steps), ctypes.addressof(steps_at))
    )
    no_new_privileges, seccomp, filtered = 38, 22, 2
    if prctl(no_new_privileges, 1, 0, 0, 0) or prctl(seccomp, filtered, program, 0, 0):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _number(display: Path) -> int | None:
    # Xvfb's warnings go to the same place.
    lines = _text(display).split("\n")[:-1]
    return next((int(line) for line in lines if line.isdecimal()), None)


def _text(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace")
