"""A stand-in for the lab agent: a real gRPC server that answers as told.

Only for what the real one cannot be made to do on demand: die at a given
point, answer wrongly, repeat itself badly. The real agent is used in e2e/.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.json_format import ParseDict
from grpc import aio

from tests.made_up import made_up_result
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.contract.generated import lab_pb2_grpc as rpc
from thinlab.lab.agent import MESSAGE_LIMIT_BYTES


class StandIn(rpc.LabServicer):
    """Returns the clip, with the seed and the condition mixed in."""

    def __init__(self) -> None:
        self.build = "stand-in"
        self.sessions = 0
        self.at_once = 0
        self.most_at_once = 0
        self.dies_in_next = 0
        self.refusal: str | None = None
        self.cut_bytes = 0
        self.salt = b""

    async def Describe(self, request: pb.DescribeRequest, context: Any) -> pb.HostDescription:  # noqa: ANN401, ARG002, N802
        return pb.HostDescription(
            agent_version="0", kernel_release="6.12.0-stand-in", build=self.build
        )

    async def RunSession(  # noqa: N802
        self,
        request: pb.SessionSpec,
        context: Any,  # noqa: ANN401
    ) -> AsyncIterator[pb.SessionEvent]:
        self.sessions += 1
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            yield pb.SessionEvent(progress=pb.SessionProgress(stage="send", share=0.5))
            await asyncio.sleep(0)
            if self.refusal is not None:
                await context.abort(grpc.StatusCode.UNIMPLEMENTED, self.refusal)
            if self.dies_in_next > 0:
                self.dies_in_next -= 1
                await context.abort(grpc.StatusCode.UNAVAILABLE, "Socket closed")
            for event in self._yield_of(request):
                yield event
        finally:
            self.at_once -= 1

    def _yield_of(self, request: pb.SessionSpec) -> list[pb.SessionEvent]:
        [asked] = request.lanes
        source = asked.flows[0].stream.audio.source_s16le_48k_mono
        spec = hashlib.sha256(asked.lane.SerializeToString() + self.salt).digest()
        heard = (spec + source)[: len(source) - self.cut_bytes]
        result = ParseDict(made_up_result(spec).model_dump(mode="json"), pb.SessionResult())
        files = {
            pb.FILE_KIND_SENDER_CAPTURE: b"sender",
            pb.FILE_KIND_RECEIVER_CAPTURE: b"receiver",
            pb.FILE_KIND_RECORDING: heard,
        }
        chunks = [
            pb.SessionEvent(file=pb.FileChunk(kind=kind, data=content[at : at + 1000]))
            for kind, content in files.items()
            for at in range(0, len(content), 1000)
        ]
        return [pb.SessionEvent(result=result), *chunks]


LiveEvents = asyncio.Queue[pb.LiveEvent | None]
"""What a live run tells; none is the end."""
Refusal = tuple[grpc.StatusCode, str]
HOST_LOST: Refusal = (grpc.StatusCode.ABORTED, "host-lost: the guest died")


class LiveLab(StandIn):
    """One of the live lab, with terminals; who inherits says what its runs do."""

    def __init__(self) -> None:
        super().__init__()
        self.closed = 0
        """How many runs are over."""
        self._one_closed = asyncio.Event()

    async def until_closed(self, runs: int) -> None:
        """Waits for so many runs to be over: that a client broke off comes here after it did."""
        while self.closed < runs:
            self._one_closed.clear()
            await self._one_closed.wait()

    async def Describe(self, request: pb.DescribeRequest, context: Any) -> pb.HostDescription:  # noqa: ANN401, N802
        described = await super().Describe(request, context)
        described.clock = pb.CLOCK_REAL_TIME
        described.terminal.available = True
        return described

    async def live(
        self, requests: AsyncIterator[pb.LiveInput], events: LiveEvents
    ) -> Refusal | None:
        """One run, to its end: how it is refused, or broken off."""
        raise NotImplementedError

    async def RunLive(  # noqa: N802
        self,
        requests: AsyncIterator[pb.LiveInput],
        context: Any,  # noqa: ANN401
    ) -> AsyncIterator[pb.LiveEvent]:
        events: LiveEvents = asyncio.Queue()

        async def run() -> Refusal | None:
            try:
                return await self.live(requests, events)
            finally:
                events.put_nowait(None)

        running = asyncio.create_task(run())
        try:
            while (event := await events.get()) is not None:
                yield event
            # From here: gRPC refuses an abort beside an event that is being sent.
            if (refusal := await running) is not None:
                await context.abort(*refusal)
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running
            self.closed += 1
            self._one_closed.set()


@asynccontextmanager
async def serving(agent: StandIn, socket: Path) -> AsyncIterator[str]:
    """Serves on a socket; gives the address."""
    server = aio.server(options=[("grpc.max_receive_message_length", MESSAGE_LIMIT_BYTES)])
    rpc.add_LabServicer_to_server(agent, server)
    address = f"unix:{socket}"
    server.add_insecure_port(address)
    await server.start()
    try:
        yield address
    finally:
        await server.stop(None)
