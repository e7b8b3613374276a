"""A take of the real lab as a source of sound: an agent of our own plays a clip over two lanes.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import grpc
from grpc import aio

from tests.demo import marked_sound
from tests.live.real_agent import real_agent
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.contract.generated import lab_pb2_grpc as rpc
from thinlab.lab.agent import MESSAGE_LIMIT_BYTES

Play = Callable[[int, int, Sequence[bytes]], Awaitable[None]]
"""Takes a packet's number, instant and lanes."""

CLIP_S = 10
SEED = 20_080


@contextmanager
def demo_agent(folder: str) -> Iterator[str]:
    """An agent with one guest for demos; its address."""
    with real_agent(Path(folder), "--hosts", "1", "--demos", "1") as (_, address):
        yield address


def _lane(mechanisms: list[pb.Mechanism.ValueType], loss_share: float) -> pb.LaneSpec:
    there = pb.Path(delay_us=65_000, uniform=pb.UniformLoss(loss_share=loss_share))
    return pb.LaneSpec(
        forward=there,
        backward=pb.Path(delay_us=65_000),
        baseline=pb.BASELINE_NEWRENO2008,
        mechanisms=mechanisms,
        seed=SEED,
    )


def _opened(loss_share: float) -> pb.LiveInput:
    sound = marked_sound.marked(0, CLIP_S).astype("<i2").tobytes()
    everything = [pb.MECHANISM_LINEAR_TIMEOUTS, pb.MECHANISM_BUNDLING]
    lanes = [_lane([], loss_share), _lane(everything, loss_share)]
    return pb.LiveInput(
        demo=pb.DemoOpen(
            lanes=lanes, stream=pb.Stream(audio=pb.AudioStream(source_s16le_48k_mono=sound))
        )
    )


async def play_the_lab(address: str, loss_share: float, play: Play) -> None:
    """The sound of one take, until it is cancelled."""
    channel = aio.insecure_channel(
        address,
        options=[
            ("grpc.max_receive_message_length", MESSAGE_LIMIT_BYTES),
            ("grpc.default_authority", "localhost"),
        ],
    )
    ended = asyncio.Event()

    async def asked() -> AsyncIterator[pb.LiveInput]:
        yield _opened(loss_share)
        await ended.wait()

    async with channel:
        while True:
            try:
                async for event in rpc.LabStub(channel).RunLive(asked()):
                    if event.HasField("sound"):
                        sound = event.sound
                        await play(sound.number, sound.at_ns, sound.opus)
            except grpc.aio.AioRpcError as error:
                # The guest is not booted yet.
                if error.code() != grpc.StatusCode.UNAVAILABLE:
                    raise
            await asyncio.sleep(0.2)
