"""Keeps a take running: opens it, opens the next one when settings or a dead host ask for it.

There is one wish, `settings`, and one account of what the take's lanes have,
`_has`. Whatever is wished goes to the take where it can; a take that cannot
have it is told to finish, and the next one is opened with whatever is wished
then. A take that is being opened is compared with the wish when it is ready.

A host that dies is nobody's fault and mended without anybody's help: the next
take has the same settings, and a clip goes on where it was. Only where that
fails again and again, the demo stops, says why, and waits to be started.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
import time
from dataclasses import dataclass
from typing import Protocol

from thinlab.condition import seeds
from thinlab.condition.transport import Mechanism, UdpLite
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.demo.clip_position import ClipPosition
from thinlab.demo.clock import DemoClock
from thinlab.demo.setting import DemoLane, DemoSettings
from thinlab.demo.state import DemoProblem, DemoStage
from thinlab.demo.stream import ClipStream, SyntheticStream
from thinlab.demo.take import ChangeRefusedError, RunningTake, TakeNews, TakeOverError
from thinlab.demo.take_request import lanes_of, open_of
from thinlab.lab.agent import AgentAwayError, AgentRefusedError
from thinlab.lab.demo import TakeCall
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

    def wish_refused(self, reason: str) -> None:
        """What was wished while a take opened, its lanes cannot have: they stay as they are."""


@dataclass(frozen=True)
class TakeEnd:
    """How a take ended."""

    wanted: bool
    reason: str
    result: pb.DemoResult | None = None
    hopeless: bool = False
    """The same again would fail again."""


class TakeSupervisor:
    """One demo's takes."""

    def __init__(
        self, settings: DemoSettings, clock: DemoClock, opener: TakeOpener, news: KeeperNews
    ) -> None:
        self.settings = settings
        """What is wished; but for a change on its way, what the lanes have or the next will."""
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
        self._opened = settings
        """What the take's connections were opened with."""
        self._has = settings
        """The same, and what the take has taken since."""
        self._changing = asyncio.Lock()
        """One change at a time is on its way to the lanes."""
        self._ending = False
        self._wanted = asyncio.Event()
        self._wanted.set()
        self._nudge = asyncio.Event()

    async def keep(self) -> None:
        """Runs until `end`."""
        failures = 0
        while await self._is_wanted():
            self._set_stage(DemoStage.OPENING)
            end, steady = await self._one_take()
            if end.wanted or self._ending:
                failures = 0
                continue
            failures = 1 if steady else failures + 1
            # What is refused for good is tried again if something else is wished by now.
            hopeless = end.hopeless and self._has == self.settings
            if hopeless or failures > len(PAUSES_S):
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
        loop = asyncio.get_running_loop()
        began_s = loop.time()
        take: RunningTake | None = None
        try:
            self._has = self.settings
            clip = await self._clip()
            # From here to the take nothing waits: no wish can come between.
            if self._ending:
                return TakeEnd(wanted=True, reason="never opened"), False
            settings = self._has = self._opened = self.settings
            seed = seeds.drawn()
            start = self._position.sample(len(clip or b"") // SAMPLE_BYTES)
            call, shares_clock = self._opener.open(open_of(settings, seed, clip, start))
            self._takes += 1
            take = self.take = RunningTake(self._takes, seed, call, self._news)
            self._news.opening(take, settings)
            result = await take.run(self._clock, shares_clock=shares_clock)
            reason = result.reason or ("finished" if take.ending else "it ended by itself")
            end = TakeEnd(wanted=take.ending, reason=reason, result=result)
        except (AgentAwayError, NoHostError) as error:
            # Whoever wanted it to end gets what they wanted.
            end = TakeEnd(wanted=take is not None and take.ending, reason=str(error))
        except AgentRefusedError as error:
            wanted = take is not None and take.ending
            end = TakeEnd(wanted=wanted, reason=str(error), hopeless=True)
        except Exception as error:
            log.exception("a demo's take could not be run")
            end = TakeEnd(wanted=False, reason=type(error).__name__, hopeless=True)
        finally:
            self._position.stands(time.time_ns())
            self.take = None
        if take is not None:
            self._news.ended(take, end)
        return end, loop.time() - began_s > STEADY_S

    async def _clip(self) -> bytes | None:
        """That of the stream that is wished once it has been read."""
        while isinstance(stream := self.settings.stream, ClipStream):
            clip = await self._opener.clip(stream.clip)
            if self._ending or self.settings.stream == stream:
                return clip
        return None

    @property
    def live(self) -> RunningTake | None:
        """The take, while it takes wishes and keys: it is ready, and not told to finish."""
        take = self.take
        return take if take is not None and take.is_ready and not take.ending else None

    def took_off(self, take: RunningTake) -> None:
        """The take is ready: brings it to what was asked for meanwhile."""
        self.problem = None
        self.changed_ns = time.time_ns()
        if self._ending or not _one_take_has_both(self._opened, self.settings):
            take.finish()
        if take.ending:
            # Its lanes are nobody's wish: what is told waits for the next take.
            return
        if self.paused:
            take.pause(paused=True)
        else:
            self._position.runs(time.time_ns())
        if self._has != self.settings:
            self._catching_up = asyncio.create_task(self._catch_up(take))
        self._set_stage(DemoStage.PAUSED if self.paused else DemoStage.RUNNING)

    async def _catch_up(self, take: RunningTake) -> None:
        async with self._changing:
            if self.live is not take:
                return
            try:
                await self._reach(take, self.settings)
            except ChangeRefusedError as error:
                log.warning("a change that was made while a take opened was refused: %s", error)
                if self.live is take:
                    self.settings = self._has
                self._news.wish_refused(str(error))

    async def _reach(self, take: RunningTake, settings: DemoSettings) -> int | None:
        """As `change`, of the live take, one at a time."""
        changed = _changed_lanes(self._has, settings, take.seed)
        kernel_ns = time.time_ns()
        if changed:
            try:
                kernel_ns = await take.change(changed)
            except TakeOverError:
                if self.take is take:
                    # It lives and does not answer: whether it has taken it, nobody knows.
                    take.finish()
                return None
        if isinstance(settings.stream, SyntheticStream) and settings.stream != self._has.stream:
            take.synthetic(settings.stream.paced())
        if self.take is take:
            self._has = settings
            self.changed_ns = kernel_ns
        return kernel_ns

    async def change(self, settings: DemoSettings) -> int | None:
        """Other lanes or another path, of the same number of lanes and the same stream.

        When the kernel had taken it, in ns since 1970. None: no take can have it now, the
        next one begins with it. Raises `ChangeRefusedError`.
        """
        async with self._changing:
            take = self.live
            kernel_ns = None if take is None else await self._reach(take, settings)
            self.settings = settings
            return kernel_ns

    async def set_synthetic(self, stream: SyntheticStream) -> None:
        """Another size and pace."""
        async with self._changing:
            self.settings = self.settings.model_copy(update={"stream": stream})
            take = self.live
            if take is not None:
                await self._reach(take, self.settings)

    def is_for_a_new_take(self, settings: DemoSettings) -> bool:
        """Whether no take can go from what is wished to these settings."""
        opened = self._opened
        if not _one_take_has_both(opened, self.settings):
            # The next take will be opened with what is wished by now.
            opened = self.settings
        return not _one_take_has_both(opened, settings)

    def replace(self, settings: DemoSettings) -> None:
        """Settings that only a new take can have."""
        if settings.stream != self.settings.stream:
            self._position.back()
        self.settings = settings
        self._nudge.set()
        if self.take is not None:
            self.take.finish()
        else:
            self.start()

    def renew(self) -> None:
        """Another take with the same settings, where one runs or is being opened."""
        if self.take is not None:
            self.take.finish()
            self._set_stage(DemoStage.OPENING)

    def pause(self, *, paused: bool) -> None:
        """Whether anything new is written."""
        self.paused = paused
        take = self.live
        if take is None:
            return
        take.pause(paused=paused)
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


def _one_take_has_both(opened: DemoSettings, wanted: DemoSettings) -> bool:
    """Whether a take that was opened with some settings can have others."""
    streams = (opened.stream, wanted.stream)
    return (
        len(opened.lanes) == len(wanted.lanes)
        and all(map(_one_connection_has_both, opened.lanes, wanted.lanes))
        and (streams[0] == streams[1] or all(isinstance(one, SyntheticStream) for one in streams))
    )


def _one_connection_has_both(opened: DemoLane, wanted: DemoLane) -> bool:
    """The same for a lane: a connection keeps its protocol, and what its ends agreed on."""
    if _carried_by(opened) != _carried_by(wanted):
        return False
    # Headers' checksums matter where damage is taken, and stay where it is not.
    takes_damage = Mechanism.TCP_LITE in wanted.mechanisms
    return not takes_damage or _checks_headers(opened) == _checks_headers(wanted)


def _carried_by(lane: DemoLane) -> tuple[str, UdpLite]:
    # Of what SCTP is told, a demo's lanes differ in the delay of SACKs alone, which is switched.
    return lane.protocol.value, lane.in_use.udp_lite


def _checks_headers(lane: DemoLane) -> bool:
    return Mechanism.HEADER_CHECKSUM in lane.mechanisms


def _changed_lanes(before: DemoSettings, after: DemoSettings, seed: int) -> dict[int, pb.LaneSpec]:
    pairs = zip(lanes_of(before, seed), lanes_of(after, seed), strict=True)
    return {at: new for at, (old, new) in enumerate(pairs) if old != new}
