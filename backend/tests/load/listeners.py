"""Bench: how late a demo's sound reaches a hundred listeners, and what one costs the server.

A server of its own plays a take of the real lab (two lanes of 130 ms at 2 % loss) to listeners in
other processes. These are niced, and have the kernel say when a packet came: how busy the machine
is with them delays no figure. All of it stays on the loopback interface.

A packet is due when both its halves have left the lab's playout: what it is later than that is
coding, the way through agent and backend, and encryption for whoever comes before.

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import asyncio
import json
import os
import resource
import socket
import struct
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import psutil

from tests.demo.listening_bot import ListeningBot
from tests.demo.sound_room import READY_NS, stay_on_this_machine

LISTENERS = 100
BOT_PROCESSES = 2
ALONE_S = 10.0
MEASURE_S = 30.0
NICE = 15
PATIENCE_S = 120.0
LOSS_SHARE = 0.02
# asm-generic/socket.h
SO_TIMESTAMPNS = 35
TIMESTAMP = struct.Struct("@qq")
LONGEST_PACKET = 2_048
WORD = 2**32
# One packet in so many goes the whole way, so that reports are written as browsers do.
WHOLE_EVERY = 50


class QuickEar:
    """Reads a bot's socket in place of its event loop: the kernel's time, and the RTP header."""

    def __init__(self, bot: ListeningBot, found: list[tuple[int, int]]) -> None:
        self._found = found
        self._count = 0
        connection = bot.peer.getTransceivers()[0].receiver.transport.transport._connection
        (pair,) = connection._nominated.values()
        self._protocol = pair.protocol
        self._socket: socket.socket = pair.protocol.transport.get_extra_info("socket")._sock
        self._socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        loop: Any = asyncio.get_running_loop()
        loop._remove_reader(self._socket.fileno())
        loop._add_reader(self._socket.fileno(), self._read)

    def _read(self) -> None:
        try:
            data, beside, _, sender = self._socket.recvmsg(LONGEST_PACKET, 64)
        except OSError:
            return
        sound = 128 <= data[0] < 192 and not 192 <= data[1] <= 208
        if sound:
            seconds, ns = TIMESTAMP.unpack(beside[0][2])
            self._found.append((int.from_bytes(data[4:8], "big"), seconds * 10**9 + ns))
            self._count += 1
        if not sound or self._count % WHOLE_EVERY == 0:
            self._protocol.datagram_received(data, sender)


async def be_listeners(address: str, first: int, count: int) -> None:
    """Bots, until standard input ends; what they heard goes to standard output."""
    os.nice(NICE)
    stay_on_this_machine()
    found: list[tuple[int, int]] = []
    loop = asyncio.get_running_loop()
    async with httpx.AsyncClient(base_url=address, timeout=PATIENCE_S) as server:

        async def join(number: int) -> ListeningBot:
            async def offer(sdp: str) -> str:
                body = {"sdp": sdp, "listener": f"listener {number}"}
                return str(
                    (await server.post("/offer", json=body)).raise_for_status().json()["sdp"]
                )

            return await ListeningBot(offer, lambda _: None).join()

        bots = [await join(number) for number in range(first, first + count)]
        for bot in bots:
            async with asyncio.timeout(PATIENCE_S):
                while bot.peer.connectionState != "connected":
                    await asyncio.sleep(0.05)
        ears = [QuickEar(bot, found) for bot in bots]
        print(json.dumps({"ready": len(ears)}), flush=True)
        await loop.run_in_executor(None, sys.stdin.readline)
        found.clear()
        before, began_s = _cpu_s(), time.monotonic()
        await loop.run_in_executor(None, sys.stdin.readline)
        share = (_cpu_s() - before) / (time.monotonic() - began_s)
        print(json.dumps({"heard": found, "cpu_share": share}), flush=True)
        for bot in bots:
            await bot.leave()


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


class Child:
    """A process that says what it found in lines of JSON."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def said(self) -> Any:  # noqa: ANN401 (whatever it says)
        """Its next line."""
        assert self._process.stdout is not None
        async with asyncio.timeout(PATIENCE_S):
            line = await self._process.stdout.readline()
        assert line, "it ended"
        return json.loads(line)

    async def tell(self) -> None:
        """Its time has come."""
        assert self._process.stdin is not None
        self._process.stdin.write(b"\n")
        await self._process.stdin.drain()

    @property
    def pid(self) -> int:
        """Of the process."""
        return self._process.pid

    async def over(self) -> None:
        """Ends it."""
        if self._process.returncode is None:
            self._process.terminate()
        await self._process.wait()


