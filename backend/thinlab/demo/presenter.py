"""What a presenter's commands do. Each makes an event that all charts show.

Commands that change the lanes are carried out one after the other, in the
order in which they came, whichever console they came from; keys, marks and
what the presenter hears never wait for them.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from uuid import UUID

from thinlab.condition import words
from thinlab.demo import command as commands
from thinlab.demo.clock import NS_PER_MS
from thinlab.demo.command import Done
from thinlab.demo.demo import Demo
from thinlab.demo.demos import Demos
from thinlab.demo.feed import DemoEventKind
from thinlab.demo.possible import (
    UnfitError,
    check_lane,
    check_settings,
    check_stream,
    check_together,
)
from thinlab.demo.setting import DemoLane, DemoSettings
from thinlab.demo.state import DemoStage
from thinlab.demo.stream import SyntheticStream
from thinlab.demo.take import ChangeRefusedError
from thinlab.demo.wording import lane_names, lane_words

_numbers = count(1)


class Presenter:
    """One console's hand on a demo."""

    def __init__(self, demos: Demos, demo: Demo, listener: UUID) -> None:
        self._demos = demos
        self._demo = demo
        self._listener = listener

    def at_once(self, asked: commands.AnyCommand) -> Done | None:
        """Carries out what waits for nothing; none: it takes its turn. Raises `UnfitError`."""
        demo = self._demo
        match asked:
            case commands.Key():
                take = demo.supervisor.live
                if take is None or demo.supervisor.settings.stream.kind != "terminal":
                    raise UnfitError("do", "No terminal is open.", "Choose a terminal as stream.")
                take.press(asked.data.encode())
            case commands.Mark():
                number = demo.event(DemoEventKind.MARK, asked.text or "A mark", who="presenter")
                return Done(type="done", command=asked.command, event=number)
            case commands.Listen():
                if asked.lane >= len(demo.supervisor.settings.lanes):
                    raise UnfitError("lane", "There is no such lane.", "Choose one of the lanes.")
                demo.audience.listen_to_lane(self._listener, asked.lane)
            case commands.EndDemo():
                number = demo.end("Ended by the presenter.", who="presenter")
                return Done(type="done", command=asked.command, event=number)
            case _:
                return None
        return Done(type="done", command=asked.command)

    async def in_turn(self, asked: commands.AnyCommand, arrived_ns: int) -> Done:
        """Carries out the rest. Raises `UnfitError`, and the database's errors."""
        with self._on_its_way(self._words(asked)):
            async with self._demo.turn:
                if self._demo.supervisor.stage is DemoStage.ENDED:
                    raise UnfitError("do", "The demo has ended.", "Start another.")
                done = await self._carry_out(asked, arrived_ns)
        self._demo.tell_state()
        return done

    @contextmanager
    def _on_its_way(self, words: str) -> Iterator[None]:
        number = next(_numbers)
        self._demo.on_its_way[number] = words
        # Told only if it takes long enough to be seen, beside whatever else is told.
        telling = asyncio.get_running_loop().call_later(0.05, self._demo.tell_state)
        try:
            yield
        finally:
            telling.cancel()
            del self._demo.on_its_way[number]

    def _words(self, asked: commands.AnyCommand) -> str:
        match asked:
            case commands.SetPath():
                return f"Path: {words.path(asked.path)}"
            case commands.SetLane() | commands.SetLanes():
                return self._of_lanes(asked)
            case commands.SetStream():
                return f"Stream: {asked.stream.words}"
            case commands.SetUp():
                return f"All of it: {'; '.join(map(lane_words, asked.to.lanes))}"
            case commands.SetSynthetic():
                return f"Stream: {asked.payload_bytes} bytes every {asked.iat_ms:g} ms"
            case _:
                return asked.do.replace("_", " ").capitalize()

    def _of_lanes(self, asked: commands.SetLane | commands.SetLanes) -> str:
        before, order = self._demo.supervisor.settings.lanes, self._demo.audience.order
        if isinstance(asked, commands.SetLane):
            to = {asked.lane: asked.to}
        elif len(asked.lanes) != len(before):
            return f"Lanes: {len(asked.lanes)}"
        else:
            to = dict(enumerate(asked.lanes))
        return "; ".join(
            sorted(
                f"{order.letter(at)}: {lane_words(lane, before[at] if at < len(before) else None)}"
                for at, lane in to.items()
            )
        )

    async def _carry_out(self, asked: commands.AnyCommand, arrived_ns: int) -> Done:
        settings = self._demo.supervisor.settings
        match asked:
            case commands.SetPath():
                new = settings.model_copy(update={"path": asked.path})
                return await self._change(asked, new, DemoEventKind.PATH, (), arrived_ns)
            case commands.SetLane():
                return await self._set_lane(asked, arrived_ns)
            case commands.SetLanes():
                return await self._set_lanes(asked, arrived_ns)
            case commands.SetStream() | commands.SetUp():
                return self._set_anew(asked)
            case commands.SetSynthetic():
                return await self._set_synthetic(asked)
            case _:
                number = await self._direct(asked)
                return Done(type="done", command=asked.command, event=number)

    async def _change(
        self,
        asked: commands.AnyCommand,
        settings: DemoSettings,
        kind: DemoEventKind,
        lanes: tuple[int, ...],
        arrived_ns: int,
    ) -> Done:
        words = self._words(asked)
        if self._demo.supervisor.is_for_a_new_take(settings):
            self._demo.replace(settings)
            return self._replaced(asked, words, lanes)
        try:
            kernel_ns = await self._demo.supervisor.change(settings)
        except ChangeRefusedError as error:
            field = {DemoEventKind.PATH: "path"}.get(kind, "to")
            raise UnfitError(
                field, f"The lanes refused it: {error}", "Choose another value."
            ) from error
        kernel_ms = None if kernel_ns is None else (kernel_ns - arrived_ns) / NS_PER_MS
        number = self._demo.event(
            kind,
            words,
            who="presenter",
            at_ns=kernel_ns,
            lanes=lanes,
            kernel_ms=kernel_ms,
        )
        return Done(type="done", command=asked.command, event=number, kernel_ms=kernel_ms)

    async def _set_lane(self, asked: commands.SetLane, arrived_ns: int) -> Done:
        settings = self._demo.supervisor.settings
        if asked.lane >= len(settings.lanes):
            raise UnfitError("lane", "There is no such lane.", "Choose one of the lanes.")
        self._check("to", asked.to)
        lanes = list(settings.lanes)
        lanes[asked.lane] = asked.to
        check_together(settings.stream, lanes, "to")
        new = settings.model_copy(update={"lanes": lanes})
        return await self._change(asked, new, DemoEventKind.LANE, (asked.lane,), arrived_ns)

    async def _set_lanes(self, asked: commands.SetLanes, arrived_ns: int) -> Done:
        demo = self._demo
        settings = demo.supervisor.settings
        for at, lane in enumerate(asked.lanes):
            self._check(f"lanes.{at}", lane)
        check_together(settings.stream, asked.lanes, "lanes")
        new = settings.model_copy(update={"lanes": list(asked.lanes)})
        if len(asked.lanes) == len(settings.lanes):
            before = settings.lanes
            changed = tuple(at for at, lane in enumerate(asked.lanes) if lane != before[at])
            return await self._change(asked, new, DemoEventKind.LANE, changed, arrived_ns)
        self._no_open_poll("lanes")
        words = self._words(asked)
        demo.replace(new)
        return self._replaced(asked, words)

    def _set_anew(self, asked: commands.SetStream | commands.SetUp) -> Done:
        """What only a new take can have."""
        demo = self._demo
        settings, host = demo.supervisor.settings, self._demos.host_description()
        if isinstance(asked, commands.SetUp):
            new = asked.to
            check_settings(new, self._demos.clips, host, "to")
        else:
            check_stream(asked.stream, self._demos.clips, host, "stream")
            check_together(asked.stream, settings.lanes, "stream")
            new = settings.model_copy(update={"stream": asked.stream})
        if new == settings:
            return Done(type="done", command=asked.command)
        if len(new.lanes) != len(settings.lanes):
            self._no_open_poll("to.lanes")
        demo.replace(new)
        return self._replaced(asked, self._words(asked))

    def _replaced(
        self, asked: commands.AnyCommand, words: str, lanes: tuple[int, ...] = ()
    ) -> Done:
        is_stream = isinstance(asked, commands.SetStream)
        number = self._demo.event(
            DemoEventKind.STREAM if is_stream else DemoEventKind.LANE,
            words,
            who="presenter",
            lanes=lanes,
        )
        return Done(type="done", command=asked.command, event=number)

    async def _set_synthetic(self, asked: commands.SetSynthetic) -> Done:
        supervisor = self._demo.supervisor
        if supervisor.settings.stream.kind != "synthetic":
            raise UnfitError("do", "The stream is not synthetic.", "Choose the stream first.")
        await supervisor.set_synthetic(
            SyntheticStream(
                kind="synthetic", payload_bytes=asked.payload_bytes, iat_ms=asked.iat_ms
            )
        )
        number = self._demo.event(DemoEventKind.SYNTHETIC, self._words(asked), who="presenter")
        return Done(type="done", command=asked.command, event=number)

    def _check(self, field: str, lane: DemoLane) -> None:
        check_lane(lane, self._demos.host_description(), field)

    def _no_open_poll(self, field: str) -> None:
        poll = self._demo.audience.poll
        if poll is not None and poll.open:
            raise UnfitError(
                field, "A poll is open: its letters cannot change.", "Close the poll first."
            )

    async def _direct(self, asked: commands.AnyCommand) -> int | None:
        """What concerns the demo as a whole; the number of the event, where there is one."""
        demo, supervisor = self._demo, self._demo.supervisor
        match asked:
            case commands.Start():
                if supervisor.stage is not DemoStage.STOPPED:
                    raise UnfitError("do", "The demo runs already.", "There is nothing to start.")
                supervisor.start()
                return demo.event(DemoEventKind.STARTED, "Started again", who="presenter")
            case commands.Pause() | commands.Resume():
                paused = isinstance(asked, commands.Pause)
                if paused == supervisor.paused:
                    return None
                supervisor.pause(paused=paused)
                kind = DemoEventKind.PAUSED if paused else DemoEventKind.RESUMED
                return demo.event(kind, kind.value.capitalize(), who="presenter")
            case _:
                return await self._with_audience(asked)

    async def _with_audience(self, asked: commands.AnyCommand) -> int | None:
        demo, audience = self._demo, self._demo.audience
        now_ms = demo.clock.now_ms()
        match asked:
            case commands.Blind() | commands.Reveal():
                return await self._of_letters(asked)
            case commands.OpenPoll():
                self._no_open_poll("question")
                names = lane_names(demo.supervisor.settings.lanes)
                await audience.open_poll(asked.question, names, now_ms)
                text = f"Poll opened: {asked.question}"
                return demo.event(DemoEventKind.POLL_OPENED, text, who="presenter")
            case commands.ClosePoll():
                if audience.poll is None or not audience.poll.open:
                    return None
                await audience.close_poll(now_ms)
                text = f"Poll closed: {audience.poll.counts().total()} votes"
                return demo.event(DemoEventKind.POLL_CLOSED, text, who="presenter")
            case _:
                raise UnfitError("do", "This is no command here.", "Send it as the first one.")

    async def _of_letters(self, asked: commands.Blind | commands.Reveal) -> int | None:
        demo, blind = self._demo, self._demo.audience.order.blind
        if isinstance(asked, commands.Reveal):
            # Of letters that everybody knows there is nothing to tell.
            return await self._reveal(DemoEventKind.REVEALED, "Revealed") if blind else None
        if asked.on == blind:
            return None
        self._no_open_poll("on")
        if blind:
            return await self._reveal(DemoEventKind.BLIND, "No longer blind")
        demo.blind()
        # For those who may know it: not the audience.
        return demo.event(
            DemoEventKind.BLIND, "Blind: the audience knows letters only", who="presenter"
        )

    async def _reveal(self, kind: DemoEventKind, how: str) -> int:
        """Ends blind mode: the letters keep their lanes, and are told."""
        demo = self._demo
        await demo.audience.reveal(demo.clock.now_ms())
        order, names = demo.audience.order, lane_names(demo.supervisor.settings.lanes)
        told = "; ".join(
            f"{letter} is {names[lane]}"
            for letter, lane in zip(order.letters, order.lanes, strict=True)
        )
        number = demo.event(kind, f"{how}: {told}", who="presenter")
        demo.letters_told()
        demo.broadcast.revealed(order)
        return number
