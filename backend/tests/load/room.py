"""What a demo costs that a hundred people watch and hear: network, processor, and everybody else.

Their pages run in processes of their own, niced: each takes the feed as browsers do, compressed,
and throws it away, and hears a lane.

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import asyncio
import os
import time
from contextlib import AsyncExitStack

import httpx
import psutil

from tests.demo.listening_bot import ListeningBot
from tests.load.child import MEASURE_S, PATIENCE_S, PROCESSES, be_child, child, say, told
from tests.load.demo_stack import DemoStack
from tests.load.figures import percentile, rows
from tests.load.quick_ear import all_ears
from tests.load.wire_page import WirePage

PAGES = 100
ALONE_S = 15.0
# Past the welcome, and past the first minute, after which both curves of each lane are full.
SETTLE_S = 30.0
PROBE_S = 20.0


async def be_pages(address: str, code: str, count: int) -> None:
    """So many, until standard input ends; what came to them goes to standard output."""
    be_child()
    # On a busy machine the server has closed a connection before it is used again.
    limits = httpx.Limits(max_keepalive_connections=0)
    async with httpx.AsyncClient(base_url=address, timeout=PATIENCE_S, limits=limits) as server:

        async def join(page: WirePage) -> ListeningBot:
            async def offer(sdp: str) -> str:
                body = {"sdp": sdp, "listener": page.listener}
                answer = await server.post(f"/api/audience/{code}/offer", json=body)
                return str(answer.raise_for_status().json()["sdp"])

            await page.join(address, code)
            return await ListeningBot(offer, lambda _: None).join()

        pages = [WirePage(reads=number == 0) for number in range(count)]
        bots = []
        for page in pages:
            bots.append(await join(page))
            say({"joined": len(bots)})
        heard: list[tuple[int, int]] = []
        ears = await all_ears(bots, heard)
        say({"ready": len(ears)})
        await told()
        for page in pages:
            page.bytes_of.clear()
        heard.clear()
        began_s = time.monotonic()
        await told()
        passed_s = time.monotonic() - began_s
        found = {
            "passed_s": passed_s,
            "bytes": [page.bytes_of.total() for page in pages],
            "kinds": pages[0].bytes_of,
            "packets": len(heard),
        }
        say(found)
        for bot in bots:
            await bot.leave()


class Room:
    """What was measured."""

    def __init__(self) -> None:
        self.alone_share = 0.0
        self.with_pages_share = 0.0
        self.kb_per_second: list[float] = []
        """Of each page, sorted."""
        self.kinds_kb_per_second: dict[str, float] = {}
        self.packets_per_second = 0.0
        self.holds_alone_ms: list[float] = []
        self.holds_ms: list[float] = []


async def _cpu_share(process: psutil.Process, passing_s: float) -> float:
    before, began_s = process.cpu_times(), time.monotonic()
    await asyncio.sleep(passing_s)
    after, passed_s = process.cpu_times(), time.monotonic() - began_s
    return float(after.user + after.system - before.user - before.system) / passed_s


async def _holds(stack: DemoStack) -> list[float]:
    await stack.begin_probe()
    await asyncio.sleep(PROBE_S)
    return await stack.end_probe()


async def fill(stack: DemoStack, count: int) -> Room:
    """So many pages at once."""
    found = Room()
    backend = stack.backend
    found.alone_share = await _cpu_share(backend, ALONE_S)
    found.holds_alone_ms = await _holds(stack)
    share = count // PROCESSES
    words = ("tests.load.room", "--be", stack.thinlab.address, stack.code, str(share))
    async with AsyncExitStack() as stack_of_bots:
        bots = [await stack_of_bots.enter_async_context(child(*words)) for _ in range(PROCESSES)]
        for bot in bots:
            while "ready" not in await bot.said():
                pass
        await asyncio.sleep(SETTLE_S)
        for bot in bots:
            await bot.tell()
        found.with_pages_share = await _cpu_share(backend, MEASURE_S)
        for bot in bots:
            await bot.tell()
        heard = [await bot.said() for bot in bots]
        found.holds_ms = await _holds(stack)
    rates = [one / of["passed_s"] / 1000 for of in heard for one in of["bytes"]]
    found.kb_per_second = sorted(rates)
    first = heard[0]
    found.kinds_kb_per_second = {
        kind: size / first["passed_s"] / 1000 for kind, size in first["kinds"].items()
    }
    found.packets_per_second = sum(one["packets"] / one["passed_s"] for one in heard)
    return found


def figures(found: Room, count: int) -> list[dict[str, object]]:
    """For `make bench`."""
    kinds = ", ".join(
        f"{kind} {rate:.1f}" for kind, rate in sorted(found.kinds_kb_per_second.items())
    )
    feed = (
        f"median of {count} pages that watch two lanes of speech, on the wire without TCP's "
        f"headers; of one page by kind: {kinds}; all pages together "
        f"{sum(found.kb_per_second) * 8 / 1000:.1f} Mbit/s"
    )
    cost = (
        f"the backend's processor time with {count} pages that watch and hear "
        f"({found.packets_per_second / count:.0f} packets a second each), "
        f"{found.with_pages_share:.1%} of a core, less that with the console alone, "
        f"{found.alone_share:.1%}, by page; {os.cpu_count()} CPUs"
    )
    holds, alone = found.holds_ms, found.holds_alone_ms
    hold = (
        f"the longest piece of work of the web server's loop in each 20 ms, by its own processor "
        f"time, with {count} pages that watch and hear: p50 {percentile(holds, 0.5):.2f}, longest "
        f"{holds[-1]:.1f} ms; with the console alone p99 {percentile(alone, 0.99):.2f}, longest "
        f"{alone[-1]:.1f} ms"
    )
    per_page = 100 * (found.with_pages_share - found.alone_share) / count
    return rows(
        [
            ("feed_kb_per_second_page", percentile(found.kb_per_second, 0.5), "kB/s", feed),
            ("cpu_percent_per_page", per_page, "%", cost),
            ("event_loop_hold_p99_ms", percentile(holds, 0.99), "ms", hold),
        ]
    )


def main() -> None:
    """The pages; whoever measures starts this."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--be", nargs=3, metavar=("ADDRESS", "CODE", "COUNT"), required=True)
    address, code, count = parser.parse_args().be
    asyncio.run(be_pages(address, code, int(count)))


if __name__ == "__main__":
    main()