@asynccontextmanager
async def child(*command: str) -> AsyncIterator[Child]:
    """Runs as long as it is wanted."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", *command),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=2**28,
    )
    started = Child(process)
    try:
        yield started
    finally:
        await started.over()


def _descendants(process: psutil.Process) -> list[psutil.Process]:
    return process.children(recursive=True)


class Beside:
    """Processor time of the other processes of the lab."""

    def __init__(self) -> None:
        agents = [one for one in _descendants(psutil.Process()) if "boot" in one.cmdline()]
        self._processes = [one for agent in agents for one in (agent, *_descendants(agent))]

    def cpu_s(self) -> float:
        """So far."""
        times = [process.cpu_times() for process in self._processes]
        return sum(one.user + one.system for one in times)


class Found:
    """What was measured."""

    def __init__(self) -> None:
        self.late_ms: list[float] = []
        self.left_late_ms: list[float] = []
        """The server's own: when the last listener's packet was handed to the kernel."""
        self.alone_share = 0.0
        self.with_listeners_share = 0.0
        self.bots_share = 0.0
        self.lab_share = 0.0
        self.missing = 0


async def _cpu_share(server: httpx.AsyncClient, passing_s: float) -> float:
    before = (await server.get("/facts")).json()
    await asyncio.sleep(passing_s)
    after = (await server.get("/facts")).json()
    return float((after["cpu_s"] - before["cpu_s"]) / (after["now_s"] - before["now_s"]))


async def measure(count: int, room_words: tuple[str, ...]) -> Found:
    """So many at once."""
    found = Found()
    async with child("tests.demo.sound_room", "--loopback", *room_words) as room:
        address = f"http://127.0.0.1:{(await room.said())['port']}"
        async with httpx.AsyncClient(base_url=address, timeout=PATIENCE_S) as server:
            async with asyncio.timeout(PATIENCE_S):
                while not (await server.get("/facts")).json()["played"]:
                    await asyncio.sleep(0.1)
            found.alone_share = await _cpu_share(server, ALONE_S)
            share = count // BOT_PROCESSES
            words = [("--be", address, str(n * share), str(share)) for n in range(BOT_PROCESSES)]
            async with (
                child("tests.load.listeners", *words[0]) as one,
                child("tests.load.listeners", *words[1]) as other,
            ):
                bots = [one, other]
                for bot in bots:
                    await bot.said()
                beside = Beside()
                lab_before_s = beside.cpu_s()
                for bot in bots:
                    await bot.tell()
                found.with_listeners_share = await _cpu_share(server, MEASURE_S)
                found.lab_share = (beside.cpu_s() - lab_before_s) / MEASURE_S
                for bot in bots:
                    await bot.tell()
                heard = [await bot.said() for bot in bots]
            found.bots_share = sum(one["cpu_share"] for one in heard)
            left = (await server.get("/left")).json()
    due_ns = {timestamp: at_ns + READY_NS for timestamp, at_ns, _ in left}
    for one in heard:
        for timestamp, came_ns in one["heard"]:
            found.late_ms.append((came_ns - due_ns[timestamp]) / 1e6)
    times = [came_ns for one in heard for _, came_ns in one["heard"]]
    sent = [one for one in left if min(times) <= one[2] <= max(times)]
    found.left_late_ms = sorted((one[2] - one[1] - READY_NS) / 1e6 for one in sent)
    found.missing = max(count * len(sent) - len(found.late_ms), 0)
    found.late_ms.sort()
    return found


def quantile(values: list[float], share: float) -> float:
    """`share` of the sorted values are not above it."""
    return values[min(int(share * len(values)), len(values) - 1)]


def figures(found: Found, count: int, source: str) -> list[dict[str, object]]:
    """For `make bench`."""
    per_listener = 100 * (found.with_listeners_share - found.alone_share) / count
    late = (
        f"{len(found.late_ms)} packets to {count} listeners on one machine, {source}, by the "
        f"kernel's receive time, beyond the instant at which they had left the playout; "
        f"longest {found.late_ms[-1]:.0f} ms; the backend had handed on the last listener's "
        f"within {quantile(found.left_late_ms, 0.99):.1f} ms (p99); {found.missing} missing"
    )
    cost = (
        f"the backend's processor time with {count} listeners ({found.with_listeners_share:.1%} of "
        f"a core) less that with none ({found.alone_share:.1%}); beside it the lab took "
        f"{found.lab_share:.1%}, the listeners themselves {found.bots_share:.1%}; "
        f"{os.cpu_count()} CPUs"
    )
    rows = [
        (f"sound_late_p50_ms_{count}_listeners", quantile(found.late_ms, 0.5), "ms", late),
        (f"sound_late_p99_ms_{count}_listeners", quantile(found.late_ms, 0.99), "ms", late),
        ("cpu_percent_per_listener", per_listener, "%", cost),
    ]
    return [
        {"name": name, "value": round(value, 3), "unit": unit, "how": how}
        for name, value, unit, how in rows
    ]


def main() -> None:
    """Prints the figures as a JSON array."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--listeners", type=int, default=LISTENERS)
    parser.add_argument("--clock", action="store_true", help="without the lab: a clock plays")
    parser.add_argument("--be", nargs=3, metavar=("ADDRESS", "FIRST", "COUNT"))
    chosen = parser.parse_args()
    if chosen.be:
        address, first, count = chosen.be
        asyncio.run(be_listeners(address, int(first), int(count)))
        return
    words = () if chosen.clock else ("--lab", "--loss-share", str(LOSS_SHARE))
    source = "played by a clock" if chosen.clock else "of a running take of two lanes"
    found = asyncio.run(measure(chosen.listeners, words))
    print(json.dumps(figures(found, chosen.listeners, source)))


if __name__ == "__main__":
    main()
