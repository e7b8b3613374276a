"""The browser's side of a link, in Python: over a WebSocket or a data channel (aiortc).

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import random
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import httpx
import websockets
from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from websockets.asyncio.client import ClientConnection

from thinlab.live.link import Link
from thinlab.live.webrtc import WAITING_LIMIT_BYTES

PATIENCE_S = 60.0
Said = dict[str, Any]


class Page:
    """One link, as the typing trial's page keeps it."""

    def __init__(self, address: str, token: str, session_token: str | None, **hello: Any) -> None:  # noqa: ANN401
        self.address = address
        self.token = token
        self.hello: Said = {
            "type": "hello",
            "participant_token": token,
            "link_id": str(uuid.uuid4()),
            "resumes": False,
            "purpose": "check" if session_token is None else "typing",
            "session_token": session_token,
        } | hello
        self.link: Link[Said] = Link()
        self.said: list[Said] = []
        self.openings: list[Said] = []
        self.frames: list[str] = []
        """As they came."""
        self.sockets: list[ClientConnection] = []
        self.peers: list[RTCPeerConnection] = []
        self.probes = 0
        self.answers_after_s = 0.0
        self.lost_share = 0.0
        """Of frames, in each direction; only where the transport may lose some."""
        self._chance = random.Random(20_080)  # noqa: S311
        self.keys = 0
        self.changed = asyncio.Condition()
        self._send: Callable[[str], None] | None = None
        self._close: Callable[[], Any] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer: asyncio.Task[None] | None = None
        self.welcomed = False

    async def over_socket(self) -> "Page":
        """Opens a WebSocket and says hello, or goes on."""
        socket = await websockets.connect(self.address.replace("http", "ws") + "/api/live/socket")
        self.sockets.append(socket)
        sending: asyncio.Queue[str] = asyncio.Queue()
        self._attach(sending.put_nowait, socket.close, reliable=True)
        self._spawn(self._read(socket))
        self._spawn(self._write(socket, sending))
        return self

    async def _write(self, socket: ClientConnection, sending: "asyncio.Queue[str]") -> None:
        with suppress(websockets.ConnectionClosed):
            while True:
                await socket.send(await sending.get())

    async def _read(self, socket: ClientConnection) -> None:
        with suppress(websockets.ConnectionClosed):
            async for text in socket:
                await self._arrived(str(text))
        async with self.changed:
            self.changed.notify_all()

    @staticmethod
    def spoil(sdp: str) -> str:
        """For tests of what a page that is none of ours offers."""
        return sdp

    async def over_channel(self) -> "Page":
        """Opens a data channel and says hello, or goes on."""
        peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        self.peers.append(peer)
        channel = peer.createDataChannel("link", ordered=False, maxRetransmits=0)
        opened = asyncio.Event()
        channel.on("open", opened.set)
        channel.on("message", lambda text: self._spawn(self._arrived(text)))
        await peer.setLocalDescription(await peer.createOffer())
        async with httpx.AsyncClient(base_url=self.address, timeout=PATIENCE_S) as browser:
            answered = await browser.post(
                "/api/live/offer",
                headers={"Authorization": f"Bearer {self.token}"},
                json={"sdp": self.spoil(peer.localDescription.sdp)},
            )
        assert answered.status_code == 200, answered.text
        await peer.setRemoteDescription(RTCSessionDescription(answered.json()["sdp"], "answer"))
        async with asyncio.timeout(PATIENCE_S):
            await opened.wait()

        def send(text: str) -> None:
            # As the page: what would wait is lost, and the link repeats it.
            if channel.bufferedAmount <= WAITING_LIMIT_BYTES:
                channel.send(text)

        self._attach(send, peer.close, reliable=False)
        self._spawn(self._say_hello_again())
        return self

    async def _say_hello_again(self) -> None:
        while not self.welcomed and self._send is not None:
            await asyncio.sleep(0.2)
            self.flush()

    def _spawn(self, work: Any) -> None:  # noqa: ANN401 (a coroutine of any kind)
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _attach(
        self, send: Callable[[str], None], close: Callable[[], Any], *, reliable: bool
    ) -> None:
        self._send, self._close = send, close
        self.welcomed = False
        self.link.attach(reliable=reliable)
        self.flush()

    async def cut(self) -> None:
        """The transport is gone; nobody knows why."""
        assert self._close is not None
        self.link.detach()
        close, self._send = self._close, None
        await close()

    async def close(self) -> None:
        """Leaves."""
        if self._send is not None:
            await self.cut()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def flush(self, answers: list[Said] | None = None) -> None:
        """Sends what is to be sent, and answers to probes."""
        if self._send is None:
            return
        frames = self.link.frames(time.monotonic())
        if not frames and (answers or not self.welcomed):
            frames = [self.link.pure()]
        for frame in frames:
            whole: Said = {
                "ack": frame.ack,
                "first": frame.first,
                "messages": [json.loads(message) for message in frame.messages],
                "answers": answers or [],
            }
            if not self.welcomed:
                whole["opening"] = self.hello
            if self._chance.random() >= self.lost_share:
                self._send(json.dumps(whole))
        if self._timer is None and self.link.due_at() is not None:
            self._timer = asyncio.ensure_future(self._repeat())

    async def _repeat(self) -> None:
        while (due_at := self.link.due_at()) is not None:
            await asyncio.sleep(max(due_at - time.monotonic(), 0))
            self.flush()
        self._timer = None

    async def _arrived(self, text: str) -> None:
        if self._chance.random() < self.lost_share:
            return
        self.frames.append(text)
        frame = json.loads(text)
        if (opening := frame.get("opening")) is not None:
            self.openings.append(opening)
        self.welcomed = True
        self.hello["resumes"] = True
        self.said += self.link.receive(
            frame["ack"], frame["first"], frame["messages"], time.monotonic()
        )
        answers: list[Said] = []
        if (probe := frame.get("probe")) is not None:
            self.probes += 1
            if self.answers_after_s:
                await asyncio.sleep(self.answers_after_s)
            answers = [{**probe, "at_us": now_us()}]
        self.flush(answers)
        async with self.changed:
            self.changed.notify_all()

    def say(self, **message: Any) -> None:  # noqa: ANN401
        """Sends a message."""
        self.link.send(json.dumps(message))
        self.flush()

    def press(self, data: str, kind: str = "character", *, repeat: bool = False) -> int:
        """A keydown and its keyup."""
        self.keys += 1
        at_us = now_us()
        self.say(type="key", number=self.keys, at_us=at_us, data=data, kind=kind, repeat=repeat)
        self.say(type="release", number=self.keys, at_us=at_us + 50_000)
        return self.keys

    async def until(self, holds: Callable[["Page"], bool]) -> None:
        """Waits for a condition over what was said."""
        async with asyncio.timeout(PATIENCE_S), self.changed:
            await self.changed.wait_for(lambda: holds(self))

    async def stage(self, *stages: str) -> Said:
        """Waits for one of these stages."""
        await self.until(lambda page: any(one.get("stage") in stages for one in page.said))
        return next(one for one in self.said if one.get("stage") in stages)

    async def refused(self) -> str:
        """Waits for a refusal; its code."""
        await self.until(lambda page: any(one["type"] == "refused" for one in page.openings))
        return str(next(one["code"] for one in self.openings if one["type"] == "refused"))

    async def seen(self, key: int) -> None:
        """Waits until a key's echo is on a screen, and says that it was painted."""
        await self.until(lambda page: any(one.get("answers_key", 0) >= key for one in page.said))
        screens = [one for one in self.said if one["type"] == "screen"]
        at_us = now_us()
        self.say(
            type="painted",
            screens=[
                {"number": one["number"], "received_at_us": at_us, "at_us": at_us}
                for one in screens[-16:]
            ],
        )

    @property
    def text(self) -> str:
        """All that the terminal wrote."""
        return "".join(one["data"] for one in self.said if one["type"] == "screen")


def now_us() -> int:
    """The page's clock: an hour off, as a laptop's may be."""
    return time.time_ns() // 1000 + 3_600_000_000
