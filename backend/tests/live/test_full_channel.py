"""A data channel that is slow beneath: what would wait in it waits in the link instead."""

import uuid
from typing import TYPE_CHECKING, Any

import pytest
from aiortc import RTCPeerConnection

from thinlab.live import webrtc
from thinlab.live.connection import Connection
from thinlab.live.messages import ScreenWritten, ServerFrame

if TYPE_CHECKING:
    from thinlab.live.transport import Transport


class Channel:
    """As much of a channel as is asked of one."""

    label = "link"
    readyState = "open"  # noqa: N815 (aiortc's name)
    bufferedAmount = 0  # noqa: N815 (aiortc's name)
    bufferedAmountLowThreshold = 0  # noqa: N815 (aiortc's name)

    def __init__(self) -> None:
        self.sent: list[str] = []
        self.listeners: dict[str, Any] = {}

    def send(self, text: str) -> None:
        self.sent.append(text)

    def on(self, event: str, listener: Any = None) -> Any:  # noqa: ANN401
        """Kept, to be told by the test."""
        if listener is None:
            return lambda listener: self.on(event, listener)
        self.listeners[event] = listener
        return listener


@pytest.fixture
def channel() -> Channel:
    return Channel()


async def test_what_waits_for_room_leaves_in_one_frame(channel: Channel) -> None:
    carried: list[Transport] = []
    peers = webrtc.Peers(carried.append)
    peer = RTCPeerConnection()
    peers._carry(peer, channel)  # type: ignore[arg-type]
    (transport,) = carried
    connection = Connection(uuid.uuid4(), on_close=lambda _: None)
    connection.attach(transport)
    channel.sent.clear()
    screens = [
        ScreenWritten(type="screen", number=number, data="x", answers_key=number)
        for number in range(1, 6)
    ]
    connection.send(screens[0])
    channel.bufferedAmount = webrtc.WAITING_LIMIT_BYTES + 1
    for screen in screens[1:]:
        connection.send(screen)
    assert len(channel.sent) == 1
    channel.bufferedAmount = channel.bufferedAmountLowThreshold
    channel.listeners["bufferedamountlow"]()
    assert len(channel.sent) == 2
    frame = ServerFrame.model_validate_json(channel.sent[1])
    assert [one.number for one in frame.messages if isinstance(one, ScreenWritten)] == [
        1,
        2,
        3,
        4,
        5,
    ]
    connection.close()
    await peer.close()


async def test_who_says_more_although_it_is_full_is_not_heard(channel: Channel) -> None:
    transport = webrtc.carried_by(channel, close=lambda: None)  # type: ignore[arg-type]
    channel.bufferedAmount = webrtc.LOST_LIMIT_BYTES + 1
    transport.send("two")
    channel.bufferedAmount = webrtc.LOST_LIMIT_BYTES
    transport.send("three")
    assert channel.sent == ["three"]
