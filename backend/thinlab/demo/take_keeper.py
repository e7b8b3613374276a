"""Keeps a take running: opens it, opens the next one when settings or a dead host ask for it.

A host that dies is nobody's fault and mended without anybody's help: the next
take has the same settings, and a clip goes on where it was. Only where that
fails again and again, the demo stops, says why, and waits to be started.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
import secrets
import time
from dataclasses import dataclass
from typing import Protocol

from thinlab.demo.clip_position import ClipPosition
from thinlab.demo.demo_clock import DemoClock
from thinlab.demo.setting import ClipStream, DemoSettings, SyntheticStream
from thinlab.demo.state import DemoProblem, DemoStage
from thinlab.demo.take import ChangeRefusedError, RunningTake, TakeNews, TakeOverError
from thinlab.demo.take_request import lanes_of, open_of, synthetic_of
from thinlab.lab.agent import AgentAwayError, AgentRefusedError
from thinlab.lab.demo import TakeCall
from thinlab.lab.generated import lab_pb2 as pb
from thinlab.lab.live_hosts import NoHostError

log = logging.getLogger(__name__)

# Before each further try; the pool has another guest in a second or two.
PAUSES_S = (0.2, 0.5, 1.0, 2.0, 4.0)
# A take that has run for so long was well: what ends it then is a new misfortune.
STEADY_S = 30.0
SAMPLE_BYTES = 2


class TakeOpener(Protocol):
    """Whoever knows hosts and clips."""

    def open(self, request: pb.DemoOpen) -> tuple[TakeCall, bool]:
        """A take, and whether its host shares the server's clock. Raises `NoHostError`."""

    async def clip(self, name: str) -> bytes:
        """A clip's samples."""


class KeeperNews(TakeNews, Protocol):
    """What happens to takes."""

    def opening(self, take: RunningTake, settings: DemoSettings) -> None:
        """A take is being opened."""

    def ended(self, take: RunningTake, end: "TakeEnd") -> None:
        """A take is over."""

    def stage_changed(self) -> None:
        """Stage or problem are others now."""


@dataclass(frozen=True)
class TakeEnd:
    """How a take ended."""

    wanted: bool
    reason: str
    result: pb.DemoResult | None = None
    hopeless: bool = False
    """The same again would fail again."""


