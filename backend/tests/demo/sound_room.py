"""A demo's sound alone, as a server: for browsers' tests, and to be measured.

In place of the lab a clock plays marked sound. What is sent is kept, so that what is heard
can be compared with it.

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import asyncio
import gc
import json
import resource
import signal
import socket
import sys
import tempfile
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from types import SimpleNamespace
from typing import NamedTuple

import aioice.ice
import uvicorn
import uvloop
from fastapi import FastAPI, HTTPException
from fastapi.responses import FileResponse, HTMLResponse
from pydantic import BaseModel

from tests.demo import marked_sound
from tests.demo.lab_take import Play, demo_agent, play_the_lab
from tests.demo.opus import PACKET_NS
from thinlab.demo.audience_sound import AudienceSound
from thinlab.demo.audio_peer import FullError, OfferError
from thinlab.demo.microphone import Microphone
from thinlab.demo.rtp_stream import SAMPLES_PER_PACKET, SAMPLES_PER_S
from thinlab.settings import CHECKOUT
from thinlab.web.security import Guard

# The playout works in 10 ms: so long after a packet's first half its second is there.
READY_NS = 10_000_000
TAP = CHECKOUT / "frontend/e2e/soundTap.js"
LANES = 2
LOOP_S = 4
KEPT_S = 120


class Offered(BaseModel):
    """A page wants to hear, or to speak."""

    sdp: str
    listener: str = ""


class Chosen(BaseModel):
    """A page wants to hear another lane."""

    listener: str
    lane: int


class Left(NamedTuple):
    """A packet that has gone out to everybody."""

    timestamp: int
    at_ns: int
    """When its first sample left the playout."""
    left_ns: int


async def play_by_the_clock(lanes: int, play: Play) -> None:
    """Marked sound, 20 ms every 20 ms, however late the last was."""
    opus = [marked_sound.packets(lane, LOOP_S) for lane in range(lanes)]
    begin_ns = time.time_ns()
    number = 0
    while True:
        due_ns = begin_ns + number * PACKET_NS
        await asyncio.sleep(max(due_ns - time.time_ns(), 0) / 1e9)
        place = number % len(opus[0])
        await play(number, due_ns - READY_NS, [lane[place] for lane in opus])
        number += 1


class SoundRoom:
    """The routes, and what was sent through them."""

    def __init__(self, source: Callable[[Play], Awaitable[None]]) -> None:
        self.sound = AudienceSound()
        self.spoken: deque[bytes] = deque(maxlen=KEPT_S * 50)
        self.microphone = Microphone(self.spoken.append, lambda _: None)
        self._source = source
        self._sent: deque[tuple[int, int, tuple[bytes, ...]]] = deque(maxlen=KEPT_S * 50)
        self._left: deque[Left] = deque(maxlen=KEPT_S * 50)
        self._playing: asyncio.Task[None] | None = None

    async def _play(self, number: int, at_ns: int, lanes: Sequence[bytes]) -> None:
        self._sent.append((number, at_ns, tuple(lanes)))
        await self.sound.play(number, at_ns, lanes)
        now_ns = time.time_ns()
        placed = self.sound._timeline._known
        assert placed is not None
        self._left.append(Left(placed[0], at_ns, now_ns))

    def begin(self) -> None:
        """A take begins."""

        async def take() -> None:
            await self._source(self._play)

        self._playing = asyncio.create_task(take())

    async def end(self) -> None:
        """It breaks off."""
        if self._playing is not None:
            self._playing.cancel()
            with suppress(asyncio.CancelledError):
                await self._playing
            self._playing = None

    def marks_ns(self, lane: int) -> list[float]:
        """When the chirps of a lane left the playout."""
        sent = list(self._sent)
        runs: list[list[tuple[int, int, tuple[bytes, ...]]]] = []
        for one in sent:
            if not runs or runs[-1][-1][0] + 1 != one[0]:
                runs.append([])
            runs[-1].append(one)
        marks: list[float] = []
        for run in runs:
            for samples in marked_sound.marks_samples([lanes[lane] for _, _, lanes in run]):
                place, rest = divmod(samples, SAMPLES_PER_PACKET)
                marks.append(run[int(place)][1] + rest / SAMPLES_PER_S * 1e9)
        return marks

    def app(self) -> FastAPI:
        """The server."""
        app = FastAPI()
        # What browsers are told to forbid, as by the real one.
        app.add_middleware(Guard)
        app.state.services = SimpleNamespace(strict_transport=False)

        @app.get("/")
        def index() -> HTMLResponse:
            return HTMLResponse("")

        @app.get("/tap.js")
        def tap() -> FileResponse:
            return FileResponse(TAP, media_type="text/javascript")

        @app.post("/offer")
        async def offer(offered: Offered) -> dict[str, str]:
            return {"sdp": await refused(self.sound.answer(offered.sdp, offered.listener))}

        @app.post("/microphone")
        async def speak(offered: Offered) -> dict[str, str]:
            return {"sdp": await refused(self.microphone.answer(offered.sdp))}

        @app.post("/listen")
        async def listen(chosen: Chosen) -> dict[str, int]:
            self.sound.listen(chosen.listener, chosen.lane)
            return {"at_ns": time.time_ns()}

        @app.post("/begin")
        async def begin() -> None:
            await self.end()
            self.begin()

        @app.post("/end")
        async def end() -> None:
            await self.end()

        self._tell(app)
        return app

    def _tell(self, app: FastAPI) -> None:
        """What came and went."""

        @app.get("/spoken")
        def spoken() -> dict[str, int]:
            return {
                "pieces": len(self.spoken),
                "loudest": max((max(memoryview(one).cast("h")) for one in self.spoken), default=0),
            }

        @app.get("/marks")
        def marks(lane: int) -> list[float]:
            return self.marks_ns(lane)

        @app.get("/left")
        def left() -> list[Left]:
            return list(self._left)

        @app.get("/facts")
        async def facts() -> dict[str, float]:
            used = resource.getrusage(resource.RUSAGE_SELF)
            said = self.sound.receptions()
            return {
                "streams": self.sound.streams,
                "cpu_s": used.ru_utime + used.ru_stime,
                "now_s": time.monotonic(),
                "played": len(self._left),
                "reports": len(said),
                "lost_share": max((one.lost_share for one in said), default=0.0),
            }


def stay_on_this_machine() -> None:
    """From now on peers are looked for on the loopback interface, which aioice leaves out."""
    aioice.ice.get_host_addresses = lambda use_ipv4, use_ipv6: ["127.0.0.1"] * use_ipv4  # noqa: ARG005


async def refused(answer: Awaitable[str]) -> str:
    """The answer, or the refusal that the demo's routes give."""
    try:
        return await answer
    except OfferError as error:
        raise HTTPException(422) from error
    except FullError as error:
        raise HTTPException(503) from error


