"""A data channel that is slow beneath: what would wait in it is lost instead."""

from typing import TYPE_CHECKING, Any

import pytest
from aiortc import RTCPeerConnection

from thinlab.live import webrtc

if TYPE_CHECKING:
    from thinlab.live.transport import Transport


class Channel:
    """As much of a channel as is asked of one."""

    label = "link"
    readyState = "open"  # noqa: N815 (aiortc's name)
    bufferedAmount = 0  # noqa: N815 (aiortc's name)

    def __init__(self) -> None:
        self.sent: list[str] = []

    def send(self, text: str) -> None:
        self.sent.append(text)

    def on(self, event: str) -> Any:  # noqa: ANN401
        """Nothing is told."""
        del event
        return lambda listener: listener


@pytest.fixture
def channel() -> Channel:
    return Channel()


async def test_nothing_more_is_queued_behind_what_waits(channel: Channel) -> None:
    carried: list[Transport] = []
    peers = webrtc.Peers(carried.append)
    peer = RTCPeerConnection()
    peers._carry(peer, channel)  # type: ignore[arg-type]
    (transport,) = carried
    transport.send("one")
    channel.bufferedAmount = webrtc.WAITING_LIMIT_BYTES + 1
    transport.send("two")
    channel.bufferedAmount = webrtc.WAITING_LIMIT_BYTES
    transport.send("three")
    assert channel.sent == ["one", "three"]
    await peer.close()
