"""A typist: checks the connection and types sessions over a link, and feels what comes when.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import random
import statistics
import uuid
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from thinlab.live.messages import (
    Finish,
    Hello,
    Keydown,
    Keyup,
    LinkPurpose,
    Painted,
    PaintedScreen,
    ScreenWritten,
    ServerMessage,
    SessionStage,
    SessionStageName,
    Verdict,
)
from thinlab.trials.typing.bot.page_link import PageLink, page_clock_us
from thinlab.trials.typing.bot.page_transport import Dial
from thinlab.trials.typing.bot.rhythm import FAST_PAUSE_S, Rhythm, fast
from thinlab.trials.typing.bot.strokes import Stroke, strokes_of

# After the last key people look whether it is there.
LOOKING_S = 5.0
# Beyond the task's limit: getting ready, and until everything was measured.
PATIENCE_S = 180.0
CHECK_PATIENCE_S = 60.0

Settle = Callable[[], Awaitable[None]]


async def at_once() -> None:
    """Begins to type as soon as it can."""


class VoidError(Exception):
    """A session does not count; it is to be typed again."""


@dataclass
class Felt:
    """What a session was like."""

    delays_ms: list[float] = field(default_factory=list)
    """Of each key, until something on the screen answered it."""
    pressed_us: list[int] = field(default_factory=list)
    """When each of these keys was pressed."""
    transports: int = 1
    keys: int = 0
    """Pressed so far, answered or not."""

    @property
    def mean_ms(self) -> float:
        """The average delay; a long one spoils it, as it spoils a session."""
        return statistics.fmean(self.delays_ms) if self.delays_ms else 0.0


@dataclass
class _Session:
    """One session under way."""

    felt: Felt
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    over: asyncio.Event = field(default_factory=asyncio.Event)
    voided: str | None = None
    answered: int = 0
    caught_up: asyncio.Event = field(default_factory=asyncio.Event)
    pressed_us: dict[int, int] = field(default_factory=dict)
    painted: list[PaintedScreen] = field(default_factory=list)

    def hear(self, message: ServerMessage, at_us: int) -> None:
        match message:
            case SessionStage(stage=SessionStageName.READY):
                self.ready.set()
            case SessionStage(stage=SessionStageName.ENDED):
                self.over.set()
            case SessionStage(stage=SessionStageName.VOID):
                self.voided = message.reason.value if message.reason else "unknown"
                self.over.set()
            case ScreenWritten():
                self._show(message, at_us)
            case _:
                pass

    def _show(self, screen: ScreenWritten, at_us: int) -> None:
        for number in range(self.answered + 1, screen.answers_key + 1):
            self.felt.delays_ms.append((at_us - self.pressed_us[number]) / 1000)
            self.felt.pressed_us.append(self.pressed_us[number])
        self.answered = max(self.answered, screen.answers_key)
        if self.answered == len(self.pressed_us):
            self.caught_up.set()
        self.painted.append(
            PaintedScreen(number=screen.number, received_at_us=at_us, at_us=page_clock_us())
        )


@dataclass
class Typist:
    """One participant's hands and eyes."""

    participant_token: str
    dial: Dial
    chance: random.Random
    rhythm: Rhythm = fast
    drops_share: float = 0.0
    """How often the transport is lost in the middle of a session."""
    settle: Settle = at_once
    """Between ready and the first key."""

    async def check(self) -> bool:
        """Whether the connection is good enough. Raises `LinkRefusedError`, `DialError`."""
        verdict: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        def hear(message: ServerMessage, _: int) -> None:
            if isinstance(message, Verdict) and not verdict.done():
                verdict.set_result(message.good)

        async with asyncio.timeout(CHECK_PATIENCE_S):
            await self._with_link(LinkPurpose.CHECK, None, hear, lambda _: _result(verdict))
        return verdict.result()

    async def type(self, session_token: str, task: dict[str, Any], felt: Felt) -> None:
        """A session, from hello to its end. Raises `VoidError`, `LinkRefusedError`, `DialError`.

        `felt` is written as it is felt, so that a farewell that is lost loses nothing else.
        """
        session = _Session(felt)
        strokes = strokes_of(task)

        async def work(link: PageLink) -> None:
            await self._at_the_keys(link, session, strokes)
            session.felt.transports = link.transports

        try:
            async with asyncio.timeout(task["limit_s"] + PATIENCE_S):
                await self._with_link(LinkPurpose.TYPING, session_token, session.hear, work)
        except TimeoutError as error:
            raise VoidError("nothing came for too long") from error
        if session.voided is not None:
            raise VoidError(session.voided)

    async def _with_link(
        self,
        purpose: LinkPurpose,
        session_token: str | None,
        hear: Callable[[ServerMessage, int], None],
        work: Callable[[PageLink], Any],
    ) -> None:
        """Does the work while a link is kept open for it."""
        hello = Hello(
            type="hello",
            participant_token=self.participant_token,
            link_id=uuid.UUID(int=self.chance.getrandbits(128), version=4),
            resumes=False,
            purpose=purpose,
            session_token=session_token,
        )
        link = PageLink(hello, self.dial, hear)
        keeping = asyncio.create_task(link.run())
        working = asyncio.create_task(work(link))
        try:
            await asyncio.wait((keeping, working), return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                working.result()
            else:
                # It ends by itself only with an error.
                await keeping
        finally:
            for task in (keeping, working):
                task.cancel()
            await asyncio.gather(keeping, working, return_exceptions=True)

    async def _at_the_keys(
        self, link: PageLink, session: _Session, strokes: Sequence[Stroke]
    ) -> None:
        await _first(session.ready, session.over)
        await self.settle()
        falls_at = None
        if self.chance.random() < self.drops_share:
            falls_at = self.chance.randrange(len(strokes))
        loop = asyncio.get_running_loop()
        pauses_s = self.rhythm.pauses_s(self.chance)
        due = all_up = loop.time()
        for number, stroke in enumerate(strokes, start=1):
            # By the clock, so that what a key costs does not slow the hands.
            pause_s = self.rhythm.repeat_pause_s if stroke.held else next(pauses_s)
            due = max(due + pause_s, loop.time() - FAST_PAUSE_S)
            await asyncio.sleep(due - loop.time())
            if session.over.is_set():
                return
            all_up = max(all_up, self._press(link, session, number, stroke))
            if number == falls_at:
                link.drop()
        if session.answered < len(strokes):
            session.caught_up.clear()
            await _first(session.caught_up, session.over, within_s=LOOKING_S)
        await asyncio.sleep(all_up - loop.time())
        self._report(link, session)
        link.send(Finish(type="finish"))
        await session.over.wait()

    def _press(self, link: PageLink, session: _Session, number: int, stroke: Stroke) -> float:
        """Presses a key, and releases it in a while; when, by the loop's clock."""
        at_us = page_clock_us()
        session.pressed_us[number] = at_us
        session.felt.keys = number
        link.send(
            Keydown(
                type="key",
                number=number,
                at_us=at_us,
                data=stroke.data,
                kind=stroke.kind,
                repeat=stroke.held,
            )
        )
        loop = asyncio.get_running_loop()
        up = loop.time()
        if not stroke.held:
            up += self.rhythm.dwell_s(self.chance)
            loop.call_at(up, self._release, link, session, number)
        self._report(link, session)
        return up

    @staticmethod
    def _release(link: PageLink, session: _Session, number: int) -> None:
        if not session.over.is_set():
            link.send(Keyup(type="release", number=number, at_us=page_clock_us()))

    def _report(self, link: PageLink, session: _Session) -> None:
        screens, session.painted = session.painted[:256], session.painted[256:]
        if screens:
            link.send(Painted(type="painted", screens=screens))


async def _result(future: asyncio.Future[bool]) -> None:
    await future


async def _first(*events: asyncio.Event, within_s: float | None = None) -> None:
    tasks = [asyncio.create_task(event.wait()) for event in events]
    try:
        await asyncio.wait(tasks, timeout=within_s, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
