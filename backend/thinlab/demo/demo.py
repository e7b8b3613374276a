"""One running demo: its takes, those who watch and hear, and what is kept of it.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.contract.generated.results import DemoResult
from thinlab.demo import snapshot
from thinlab.demo.advice import measured_advice, settings_advice
from thinlab.demo.audience import Audience
from thinlab.demo.audience_sound import AudienceSound
from thinlab.demo.broadcast import Broadcast
from thinlab.demo.clock import DemoClock
from thinlab.demo.feed import DemoEvent, DemoEventKind
from thinlab.demo.held_up import HeldUp
from thinlab.demo.limits import limit_advice, limit_reached
from thinlab.demo.microphone import Microphone
from thinlab.demo.moment_queue import MomentQueue, ReadyMoment
from thinlab.demo.poll import Ballots
from thinlab.demo.registry import DemoRegistry
from thinlab.demo.setting import DemoSettings
from thinlab.demo.state import Advice, DemoStage
from thinlab.demo.store import DemoFiles, DemoStore
from thinlab.demo.take import RunningTake
from thinlab.demo.take_supervisor import TakeEnd, TakeOpener, TakeSupervisor
from thinlab.demo.wording import brief, lane_names, take_words

log = logging.getLogger(__name__)

TICK_S = 1.0
# What is said to be measured holds for these settings alone.
SETTLED_MS = 60_000.0


@dataclass(frozen=True)
class DemoIdentity:
    """What never changes of a demo."""

    demo_id: int
    title: str
    code: str
    join_url: str
    began_ns: int


class ClipsAndHosts(TakeOpener, Protocol):
    """What takes are made of."""

    def credit(self, clip: str) -> str:
        """Whom whoever plays a clip has to name."""


class Demo:
    """A state machine, fed by the presenter's commands and by its takes."""

    def __init__(
        self,
        identity: DemoIdentity,
        settings: DemoSettings,
        opener: ClipsAndHosts,
        store: DemoStore,
        archive: DemoRegistry,
        ballots: Ballots,
    ) -> None:
        self.demo_id = identity.demo_id
        self.title = identity.title
        self.code = identity.code
        self.join_url = identity.join_url
        self.clock = DemoClock(identity.began_ns)
        files = DemoFiles(store, identity.demo_id)
        self._sound = AudienceSound()
        self.audience = Audience(len(settings.lanes), ballots, self._sound)
        self.microphone = Microphone(self._said, lambda _: self.tell_state())
        self.broadcast = Broadcast(files)
        self._moments = MomentQueue(self._tell_moment)
        self.supervisor = TakeSupervisor(settings, self.clock, opener, self)
        self._opener = opener
        self.on_its_way: dict[int, str] = {}
        """Changes that the kernel has yet to take, by the number of their command."""
        self.turn = asyncio.Lock()
        """Commands that change the lanes take it one after the other."""
        self.take_number = 0
        self.take_at_ms: float | None = None
        self._heard_from_take = 0
        self.advice: list[Advice] = []
        self.held_up = HeldUp()
        self._files, self._store = files, store
        self._free_bytes = store.free_bytes()
        self._archive = archive
        self._events = 0
        self._last_minute: list[dict[str, Any] | None] = []
        self._counts = self._counted()
        self._opened = settings
        """What the last take was opened with."""
        self.keeping = asyncio.create_task(self._keep())

    # ------------------------------------------------------------ what is told

    def tell_state(self) -> None:
        """To all who watch."""
        state = snapshot.for_consoles(self)
        self._counts = self._counted()
        self.broadcast.state(
            state.at_ms, state.model_dump_json(), snapshot.for_audience(self).model_dump_json()
        )

    def _counted(self) -> tuple[int, int, Counter[str]]:
        poll = self.audience.poll
        votes = Counter[str]() if poll is None else poll.counts()
        return self.audience.watching, self.audience.listening().total(), votes

    def console_state(self) -> str:
        """For one console."""
        return snapshot.for_consoles(self).model_dump_json()

    def audience_state(self) -> str:
        """For one page of the audience."""
        return snapshot.for_audience(self).model_dump_json()

    def event(
        self,
        kind: DemoEventKind,
        text: str,
        *,
        who: str = "server",
        at_ns: int | None = None,
        lanes: tuple[int, ...] = (),
        kernel_ms: float | None = None,
    ) -> int:
        """Notes that something happened, and tells it; its number."""
        self._events += 1
        event = DemoEvent.model_validate(
            {
                "type": "event",
                "number": self._events,
                "at_ms": self.clock.at_ms(time.time_ns() if at_ns is None else at_ns),
                "take": self.take_number,
                "kind": kind,
                "who": who,
                "text": text,
                "lanes": lanes,
                "kernel_ms": kernel_ms,
            }
        )
        try:
            # Whoever is told that it happened must find it: the row may come too late.
            self._files.happened(event.model_dump_json())
        except OSError:
            log.exception("an event of demo %d is in the database only", self.demo_id)
        self._archive.event(event)
        self.broadcast.event(event, self.audience.order)
        return self._events

    # ------------------------------------------------------------ from the takes

    def opening(self, take: RunningTake, settings: DemoSettings) -> None:
        """As `KeeperNews`."""
        self.take_number, self.take_at_ms = take.number, None
        self._last_minute = []
        self.held_up.take_began()
        self.broadcast.take_began(take.number)
        self._opened = settings
        # What somebody said to a room is nobody else's: of a microphone nothing is kept.
        if settings.stream.kind == "clip":
            self._files.keep_sound(take.number, self._opener.credit(settings.stream.clip))
        self._archive.take_began(take.number, self.clock.now_ms(), settings, take.seed)
        self.tell_state()

    def ready(self, take: RunningTake, ready: pb.LiveReady) -> None:
        """As `TakeNews`."""
        if take.clock is None:
            return
        self.take_at_ms = take.clock.at_ms(ready.at_ns)
        letters = [self.audience.order.letter(at) for at in range(len(self._opened.lanes))]
        self._archive.take_told(
            take.number,
            ready_at_ms=self.take_at_ms,
            host=ready.host,
            host_build=ready.build,
            letters="".join(letters),
        )
        text = f"Take {take.number}: {take_words(self._opened, letters)}"
        self.event(DemoEventKind.TAKE, text, at_ns=take.clock.on_server_ns(ready.at_ns))
        self.supervisor.took_off(take)

    def ended(self, take: RunningTake, end: TakeEnd) -> None:
        """As `KeeperNews`."""
        result = None if end.result is None else DemoResult.of(end.result).model_dump(mode="json")
        why = brief(end.reason)
        if why != end.reason:
            log.warning("take %d broke off: %s", take.number, end.reason)
        self._archive.take_told(
            take.number, ended_at_ms=self.clock.now_ms(), end=why, result=result
        )
        if not end.wanted and self.supervisor.stage is not DemoStage.ENDED:
            self.event(DemoEventKind.HOST_LOST, f"Take {take.number} broke off: {why}")

    def stage_changed(self) -> None:
        """As `KeeperNews`."""
        if self.supervisor.problem is not None and self.supervisor.stage is DemoStage.STOPPED:
            self.event(DemoEventKind.PROBLEM, self.supervisor.problem.text)
        self._advise()
        self.tell_state()

    def wish_refused(self, reason: str) -> None:
        """As `KeeperNews`."""
        text = f"What was changed while the lanes opened was refused: {reason}"
        self.event(DemoEventKind.PROBLEM, text)
        self.tell_state()

    def moment(self, take: RunningTake, moment: pb.DemoMoment) -> None:
        """As `TakeNews`."""
        if take.clock is None:
            return
        if moment.HasField("held_up") and take.number == self.take_number:
            self.held_up.note(take.clock.at_ms(moment.at_ns), moment.held_up)
        self._moments.put(moment, take.clock, take.number)

    def _tell_moment(self, moment: ReadyMoment) -> None:
        if moment.last_minute is not None and moment.take == self.take_number:
            self._last_minute = moment.last_minute
        self.broadcast.moment(moment.at_ms, moment.text, self.audience.order)

    def screen(self, take: RunningTake, lane: int, screen: pb.TerminalScreen) -> None:
        """As `TakeNews`."""
        if take.clock is not None:
            self.broadcast.screen(lane, screen, take.clock, self.audience.order)

    def file(self, take: RunningTake, lane: int, file: pb.FileChunk) -> None:
        """As `TakeNews`."""
        self._files.captured(take.number, lane, file.kind, file.data)

    async def heard(self, take: RunningTake, sound: pb.DemoSound) -> None:
        """As `TakeNews`."""
        # A take that was heard under other letters is heard no more: not by the presenter either,
        # whose sound the room may hear.
        if take.clock is not None and take.number >= self._heard_from_take:
            at_ns = take.clock.on_server_ns(sound.at_ns)
            self._files.heard(take.number, sound.number, self.clock.at_ms(at_ns), sound.opus)
            await self._sound.play(sound.number, at_ns, sound.opus)

    # ------------------------------------------------------------ housekeeping

    @property
    def size_bytes(self) -> int:
        """What its files hold so far."""
        return self._files.size_bytes

    def _said(self, sound: bytes) -> None:
        take = self.supervisor.live
        if take is not None and self.supervisor.settings.stream.kind == "microphone":
            take.microphone(sound)

    def _advise(self) -> bool:
        """Whether there is something new to say."""
        supervisor, now_ms = self.supervisor, self.clock.now_ms()
        advice = limit_advice(now_ms, self._files.size_bytes, self._free_bytes)
        settled = now_ms - self.clock.at_ms(supervisor.changed_ns) >= SETTLED_MS
        if settled and supervisor.stage is DemoStage.RUNNING:
            names = lane_names(supervisor.settings.lanes)
            order = self.audience.order
            called = [f"{order.letter(at)} ({name})" for at, name in enumerate(names)]
            advice += measured_advice(called, self._last_minute, supervisor.settings)
        advice += settings_advice(supervisor.settings)
        news, self.advice = advice != self.advice, advice
        return news

    def replace(self, settings: DemoSettings) -> None:
        """What only a new take can have."""
        if self.audience.resize(len(settings.lanes)) and self.audience.order.blind:
            self._letters_drawn()
        self.supervisor.replace(settings)

    def blind(self) -> None:
        """From now on the audience knows letters only, newly drawn.

        With a new take: what goes on would be recognised under its new letter.
        """
        self.audience.draw()
        self._letters_drawn()
        self.supervisor.renew()
        self.letters_told()

    def _letters_drawn(self) -> None:
        self._heard_from_take = self.take_number + 1
        self.broadcast.letters_drawn(self.audience.order, self._heard_from_take)

    def letters_told(self) -> None:
        """What is said by letter is said by the present ones."""
        self._advise()
        self.tell_state()

    def end(self, text: str, *, who: str = "server") -> int:
        """Ends the demo; the number of the event."""
        number = self.event(DemoEventKind.ENDED, text, who=who)
        self.supervisor.end()
        return number

    async def _keep(self) -> None:
        looking = asyncio.create_task(self._look_after())
        try:
            await self.supervisor.keep()
        except Exception:
            log.exception("demo %d could not be kept", self.demo_id)
        finally:
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)
        await self._moments.close()
        self.tell_state()
        self.broadcast.close()
        await self.microphone.close()
        await self.audience.close()
        await self._write(self._files.close)
        await self._archive.end(self.clock.now_ms(), self._files.size_bytes)

    async def _look_after(self) -> None:
        while True:
            await asyncio.sleep(TICK_S)
            written = await self._write(self._files.write) and await self._write(self._look_at_disk)
            over = limit_reached(self.clock.now_ms(), self._files.size_bytes, self._free_bytes)
            if over is None and not written:
                over = "its files could not be written"
            if over is not None:
                self.event(DemoEventKind.LIMIT, f"The demo ends: {over}.")
                self.end(f"Ended: {over}.")
                return
            news = [self._advise(), self.held_up.news(self.clock.now_ms())]
            if any(news) or self._counts != self._counted():
                self.tell_state()

    def _look_at_disk(self) -> None:
        self._free_bytes = self._store.free_bytes()

    async def _write(self, write: Callable[[], None]) -> bool:
        try:
            await asyncio.to_thread(write)
        except OSError:
            log.exception("the files of demo %d could not be written", self.demo_id)
            return False
        return True