async def serve(room: SoundRoom, port: int) -> None:
    """Until a signal. Prints where."""
    with socket.create_server(("127.0.0.1", port)) as listening:
        config = uvicorn.Config(room.app(), log_level="warning", lifespan="off")
        server = uvicorn.Server(config)
        room.begin()
        print(json.dumps({"port": listening.getsockname()[1]}), flush=True)
        gc.freeze()
        await server.serve([listening])
        await room.end()
        await room.microphone.close()
        await room.sound.close()


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--lab", action="store_true", help="a take of the real lab plays instead")
    parser.add_argument("--loss-share", type=float, default=0.0, help="of the lab's lanes")
    parser.add_argument("--loopback", action="store_true", help="listeners are on this machine")
    chosen = parser.parse_args()
    # uvicorn hands the signal on when it has closed; the lab is to be ended then, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    if chosen.loopback:
        stay_on_this_machine()
    if not chosen.lab:
        uvloop.run(serve(SoundRoom(partial(play_by_the_clock, LANES)), chosen.port))
        return
    with tempfile.TemporaryDirectory(prefix="thinlab-lab-") as folder, demo_agent(folder) as lab:
        source = partial(play_the_lab, lab, chosen.loss_share)
        uvloop.run(serve(SoundRoom(source), chosen.port))


if __name__ == "__main__":
    main()
