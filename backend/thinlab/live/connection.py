"""A link as the event loop drives it: frames parsed and sent, timeouts, probes, reconnects.

Nothing here waits: what arrives is handed on, and what is to be sent is sent,
in the same turn of the loop.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import time
from collections.abc import Callable
from typing import Protocol
from uuid import UUID

from pydantic import ValidationError

from thinlab.live.link import Frame, Link, OverrunError, ProtocolError
from thinlab.live.messages import (
    BrowserFrame,
    BrowserMessage,
    Probe,
    Refused,
    ServerMessage,
    Welcome,
)
from thinlab.live.network import NetworkMeter
from thinlab.live.transport import Transport, TransportKind

# A link that is silent for so long has lost what the participant felt.
AWAY_LIMIT_S = 20.0
# The last messages of a link that has nothing more to say are waited for.
FAREWELL_S = 5.0


def now_us() -> int:
    """The server's clock: the agent's, where both are on one machine."""
    return time.time_ns() // 1000


class Talker(Protocol):
    """Who a link's messages are for."""

    def heard(self, message: BrowserMessage, at_us: int) -> None:
        """A message of the page, in its order."""

    def away(self) -> None:
        """The link was silent for too long, or cannot go on; nothing more will come."""


class Connection:
    """One link, over whichever transport it has at the moment."""

    def __init__(self, link_id: UUID, on_close: Callable[["Connection"], None]) -> None:
        self.link_id = link_id
        self._on_close = on_close
        self.meter = NetworkMeter()
        self.talker: Talker | None = None
        self.kind: TransportKind | None = None
        self.kinds: list[TransportKind] = []
        self.closed = False
        self._link: Link[BrowserMessage] = Link()
        self._transport: Transport | None = None
        self._opening: str | None = None
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None
        self._probing: asyncio.TimerHandle | None = None
        self._probe_pause_s: float | None = None
        self._acknowledging: asyncio.Handle | None = None
        self._heard_at = self._loop.time()
        self._watch = self._loop.call_later(AWAY_LIMIT_S, self._look_whether_away)
        self._leaving: asyncio.TimerHandle | None = None

    @property
    def reconnects(self) -> int:
        """How often the link has changed its transport."""
        return max(len(self.kinds) - 1, 0)

    def attach(self, transport: Transport) -> None:
        """The link goes on over a new transport; an older one is closed."""
        before, self._transport = self._transport, transport
        if before is not None:
            before.close()
        self._heard_at = self._loop.time()
        self._opening = Welcome(type="welcome", resumed=bool(self.kinds)).model_dump_json()
        self.kind = transport.kind
        self.kinds.append(transport.kind)
        self._link.attach(reliable=transport.reliable)
        transport.receiver = self
        self._flush()
        if transport.closed:
            self.lost(transport)
        elif self._probe_pause_s is not None:
            # A new way has another delay.
            self.probe_every(self._probe_pause_s)

    def receive(self, transport: Transport, text: str) -> None:
        """A frame came. One that is none closes the transport: our own page sends no such."""
        at_us = now_us()
        try:
            frame = BrowserFrame.model_validate_json(text)
        except ValidationError:
            transport.close()
            return
        self.take(transport, frame, at_us)

    def take(self, transport: Transport, frame: BrowserFrame, at_us: int) -> None:
        """A frame, parsed already."""
        if transport is not self._transport or self.closed:
            return
        self._heard_at = self._loop.time()
        if frame.opening is None:
            self._opening = None
        for answer in frame.answers:
            self.meter.answered(answer.number, answer.at_us, at_us)
        try:
            messages = self._link.receive(frame.ack, frame.first, frame.messages, self._loop.time())
        except ProtocolError:
            transport.close()
            return
        if self.talker is not None:
            for message in messages:
                self.talker.heard(message, at_us)
        # What came in one turn of the loop is acknowledged once.
        if self._link.has_more:
            self._flush()
        elif self._acknowledging is None:
            self._acknowledging = self._loop.call_soon(self._flush)
        if self._leaving is not None and self._link.settled:
            self._flush()
            self.close()

    def room(self, transport: Transport) -> None:
        """The transport is full no more."""
        if transport is self._transport and not self.closed:
            self._flush()

    def lost(self, transport: Transport) -> None:
        """The transport has closed; the page has some seconds to come back."""
        if transport is self._transport:
            self._transport = None
            self._link.detach()
            self._schedule()
            if self._leaving is not None:
                self.close()

    def send(self, message: ServerMessage) -> None:
        """Sends a message, now or when the page is back."""
        if self.closed:
            return
        try:
            self._link.send(message.model_dump_json())
        except OverrunError:
            self._end()
            return
        self._flush()

    def refuse(self, refused: Refused) -> None:
        """The last word of this link."""
        if self._transport is not None:
            self._opening = refused.model_dump_json()
            self._write(self._link.pure())
        self.close()

    def probe_every(self, pause_s: float) -> None:
        """Measures the network from now on."""
        self.stop_probing()
        self._probe_pause_s = pause_s
        self._probe(pause_s)

    def stop_probing(self) -> None:
        """No more probes."""
        self._probe_pause_s = None
        if self._probing is not None:
            self._probing.cancel()
            self._probing = None

    def _probe(self, pause_s: float) -> None:
        if self._transport is not None:
            at_us = now_us()
            number = self.meter.sent(at_us)
            probe = Probe(number=number, server_us=at_us)
            self._write(self._link.pure(), probe.model_dump_json())
        self._probing = self._loop.call_later(pause_s, self._probe, pause_s)

    def leave(self) -> None:
        """Nothing more will be sent: closes once the page has everything."""
        self.stop_probing()
        self.talker = None
        if self._link.settled or self._transport is None:
            self.close()
        elif self._leaving is None:
            self._leaving = self._loop.call_later(FAREWELL_S, self.close)

    def close(self) -> None:
        """Ends the link."""
        if self.closed:
            return
        self.closed = True
        self.stop_probing()
        for timer in (self._timer, self._watch, self._leaving, self._acknowledging):
            if timer is not None:
                timer.cancel()
        self.talker = None
        if self._transport is not None:
            self._transport.close()
        self._on_close(self)

    def _end(self) -> None:
        talker = self.talker
        self.close()
        if talker is not None:
            talker.away()

    def _look_whether_away(self) -> None:
        quiet_s = self._loop.time() - self._heard_at
        if quiet_s >= AWAY_LIMIT_S:
            self._end()
        else:
            self._watch = self._loop.call_later(AWAY_LIMIT_S - quiet_s, self._look_whether_away)

    def _flush(self) -> None:
        if self._acknowledging is not None:
            self._acknowledging.cancel()
            self._acknowledging = None
        while self._transport is not None and not self._transport.full:
            for frame in self._link.frames(self._loop.time()):
                self._write(frame)
            if not self._link.has_more:
                break
        self._schedule()

    def _schedule(self) -> None:
        due_at = self._link.due_at()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        # What is due while the transport is full waits for room.
        if due_at is not None and self._transport is not None and not self._transport.full:
            self._timer = self._loop.call_at(due_at, self._flush)

    def _write(self, frame: Frame, probe: str | None = None) -> None:
        if self._transport is None:
            return
        # The messages are JSON already.
        parts = [f'"ack":{frame.ack},"first":{frame.first}']
        parts.append(f'"messages":[{",".join(frame.messages)}]')
        if self._opening is not None:
            parts.append(f'"opening":{self._opening}')
        if probe is not None:
            parts.append(f'"probe":{probe}')
        self._transport.send("{" + ",".join(parts) + "}")


def refusal_frame(refused: Refused) -> str:
    """The only frame of a transport that no link is opened for."""
    opening = refused.model_dump(mode="json")
    return json.dumps({"opening": opening, "ack": 0, "first": 1, "messages": []})