class TakeKeeper:
    """One demo's takes."""

    def __init__(
        self, settings: DemoSettings, clock: DemoClock, opener: TakeOpener, news: KeeperNews
    ) -> None:
        self.settings = settings
        self.stage = DemoStage.OPENING
        self.problem: DemoProblem | None = None
        self.paused = False
        self.take: RunningTake | None = None
        self.changed_ns = clock.began_ns
        """When the lanes took their present settings."""
        self._clock = clock
        self._opener = opener
        self._news = news
        self._takes = 0
        self._position = ClipPosition()
        self._replacing = False
        self._ending = False
        self._wanted = asyncio.Event()
        self._wanted.set()
        self._nudge = asyncio.Event()

    async def keep(self) -> None:
        """Runs until `end`."""
        failures = 0
        while await self._is_wanted():
            self._set_stage(DemoStage.OPENING)
            self._replacing = False
            end, steady = await self._one_take()
            if end.wanted or self._ending:
                failures = 0
                continue
            failures = 1 if steady else failures + 1
            if end.hopeless or failures > len(PAUSES_S):
                failures = 0
                self._stop(end)
            else:
                self._set_stage(DemoStage.OPENING)
                await self._rest(PAUSES_S[failures - 1])
        self._set_stage(DemoStage.ENDED)

    async def _is_wanted(self) -> bool:
        await self._wanted.wait()
        return not self._ending

    def _stop(self, end: TakeEnd) -> None:
        self._wanted.clear()
        remedy = (
            "Choose other settings, then start again."
            if end.hopeless
            else "Start again. If it stays so, look at the live lab host's log."
        )
        self.problem = DemoProblem(
            text=f"The lanes could not be opened: {end.reason}", remedy=remedy
        )
        self._set_stage(DemoStage.STOPPED)

    async def _rest(self, pause_s: float) -> None:
        self._nudge.clear()
        try:
            async with asyncio.timeout(pause_s):
                await self._nudge.wait()
        except TimeoutError:
            pass

    def _set_stage(self, stage: DemoStage) -> None:
        self.stage = stage
        self._news.stage_changed()

    async def _one_take(self) -> tuple[TakeEnd, bool]:
        """How it ended, and whether it had run well before."""
        self._takes += 1
        settings, seed = self.settings, secrets.randbits(32)
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        take: RunningTake | None = None
        try:
            clip = await self._clip(settings)
            start = self._position.sample(len(clip or b"") // SAMPLE_BYTES)
            call, shares_clock = self._opener.open(open_of(settings, seed, clip, start))
            take = RunningTake(self._takes, seed, call, self._news)
            self._news.opening(take, settings)
            self.take = take
            self._opened = settings
            result = await take.run(self._clock, shares_clock=shares_clock)
            wanted = self._replacing or self._ending
            reason = result.reason or ("finished" if wanted else "it ended by itself")
            end = TakeEnd(wanted=wanted, reason=reason, result=result)
        except (AgentAwayError, NoHostError) as error:
            # Whoever wanted it to end gets what they wanted.
            end = TakeEnd(wanted=self._replacing, reason=str(error))
        except AgentRefusedError as error:
            end = TakeEnd(wanted=self._replacing, reason=str(error), hopeless=True)
        except Exception as error:
            log.exception("a demo's take could not be run")
            end = TakeEnd(wanted=False, reason=type(error).__name__, hopeless=True)
        finally:
            self._position.stands(time.time_ns())
            self.take = None
        if take is not None:
            self._news.ended(take, end)
        return end, loop.time() - began_s > STEADY_S

    async def _clip(self, settings: DemoSettings) -> bytes | None:
        stream = settings.stream
        return await self._opener.clip(stream.clip) if isinstance(stream, ClipStream) else None

    def took_off(self, take: RunningTake) -> None:
        """The take is ready: brings it to what was asked for meanwhile."""
        self.problem = None
        self.changed_ns = time.time_ns()
        if self.paused:
            take.pause(paused=True)
        else:
            self._position.runs(time.time_ns())
        changed = self._changed_lanes(self._opened, self.settings, take.seed)
        if changed:
            self._catching_up = asyncio.create_task(self._catch_up(take, changed))
        self._set_stage(DemoStage.PAUSED if self.paused else DemoStage.RUNNING)

    async def _catch_up(self, take: RunningTake, lanes: dict[int, pb.LaneSpec]) -> None:
        try:
            await take.change(lanes)
        except TakeOverError:
            pass
        except ChangeRefusedError as error:
            log.warning("a change that was made while a take opened was refused: %s", error)

    async def change(self, settings: DemoSettings) -> int | None:
        """Other lanes or another path. When the kernel had taken it, in ns since 1970.

        None: no take runs now, the next one begins with it. Raises `ChangeRefusedError`.
        """
        take = self.take
        if take is None or not take.is_ready:
            self.settings = settings
            return None
        changed = self._changed_lanes(self.settings, settings, take.seed)
        kernel_ns: int | None = time.time_ns()
        if changed:
            try:
                kernel_ns = await take.change(changed)
            except TakeOverError:
                kernel_ns = None
        self.settings = settings
        if changed and kernel_ns is not None:
            self.changed_ns = kernel_ns
        return kernel_ns

    @staticmethod
    def _changed_lanes(
        before: DemoSettings, after: DemoSettings, seed: int
    ) -> dict[int, pb.LaneSpec]:
        pairs = zip(lanes_of(before, seed), lanes_of(after, seed), strict=True)
        return {at: new for at, (old, new) in enumerate(pairs) if old != new}

    def set_synthetic(self, stream: SyntheticStream) -> None:
        """Another size and pace."""
        self.settings = self.settings.model_copy(update={"stream": stream})
        if self.take is not None and self.take.is_ready:
            self.take.synthetic(synthetic_of(stream))
            self.changed_ns = time.time_ns()

    def replace(self, settings: DemoSettings) -> None:
        """Settings that only a new take can have."""
        if settings.stream != self.settings.stream:
            self._position.back()
        self.settings = settings
        self._replacing = True
        self._nudge.set()
        if self.take is not None:
            self.take.finish()
        else:
            self.start()

    def pause(self, *, paused: bool) -> None:
        """Whether anything new is written."""
        self.paused = paused
        if self.take is None or not self.take.is_ready:
            return
        self.take.pause(paused=paused)
        if paused:
            self._position.stands(time.time_ns())
        else:
            self._position.runs(time.time_ns())
        self._set_stage(DemoStage.PAUSED if paused else DemoStage.RUNNING)

    def start(self) -> None:
        """Goes on where it stopped."""
        self.problem = None
        self._wanted.set()

    def end(self) -> None:
        """No further take."""
        self._ending = True
        self._nudge.set()
        self._wanted.set()
        if self.take is not None:
            self.take.finish()
