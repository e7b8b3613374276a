"""A stand-in for the live lab: a real gRPC server whose terminals echo, and fail as told.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable

from tests.made_up import made_up_terminal_result
from tests.stand_in import HOST_LOST, LiveEvents, LiveLab, Refusal
from thinlab.contract.generated import lab_pb2 as pb

EDITOR = b"\x1b[2Jeditor "


class LiveStandIn(LiveLab):
    """Every key comes back in a screen of its own; the file is what was typed."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[pb.TerminalOpen] = []
        self._one_opened = asyncio.Event()
        self.typed: list[bytes] = []
        self.host_dies = asyncio.Event()
        self.limit_is_over = asyncio.Event()
        self.why_over = ""
        """Why the limit is over, where it is not the task's."""
        self.takes_keys: int | None = None
        """How many its editor lived to see."""
        self.clock_offset_ns = 0
        self.pty_after_ns = 0
        """How long each key is said to have waited for the guest."""
        self.splits = False
        """Whether characters of several bytes come in two screens."""
        self.first_screens: Callable[[pb.TerminalOpen], list[bytes]] = lambda _: [EDITOR]
        """What is on the screen before anybody types."""
        self.ready_after_s: Callable[[pb.TerminalOpen], float] = lambda _: 0.0

    async def until_opened(self, terminals: int) -> None:
        """Waits for so many terminals: what a client asks for comes here after it did."""
        while len(self.opened) < terminals:
            self._one_opened.clear()
            await self._one_opened.wait()

    async def live(
        self, requests: AsyncIterator[pb.LiveInput], events: LiveEvents
    ) -> Refusal | None:
        """One terminal."""
        terminal = _Echo(self.clock_offset_ns, self.pty_after_ns)
        typing = asyncio.create_task(self._type(requests, events, terminal))
        dying = asyncio.create_task(self.host_dies.wait())
        ending = asyncio.create_task(self.limit_is_over.wait())
        try:
            await asyncio.wait((typing, dying, ending), return_when=asyncio.FIRST_COMPLETED)
            if dying.done():
                return HOST_LOST
            end = pb.TERMINAL_END_LIMIT if ending.done() else pb.TERMINAL_END_FINISHED
            reason = self.why_over if ending.done() else ""
            for event in terminal.yields(end, reason, self.takes_keys):
                events.put_nowait(event)
            return None
        finally:
            for task in (typing, dying, ending):
                task.cancel()

    async def _type(
        self,
        requests: AsyncIterator[pb.LiveInput],
        events: LiveEvents,
        terminal: "_Echo",
    ) -> None:
        async for request in requests:
            match request.WhichOneof("input"):
                case "terminal":
                    self.opened.append(request.terminal)
                    self._one_opened.set()
                    await asyncio.sleep(self.ready_after_s(request.terminal))
                    events.put_nowait(
                        pb.LiveEvent(ready=pb.LiveReady(host="g1", build="b", at_ns=time.time_ns()))
                    )
                    for data in self.first_screens(request.terminal):
                        events.put_nowait(terminal.screen(data, 0))
                case "keys":
                    self.typed.append(request.keys.data)
                    if self.splits and len(request.keys.data) > 1:
                        events.put_nowait(terminal.screen(request.keys.data[:1], 0))
                    events.put_nowait(terminal.press(request.keys, 1 if self.splits else 0))
                case "finish":
                    return


class _Echo:
    def __init__(self, clock_offset_ns: int, pty_after_ns: int) -> None:
        self._offset_ns = clock_offset_ns
        self._pty_after_ns = pty_after_ns
        self._screens = 0
        self._typed = b""
        self._lines: list[pb.KeyLine] = []

    def _now(self) -> int:
        return time.time_ns() + self._offset_ns

    def screen(self, data: bytes, answers_key: int) -> pb.LiveEvent:
        self._screens += 1
        return pb.LiveEvent(
            screen=pb.TerminalScreen(
                number=self._screens, data=data, answers_key=answers_key, at_ns=self._now()
            )
        )

    def press(self, keys: pb.TerminalKeys, skip: int) -> pb.LiveEvent:
        received_ns = self._now()
        self._typed += keys.data
        event = self.screen(keys.data[skip:] or keys.data, keys.number)
        self._lines.append(
            pb.KeyLine(
                number=keys.number,
                agent_received_ns=received_ns,
                pty_written_ns=received_ns + self._pty_after_ns,
                screen_ns=self._now(),
                agent_forwarded_ns=self._now(),
                screen=self._screens,
                key_transmissions=2,
                echo_transmissions=1,
                key_recovery=pb.RECOVERY_BUNDLE,
                echo_recovery=pb.RECOVERY_NONE,
            )
        )
        return event

    def yields(
        self, end: pb.TerminalEnd.ValueType, reason: str, takes_keys: int | None
    ) -> list[pb.LiveEvent]:
        result = made_up_terminal_result("terminal")
        keys = self._lines[:takes_keys]
        message = pb.TerminalResult(
            end=end, reason=reason, text=self._typed, keys=keys, ready_ns=1, end_ns=2
        )
        message.timing.trustworthy = result.timing.trustworthy
        message.timing.forward.packets = 1
        message.timing.backward.packets = 1
        message.check.forward.sent_packets = 1
        message.check.backward.sent_packets = 1
        files = {pb.FILE_KIND_SENDER_CAPTURE: b"sent", pb.FILE_KIND_RECEIVER_CAPTURE: b"received"}
        return [
            pb.LiveEvent(terminal=message),
            *(
                pb.LiveEvent(file=pb.FileChunk(kind=kind, data=content))
                for kind, content in files.items()
            ),
        ]
