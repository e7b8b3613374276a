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
import time

import httpx
import psutil

from tests.demo.listening_bot import ListeningBot
from tests.demo.sound_room import READY_NS
from tests.load.child import MEASURE_S, PATIENCE_S, PROCESSES, be_child, child, say, told
from tests.load.figures import percentile, rows
from tests.load.quick_ear import all_ears

LISTENERS = 100
ALONE_S = 10.0
LOSS_SHARE = 0.02


async def be_listeners(address: str, first: int, count: int) -> None:
    """Bots, until standard input ends; what they heard goes to standard output."""
    be_child()
    found: list[tuple[int, int]] = []
    async with httpx.AsyncClient(base_url=address, timeout=PATIENCE_S) as server:

        async def join(number: int) -> ListeningBot:
            async def offer(sdp: str) -> str:
                body = {"sdp": sdp, "listener": f"listener {number}"}
                return str(
                    (await server.post("/offer", json=body)).raise_for_status().json()["sdp"]
                )

            return await ListeningBot(offer, lambda _: None).join()

        bots = [await join(number) for number in range(first, first + count)]
        ears = await all_ears(bots, found)
        say({"ready": len(ears)})
        await told()
        found.clear()
        before, began_s = _cpu_s(), time.monotonic()
        await told()
        share = (_cpu_s() - before) / (time.monotonic() - began_s)
        say({"heard": found, "cpu_share": share})
        for bot in bots:
            await bot.leave()


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


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
            share = count // PROCESSES
            words = [("--be", address, str(n * share), str(share)) for n in range(PROCESSES)]
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


def figures(found: Found, count: int, source: str) -> list[dict[str, object]]:
    """For `make bench`."""
    per_listener = 100 * (found.with_listeners_share - found.alone_share) / count
    late = (
        f"{len(found.late_ms)} packets to {count} listeners on one machine, {source}, by the "
        f"kernel's receive time, beyond the instant at which they had left the playout; "
        f"longest {found.late_ms[-1]:.0f} ms; the backend had handed on the last listener's "
        f"within {percentile(found.left_late_ms, 0.99):.1f} ms (p99); {found.missing} missing"
    )
    cost = (
        f"the backend's processor time with {count} listeners ({found.with_listeners_share:.1%} of "
        f"a core) less that with none ({found.alone_share:.1%}); beside it the lab took "
        f"{found.lab_share:.1%}, the listeners themselves {found.bots_share:.1%}; "
        f"{os.cpu_count()} CPUs"
    )
    return rows(
        [
            (f"sound_late_p50_ms_{count}_listeners", percentile(found.late_ms, 0.5), "ms", late),
            (f"sound_late_p99_ms_{count}_listeners", percentile(found.late_ms, 0.99), "ms", late),
            ("cpu_percent_per_listener", per_listener, "%", cost),
        ]
    )


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
