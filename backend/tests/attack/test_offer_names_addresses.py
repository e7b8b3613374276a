"""Offers the server a description that names addresses, so that it sends datagrams there.

A sink listens at each of them, and for names that are asked for in the local network. The
description is otherwise a true one: where it is answered, a data channel is opened over it, so that
whatever the server would have sent to the sink was sent by then.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import re
import secrets
import socket
import struct
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager

import httpx
import pytest
from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription

from tests.attack.aim import Instance
from tests.attack.conftest import PATIENCE_S
from tests.made_up import Participant
from tests.running.thinlab_process import free_port

MULTICAST_NAMES = ("224.0.0.251", 5353)
# All that Python's `splitlines` takes for the end of a line, and the two that SDP knows.
SEPARATORS = [
    "\r\n",
    "\n",
    "\r",
    "\x0b",
    "\x0c",
    "\x1c",
    "\x1d",
    "\x1e",
    "\x85",
    "\u2028",
    "\u2029",
]


class Sink:
    """Hears datagrams to this machine, and questions for one name."""

    def __init__(self, instance: Instance) -> None:
        self.name = f"{secrets.token_hex(8)}.local"
        self._inner = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        # None that a peer of an earlier test had: somebody may still send there.
        self._inner.bind(("", free_port()))
        self._asked = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._asked.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self._asked.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        self._asked.bind(MULTICAST_NAMES)
        group = socket.inet_aton(MULTICAST_NAMES[0])
        self._asked.setsockopt(
            socket.IPPROTO_IP,
            socket.IP_ADD_MEMBERSHIP,
            group + socket.inet_aton("0.0.0.0"),  # noqa: S104
        )
        self.port: int = self._inner.getsockname()[1]
        # Where the server would reach us: by loopback, or from where we reach it.
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as towards:
            towards.connect((socket.gethostbyname(instance.host), instance.port))
            self.addresses = {"127.0.0.1", towards.getsockname()[0]}

    def heard(self) -> list[bytes]:
        """All that came so far."""
        found = list(_waiting(self._inner))
        label = self.name.removesuffix(".local").encode()
        asked = struct.pack("B", len(label)) + label
        return found + [question for question in _waiting(self._asked) if asked in question]

    def close(self) -> None:
        self._inner.close()
        self._asked.close()


def _waiting(listening: socket.socket) -> Iterator[bytes]:
    while True:
        try:
            yield listening.recv(65_536, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return


@pytest.fixture
def sink(instance: Instance) -> Iterator[Sink]:
    sink = Sink(instance)
    yield sink
    sink.close()


@asynccontextmanager
async def _page() -> AsyncIterator[tuple[RTCPeerConnection, asyncio.Event]]:
    """A page's peer connection with an offer, and whether its channel is open."""
    peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    opened = asyncio.Event()
    channel = peer.createDataChannel("link", ordered=False, maxRetransmits=0)
    channel.on("open", opened.set)
    await peer.setLocalDescription(await peer.createOffer())
    try:
        yield peer, opened
    finally:
        await peer.close()


async def _offer(
    stranger: httpx.AsyncClient, somebody: Participant, spoil: Callable[[str], str]
) -> int:
    """Offers a spoilt description; opens its channel where it is answered."""
    async with _page() as (peer, opened):
        body = {"sdp": spoil(peer.localDescription.sdp)}
        answered = await stranger.post("/api/live/offer", headers=somebody.headers, json=body)
        if answered.status_code == httpx.codes.OK:
            answer = RTCSessionDescription(answered.json()["sdp"], "answer")
            await peer.setRemoteDescription(answer)
            async with asyncio.timeout(PATIENCE_S):
                await opened.wait()
        else:
            assert answered.headers["content-type"] == "application/problem+json"
        return answered.status_code


def _candidates(sink: Sink) -> list[str]:
    hosts = sorted(sink.addresses)
    named = [("udp", host, "host") for host in hosts]
    named += [("UDP", host, "srflx raddr 0.0.0.0 rport 9") for host in hosts]
    named += [("udp", "localhost", "host"), ("tcp", hosts[0], "host tcptype passive")]
    named += [("udp", sink.name, "host")]
    return [
        f"a=candidate:{number} 1 {protocol} 4294967295 {host} {sink.port} typ {kind}"
        for number, (protocol, host, kind) in enumerate(named)
    ]


@pytest.mark.parametrize("separator", SEPARATORS, ids=ascii)
async def test_candidates_after_any_end_of_a_line(
    separator: str, instance: Instance, stranger: httpx.AsyncClient, sink: Sink
) -> None:
    somebody = await Participant.join(stranger, instance.study)
    named = separator.join(["a=x-harmless:1", *_candidates(sink), "a=end-of-candidates"])
    assert await _offer(stranger, somebody, lambda sdp: sdp + named + "\r\n") in {200, 422}
    assert sink.heard() == []


def _at_the_session(sdp: str, sink: Sink) -> str:
    begins = sdp.index("m=application")
    return sdp[:begins] + "\r\n".join([*_candidates(sink), ""]) + sdp[begins:]


def _as_connection(sdp: str, sink: Sink) -> str:
    named = f"c=IN IP4 {max(sink.addresses)}"
    lines = [named if line.startswith("c=") else line for line in sdp.splitlines()]
    named = f"m=application {sink.port} "
    lines = [re.sub(r"^m=application \d+ ", named, line) for line in lines]
    return "\r\n".join([*lines, ""])


def _as_chosen(sdp: str, sink: Sink) -> str:
    named = " ".join(f"1 {host} {sink.port}" for host in sorted(sink.addresses))
    return sdp + f"a=remote-candidates:{named}\r\na=rtcp:{sink.port} IN IP4 127.0.0.1\r\n"


def _as_name(sdp: str, sink: Sink) -> str:
    return sdp.replace("c=IN IP4 ", f"c=IN IP4 {sink.name} ").replace("o=- ", f"o={sink.name} ")


def _in_other_letters(sdp: str, sink: Sink) -> str:
    lines = _candidates(sink)
    odd = [f" {line}" for line in lines] + [line.replace("a=", "A=", 1) for line in lines]
    odd += [line.replace("candidate", "CANDIDATE", 1) for line in lines]
    odd += [line.replace("candidate:", "candidate :", 1) for line in lines]
    return sdp + "\r\n".join([*odd, ""])


def _within_others(sdp: str, sink: Sink) -> str:
    return sdp + "".join(f"a=mid:0\u2028{line}\u2028" for line in _candidates(sink)) + "\r\n"


PLACES = {
    "at the session": _at_the_session,
    "as the connection": _as_connection,
    "as candidates chosen": _as_chosen,
    "as names": _as_name,
    "in other letters": _in_other_letters,
    "within other lines": _within_others,
}


@pytest.mark.parametrize("place", PLACES)
async def test_addresses_anywhere(
    place: str, instance: Instance, stranger: httpx.AsyncClient, sink: Sink
) -> None:
    somebody = await Participant.join(stranger, instance.study)
    spoil = PLACES[place]
    assert await _offer(stranger, somebody, lambda sdp: spoil(sdp, sink)) in {200, 422}
    assert sink.heard() == []


async def test_the_sink_hears_whoever_speaks(instance: Instance, sink: Sink) -> None:
    """Else its silence would mean nothing."""
    for address in sink.addresses:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as speaker:
            speaker.sendto(address.encode(), (address, sink.port))
    async with asyncio.timeout(PATIENCE_S):
        heard: set[bytes] = set()
        while heard != {address.encode() for address in sink.addresses}:
            heard |= set(sink.heard())
            await asyncio.sleep(0)
    assert instance.url
