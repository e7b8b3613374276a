"""A typing session: keys from the link to the terminal, screens back, until either side ends it.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import codecs
import logging
from dataclasses import dataclass
from typing import assert_never

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.lab.agent import AgentAwayError, AgentRefusedError
from thinlab.lab.terminal import Terminal, TerminalEnded
from thinlab.live.connection import Connection, now_us
from thinlab.live.messages import (
    BrowserMessage,
    Finish,
    Held,
    Keydown,
    Keyup,
    PageEvent,
    PageState,
    Painted,
    ScreenWritten,
    SessionStage,
    SessionStageName,
    StageReason,
)
from thinlab.live.record import KeyPressed, ScreenShown, SessionRecord
from thinlab.live.task_clock import TaskClock
from thinlab.live.typing_rate import typing_rate

log = logging.getLogger(__name__)

# Often while there is nothing to disturb, for the clocks; then seldom. More often, many who get
# ready at once would disturb those who type.
PREPARING_PROBE_PAUSE_S = 0.25
PROBE_PAUSE_S = 0.5
# A tab that nobody looks at for so long was left.
HIDDEN_LIMIT_S = 20.0
KEYS_LIMIT_BYTES = 64 * 1024
SCREENS_LIMIT_BYTES = 16 * 1024 * 1024
# Beyond the task's own limit: for getting ready, for a machine that catches up, and for the agent's
# measuring. Longer, and a terminal hangs.
OVERTIME_S = 120.0

END_REASONS = {
    pb.TERMINAL_END_FINISHED: StageReason.FINISHED,
    pb.TERMINAL_END_EDITOR_LEFT: StageReason.LEFT,
    pb.TERMINAL_END_LIMIT: StageReason.LIMIT,
}


@dataclass(frozen=True)
class Waits:
    """What comes no sooner, so that how long the lane took for it tells nothing."""

    shown_after_s: float = 0.0
    """The terminal, after it was asked for."""
    over_after_s: float = 0.0
    """The end, after the last key, "done", or the limit."""


@dataclass(frozen=True)
class Limits:
    """The task's, and what hides the lane's."""

    limit_s: float
    least_keys: int
    waits: Waits = Waits()


class VoidedError(Exception):
    """The session does not count; it is offered again."""

    def __init__(self, reason: StageReason) -> None:
        super().__init__(reason.value)
        self.reason = reason


class TypingSession:
    """One session, from the terminal asked for to its result."""

    def __init__(self, terminal: Terminal, connection: Connection, limits: Limits) -> None:
        self.record = SessionRecord(connection.meter)
        self.stage = SessionStageName.PREPARING
        self.limits = limits
        self._terminal = terminal
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rate = typing_rate()
        self._keys_bytes = 0
        self._screens_bytes = 0
        self._loop = asyncio.get_running_loop()
        self._hidden: asyncio.TimerHandle | None = None
        self._voided: asyncio.Future[StageReason] = self._loop.create_future()
        self._clock = TaskClock(limits.limit_s)
        self._timer: asyncio.TimerHandle | None = None
        self._finishing: StageReason | None = None
        """Why the terminal was asked to finish."""
        self._held = False
        self._shows = limits.waits.shown_after_s == 0
        self._unseen: list[pb.TerminalScreen] = []
        """What was written before the terminal is shown."""
        self._acted_at = self._loop.time()
        """When the participant, or the limit, last did something."""
        self._due: asyncio.TimerHandle | None = None
        self.connection = connection
        connection.talker = self
        connection.probe_every(PREPARING_PROBE_PAUSE_S)

    async def run(self) -> SessionRecord:
        """Runs to the terminal's result. Raises `VoidedError`."""
        self._tell(SessionStageName.PREPARING)
        if not self._shows:
            self._due = self._loop.call_later(self.limits.waits.shown_after_s, self._show_now)
        following = asyncio.create_task(self._follow())
        try:
            async with asyncio.timeout(self.limits.limit_s + OVERTIME_S):
                await asyncio.wait((following, self._voided), return_when=asyncio.FIRST_COMPLETED)
            if self._voided.done():
                raise VoidedError(self._voided.result())
            following.result()
        except (AgentAwayError, TimeoutError) as error:
            log.info("a typing session has lost its host: %s", error)
            behind = self._held and isinstance(error, TimeoutError)
            raise VoidedError(
                StageReason.HOST_BEHIND if behind else StageReason.HOST_LOST
            ) from error
        except AgentRefusedError as error:
            log.error("the live lab refused a terminal: %s", error)  # noqa: TRY400 (its words say it)
            raise VoidedError(StageReason.BROKEN) from error
        finally:
            for timer in (self._hidden, self._timer, self._due):
                if timer is not None:
                    timer.cancel()
            self.record.transports = list(self.connection.kinds)
            following.cancel()
            await asyncio.gather(following, return_exceptions=True)
        return self.record

    async def _follow(self) -> None:
        async for news in self._terminal.news():
            match news:
                case pb.TerminalScreen():
                    if self._shows:
                        self._show(news)
                    else:
                        self._unseen.append(news)
                case pb.LiveReady():
                    self.record.ready = news
                    if self._shows:
                        self._begin()
                case TerminalEnded(result=result):
                    if result.end not in END_REASONS:
                        raise AgentAwayError(f"the lane's connection was lost: {result.reason}")
                    # The guest's own bounds, or the editor's death: not the task's time.
                    if result.end == pb.TERMINAL_END_LIMIT and result.reason:
                        log.warning("a typing session was cut short: %s", result.reason)
                        raise VoidedError(StageReason.BROKEN)
                    self._end(news)
                    over_at = self._acted_at + self.limits.waits.over_after_s
                    await asyncio.sleep(over_at - self._loop.time())
                    # Who has not typed has felt nothing.
                    if len(self.record.keys) < self.limits.least_keys:
                        raise VoidedError(StageReason.TOO_FEW_KEYS)

    def _show_now(self) -> None:
        """Nobody can tell any more how long this one took."""
        self._shows = True
        for screen in self._unseen:
            self._show(screen)
        self._unseen.clear()
        if self.record.ready is not None:
            self._begin()

    def _begin(self) -> None:
        """From here on keys count."""
        self.record.ready_us = now_us()
        self._tell(SessionStageName.READY)
        now = self._loop.time()
        self._set_clock(now)
        if self._held:
            self._tell_held(now)
        self.connection.probe_every(PROBE_PAUSE_S)

    def _end(self, ended: TerminalEnded) -> None:
        """What was pressed when the terminal had ended was pressed into nothing."""
        self.record.ended = ended
        last = max((key.number for key in ended.result.keys), default=0)
        for number in [number for number in self.record.keys if number > last]:
            del self.record.keys[number]

    def _show(self, screen: pb.TerminalScreen) -> None:
        came_us = now_us()
        written = ScreenWritten(
            type="screen",
            number=screen.number,
            data=self._decoder.decode(screen.data),
            answers_key=screen.answers_key,
        )
        self.connection.send(written)
        self.record.screens[screen.number] = ScreenShown(
            number=screen.number,
            data=screen.data,
            answers_key=screen.answers_key,
            read_ns=screen.at_ns,
            came_us=came_us,
            forwarded_us=now_us(),
        )
        self._screens_bytes += len(screen.data)
        if self._screens_bytes > SCREENS_LIMIT_BYTES:
            self.void(StageReason.TOO_MUCH)

    def _tell(self, stage: SessionStageName) -> None:
        self.stage = stage
        ready = stage is SessionStageName.READY
        left_ms = self._left_ms(self._loop.time()) if ready else None
        self.connection.send(SessionStage(type="stage", stage=stage, limit_ms_left=left_ms))

    def _tell_held(self, now: float) -> None:
        self.connection.send(Held(type="held", held=self._held, limit_ms_left=self._left_ms(now)))

    def _left_ms(self, now: float) -> int:
        return round(self._clock.left_s(now) * 1000)

    def _set_clock(self, now: float) -> None:
        """Who is held loses nothing of the task's time."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._held:
            self._clock.stand(now)
        else:
            self._clock.go(now)
            left_s = self._clock.left_s(now)
            self._timer = self._loop.call_later(left_s, self._finish, StageReason.LIMIT)

    def _finish(self, why: StageReason) -> None:
        if self._finishing is None:
            self._finishing = why
            self._acted_at = self._loop.time()
            self._terminal.finish()

    def conclude(self, stage: SessionStageName, reason: StageReason) -> None:
        """The last that the page hears of the session."""
        self.stage = stage
        self.connection.send(SessionStage(type="stage", stage=stage, reason=reason))
        self.connection.leave()

    @property
    def end(self) -> StageReason:
        """How a session that counts has ended."""
        if self.record.ended is None:
            return StageReason.BROKEN
        reason = END_REASONS[self.record.ended.result.end]
        return self._finishing or reason if reason is StageReason.FINISHED else reason

    def void(self, reason: StageReason) -> None:
        """The session does not count, whatever follows."""
        if not self._voided.done():
            self._voided.set_result(reason)

    def hold(self, held: bool) -> None:
        """The machine is behind: keys would wait for it. Or it has caught up."""
        self._held = held
        if self.stage is SessionStageName.READY and not self._finishing:
            # One reading for both: the page would otherwise be told less than what is left.
            now = self._loop.time()
            self._set_clock(now)
            self._tell_held(now)

    def away(self) -> None:
        """The link has been silent for too long."""
        # Who has finished need not wait for what is measured.
        if not self._finishing:
            self.void(StageReason.LINK_AWAY)

    def heard(self, message: BrowserMessage, at_us: int) -> None:
        """A message of the page."""
        match message:
            case Keydown():
                self._press(message, at_us)
            case Keyup():
                key = self.record.keys.get(message.number)
                if key is not None and key.released_at_us is None:
                    key.released_at_us = message.at_us
            case Painted():
                self._painted(message)
            case PageEvent():
                self._page(message, at_us)
            case Finish():
                if self.record.keys_pressed >= self.limits.least_keys:
                    self._finish(StageReason.FINISHED)
            case _:
                assert_never(message)

    def _press(self, key: Keydown, at_us: int) -> None:
        if self._finishing or self._voided.done() or self.record.ended is not None:
            return
        if self.stage is not SessionStageName.READY or key.number != self.record.keys_pressed + 1:
            self.void(StageReason.BROKEN)
            return
        data = key.data.encode()
        self._keys_bytes += len(data)
        if not self._rate.allows(self._loop.time()) or self._keys_bytes > KEYS_LIMIT_BYTES:
            self.void(StageReason.TOO_MUCH)
            return
        self._terminal.press(key.number, data)
        self._acted_at = self._loop.time()
        self.record.keys[key.number] = KeyPressed(
            number=key.number,
            at_us=key.at_us,
            data=key.data,
            kind=key.kind,
            repeat=key.repeat,
            received_us=at_us,
        )

    def _painted(self, painted: Painted) -> None:
        for one in painted.screens:
            screen = self.record.screens.get(one.number)
            if screen is not None and screen.painted_at_us is None:
                screen.received_at_us = one.received_at_us
                screen.painted_at_us = one.at_us

    def _page(self, event: PageEvent, at_us: int) -> None:
        # A page has no reason to say more than this in a session; the list stays bounded.
        if len(self.record.page_states) < 1000:  # noqa: PLR2004
            self.record.page_states.append((at_us, event.state))
        if event.state is PageState.HIDDEN and self._hidden is None:
            self._hidden = self._loop.call_later(HIDDEN_LIMIT_S, self.void, StageReason.HIDDEN)
        elif event.state is PageState.VISIBLE and self._hidden is not None:
            self._hidden.cancel()
            self._hidden = None
