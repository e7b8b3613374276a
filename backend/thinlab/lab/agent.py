"""The lab agent, as the backend calls it: one host, one address.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import grpc
from grpc import aio

from thinlab.condition.condition import Condition
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.contract.generated import lab_pb2_grpc as rpc
from thinlab.contract.generated.results import SessionResult
from thinlab.lab.greeting import why_silent
from thinlab.tls.trust import Papers, Trust

# A clip travels in one message (5 MB a minute); results come in chunks.
MESSAGE_LIMIT_BYTES = 256 * 1024 * 1024

# gRPC calls it INTERNAL, too, when a connection broke in the middle, or when something was being
# written to a call at the moment at which the other side ended it.
BROKEN = ("RST_STREAM", "Internal error from Core")
AWAY = {
    # A guest that died: the agent has another one by now.
    grpc.StatusCode.ABORTED,
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.UNKNOWN,
}
STAGES = ("boot", "send", "analyse", "play out")

# Its sockets and its loopback need nothing; what is elsewhere is refused.
THIS_MACHINE = Trust()

Progress = Callable[[float], None]


class AgentAwayError(Exception):
    """The agent did not answer or died on the way: worth another try."""


class AgentRefusedError(Exception):
    """The agent cannot do what was asked; trying again gives the same."""


class StreamBrokeError(AgentRefusedError):
    """The lane broke the stream: its connection ended or stood still before all was delivered."""


@dataclass
class Session:
    """What one session yielded."""

    result: SessionResult
    files: dict[pb.FileKind.ValueType, bytearray] = field(default_factory=dict)

    def file(self, kind: pb.FileKind.ValueType) -> bytes:
        """A file of the session. Raises `AgentAwayError` when the stream ended before it."""
        content = self.files.get(kind)
        if not content:
            raise AgentAwayError(f"the session ended without {pb.FileKind.Name(kind)}")
        return bytes(content)


class Agent:
    """A connection that reopens by itself."""

    def __init__(self, address: str, trust: Trust = THIS_MACHINE) -> None:
        """Raises `SettingError` for what must not, or cannot, be spoken to."""
        self.address = address
        self._papers = trust.papers(address, "the lab-agent")
        self._channel = _channel(address, self._papers)
        self._lab = rpc.LabStub(self._channel)

    async def describe(self) -> pb.HostDescription:
        """What the host is. Raises `AgentAwayError`."""
        try:
            return await self._lab.Describe(pb.DescribeRequest(), timeout=10)
        except grpc.aio.AioRpcError as error:
            if error.code() == grpc.StatusCode.UNAVAILABLE:
                reason = await why_silent(self.address, self._papers)
                if reason is not None:
                    raise AgentAwayError(f"lab-agent: {reason}") from error
            raise explained(error) from error

    async def run(self, spec: pb.SessionSpec, progress: Progress) -> Session:
        """Runs a clip's session to its end. Raises `AgentAwayError`, `AgentRefusedError`."""
        result, files = await self.answer(spec, progress)
        return Session(SessionResult.of(result), files)

    async def answer(
        self, spec: pb.SessionSpec, progress: Progress
    ) -> tuple[pb.SessionResult, dict[pb.FileKind.ValueType, bytearray]]:
        """Runs any session of one flow to its end. Raises `AgentAwayError`, `AgentRefusedError`."""
        results, (files,) = await self.answers(spec, progress)
        return results[0, 0], files

    async def answers(
        self, spec: pb.SessionSpec, progress: Progress
    ) -> tuple[
        dict[tuple[int, int], pb.SessionResult], list[dict[pb.FileKind.ValueType, bytearray]]
    ]:
        """Runs a session to its end: each flow's result by its lane and its place there.

        And each lane's files. Raises `AgentAwayError`, `AgentRefusedError`.
        """
        results: dict[tuple[int, int], pb.SessionResult] = {}
        files: list[dict[pb.FileKind.ValueType, bytearray]] = [{} for _ in spec.lanes]
        try:
            async for event in self._lab.RunSession(spec, timeout=600):
                match event.WhichOneof("event"):
                    case "progress":
                        progress(_share(event.progress))
                    case "result":
                        results[event.lane, event.flow] = event.result
                    case "file":
                        of_lane = files[event.lane]
                        of_lane.setdefault(event.file.kind, bytearray()).extend(event.file.data)
        except grpc.aio.AioRpcError as error:
            raise explained(error) from error
        wanted = sum(len(lane.flows) for lane in spec.lanes)
        if len(results) < wanted:
            raise AgentAwayError(f"the session ended with {len(results)} of {wanted} results")
        return results, files

    def run_live(self) -> "aio.StreamStreamCall[pb.LiveInput, pb.LiveEvent]":
        """A call to be written to and read from; cancelling it ends the terminal or the take."""
        return self._lab.RunLive()

    async def close(self) -> None:
        """Closes the connection."""
        await self._channel.close(None)


def _channel(address: str, papers: Papers | None) -> aio.Channel:
    options: list[tuple[str, int | str]] = [
        ("grpc.max_receive_message_length", MESSAGE_LIMIT_BYTES),
        ("grpc.max_send_message_length", MESSAGE_LIMIT_BYTES),
        ("grpc.initial_reconnect_backoff_ms", 100),
        ("grpc.min_reconnect_backoff_ms", 100),
        ("grpc.max_reconnect_backoff_ms", 1000),
        # The agent is on this host or in this deployment: never through a proxy.
        ("grpc.enable_http_proxy", 0),
    ]
    if papers is None:
        # Of a socket's path, gRPC makes an authority that HTTP/2 servers refuse.
        options.append(("grpc.default_authority", "localhost"))
        return aio.insecure_channel(address, options=options)
    # A machine that vanishes ends no connection: a call would wait for it until its deadline.
    options += [("grpc.keepalive_time_ms", 20_000), ("grpc.keepalive_timeout_ms", 10_000)]
    credentials = grpc.ssl_channel_credentials(
        papers.authority.read_bytes(), papers.key.read_bytes(), papers.certificate.read_bytes()
    )
    return aio.secure_channel(address.removeprefix("tls://"), credentials, options=options)


def explained(error: grpc.aio.AioRpcError) -> AgentAwayError | AgentRefusedError:
    """The error in our words."""
    text = f"lab-agent: {error.code().name}: {error.details()}"
    broken = any(words in (error.details() or "") for words in BROKEN)
    if broken or error.code() in AWAY:
        return AgentAwayError(text)
    if error.code() is grpc.StatusCode.DATA_LOSS:
        return StreamBrokeError(error.details() or text)
    return AgentRefusedError(text)


def _share(progress: pb.SessionProgress) -> float:
    """The stage's share as a share of the whole, every stage counted alike."""
    stage = STAGES.index(progress.stage) if progress.stage in STAGES else 0
    return (stage + min(max(progress.share, 0.0), 1.0)) / len(STAGES)


def audio_session(condition: Condition, seed: int, samples: bytes) -> pb.SessionSpec:
    """The request that sends a clip under a condition."""
    codec = pb.Codec.Value(f"CODEC_{condition.codec.name}")
    clip = pb.Stream(audio=pb.AudioStream(source_s16le_48k_mono=samples, codec=codec))
    return one_flow(condition.to_lane(seed), clip)


def one_flow(lane: pb.LaneSpec, stream: pb.Stream) -> pb.SessionSpec:
    """The request that sends one stream over one lane."""
    return pb.SessionSpec(lanes=[pb.SessionLane(lane=lane, flows=[pb.Flow(stream=stream)])])
