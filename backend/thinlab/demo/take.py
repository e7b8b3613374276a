"""One take: the lanes opened, one stream in step, changes on the way, the end.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import time
from contextlib import aclosing
from typing import Protocol

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.demo.clock import DemoClock, TakeClock
from thinlab.lab.agent import AgentAwayError
from thinlab.lab.demo import TakeCall

# The agent answers in milliseconds; a guest that takes longer is about to be replaced.
CHANGE_PATIENCE_S = 5.0
# A terminal logs in over the lanes first.
OPEN_PATIENCE_S = 30.0
# From `finish` to the result: the connections are drained and every capture is complete.
FINISH_PATIENCE_S = 15.0


class ChangeRefusedError(Exception):
    """The lanes did not take a change; the text says why, and nothing has changed."""


class TakeOverError(Exception):
    """The take ended before a change had reached the kernel."""


class TakeNews(Protocol):
    """What a take tells whoever keeps it; none of it waits but the sound's fan-out."""

    def ready(self, take: "RunningTake", ready: pb.LiveReady) -> None:
        """The stream runs."""

    def moment(self, take: "RunningTake", moment: pb.DemoMoment) -> None:
        """What became known in 100 ms."""

    def screen(self, take: "RunningTake", lane: int, screen: pb.TerminalScreen) -> None:
        """A lane's terminal shows more."""

    def file(self, take: "RunningTake", lane: int, file: pb.FileChunk) -> None:
        """The next bytes of one of a lane's files."""

    async def heard(self, take: "RunningTake", sound: pb.DemoSound) -> None:
        """The next 20 ms."""


class RunningTake:
    """A take from its opening to its result."""

    def __init__(self, number: int, seed: int, call: TakeCall, news: TakeNews) -> None:
        self.number = number
        self.seed = seed
        self.is_ready = False
        self.clock: TakeClock | None = None
        """None until it is ready."""
        self._call = call
        self._news = news
        self._changes: dict[int, asyncio.Future[pb.DemoChanged | None]] = {}
        self._last_change = 0
        self._keys = 0
        self._drawn: list[tuple[int, pb.TerminalScreen]] = []
        """What the editors drew before the take was ready: without a clock it has no instant."""
        self.ending = False
        """Whether it was told to finish."""
        self._limit = asyncio.timeout(OPEN_PATIENCE_S)
        """None while the stream runs."""

    async def run(self, demo: DemoClock, *, shares_clock: bool) -> pb.DemoResult:
        """Runs to the end. Raises `AgentAwayError`, `AgentRefusedError`."""
        result: pb.DemoResult | None = None
        try:
            async with self._limit, aclosing(self._call.events()) as events:
                async for event in events:
                    if event.HasField("ready"):
                        self._begin(event.ready, demo, shares_clock=shares_clock)
                    elif event.HasField("demo"):
                        result = event.demo
                    else:
                        await self._pass_on(event)
        except TimeoutError as error:
            late = "end" if self.ending else "begin"
            raise AgentAwayError(f"the take was to {late} and did not") from error
        finally:
            self.is_ready = False
            for change in self._changes.values():
                if not change.done():
                    change.set_result(None)
        if result is None:
            raise AgentAwayError("the take ended without a result")
        return result

    def _begin(self, ready: pb.LiveReady, demo: DemoClock, *, shares_clock: bool) -> None:
        self.clock = TakeClock(demo, 0 if shares_clock else ready.at_ns - time.time_ns())
        self.is_ready = True
        if not self.ending:
            self._limit.reschedule(None)
        self._news.ready(self, ready)
        for lane, screen in self._drawn:
            self._news.screen(self, lane, screen)
        self._drawn.clear()

    async def _pass_on(self, event: pb.LiveEvent) -> None:
        match event.WhichOneof("event"):
            case "sound":
                await self._news.heard(self, event.sound)
            case "moment":
                self._news.moment(self, event.moment)
            case "screen" if self.clock is None:
                self._drawn.append((event.lane, event.screen))
            case "screen":
                self._news.screen(self, event.lane, event.screen)
            case "file":
                self._news.file(self, event.lane, event.file)
            case "changed":
                changed = self._changes.pop(event.changed.id, None)
                if changed is not None and not changed.done():
                    changed.set_result(event.changed)

    async def change(self, lanes: dict[int, pb.LaneSpec]) -> int:
        """When the kernel had taken the change, by the server's clock in ns since 1970.

        Raises `ChangeRefusedError`, `TakeOverError`.
        """
        if self.clock is None or not self.is_ready:
            raise TakeOverError
        self._last_change += 1
        number = self._last_change
        future = asyncio.get_running_loop().create_future()
        self._changes[number] = future
        self._call.say(
            pb.LiveInput(
                change=pb.DemoChange(
                    id=number,
                    lanes=[pb.DemoLaneChange(lane=at, spec=spec) for at, spec in lanes.items()],
                )
            )
        )
        try:
            async with asyncio.timeout(CHANGE_PATIENCE_S):
                changed = await future
        except TimeoutError as error:
            raise TakeOverError from error
        finally:
            self._changes.pop(number, None)
        if changed is None:
            raise TakeOverError
        if changed.problem:
            raise ChangeRefusedError(changed.problem)
        return self.clock.on_server_ns(changed.kernel_at_ns)

    def pause(self, *, paused: bool) -> None:
        """Whether anything new is written."""
        self._call.say(pb.LiveInput(pause=pb.DemoPause(paused=paused)))

    def synthetic(self, stream: pb.SyntheticStream) -> None:
        """Another size and pace."""
        self._call.say(pb.LiveInput(synthetic=stream))

    def press(self, data: bytes) -> None:
        """A key for every lane's terminal."""
        self._keys += 1
        self._call.say(pb.LiveInput(keys=pb.TerminalKeys(number=self._keys, data=data)))

    def microphone(self, sound: bytes) -> None:
        """What the presenter said."""
        self._call.say(pb.LiveInput(microphone=pb.SoundPiece(s16le_48k_mono=sound)))

    def finish(self) -> None:
        """Ends it, results first."""
        if self.ending:
            return
        self.ending = True
        self._call.say(pb.LiveInput(finish=pb.LiveFinish()))
        if not self._limit.expired():
            self._limit.reschedule(asyncio.get_running_loop().time() + FINISH_PATIENCE_S)
