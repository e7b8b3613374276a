"""What a page that is none of ours may try: it gets nothing, and nobody else notices.

SPDX-License-Identifier: Apache-2.0
"""

import json
import socket
import uuid
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import websockets
from aiortc import RTCConfiguration, RTCPeerConnection

from tests.live.conftest import Room
from tests.live.page import PATIENCE_S, Page
from tests.made_up import Participant
from tests.running.thinlab_process import free_port
from thinlab.live.webrtc import PARTICIPANT_CONNECTIONS_LIMIT

TEXT = "A thin"
FORGED = "forged-forged-forged-forged"


async def type_all(page: Page, text: str = TEXT) -> None:
    await page.stage("ready")
    for letter in text:
        await page.seen(page.press(letter))


async def finish(page: Page) -> None:
    page.say(type="finish")
    assert (await page.stage("ended", "void"))["reason"] == "finished"


async def calm(room: Room) -> Page:
    """Somebody who types beside, and must not notice anything."""
    page = await (await room.page(await room.typist())).over_socket()
    await type_all(page)
    return page


async def unharmed(room: Room, page: Page, *, others_done: int = 0) -> None:
    """The calm one finishes, and nothing of anybody is left."""
    await type_all(page, " stream.")
    await finish(page)
    assert page.text == "\x1b[2Jeditor A thin stream."
    assert [one.state for one in await room.sessions()].count("done") == 1 + others_done
    live = room.services.live
    await live.switchboard.close()
    assert live.switchboard.running() == []
    await room.no_terminal_left()


async def _forged_participant(room: Room, token: str, mine: Participant) -> Page:
    del mine
    return await room.plain_page(FORGED, token).over_socket()


async def _forged_session(room: Room, token: str, mine: Participant) -> Page:
    del token
    return await room.plain_page(mine.token, FORGED).over_socket()


async def _anothers_session(room: Room, token: str, mine: Participant) -> Page:
    return await room.plain_page(mine.token, token).over_socket()


async def _second_before_first(room: Room, token: str, mine: Participant) -> Page:
    del token
    return await (await room.page(mine, "second")).over_socket()


async def _a_later_trial(room: Room, token: str, mine: Participant) -> Page:
    """A trial's token is none of a session."""
    del token
    trial = await mine.open_trial()
    return await room.plain_page(mine.token, trial["trial_token"]).over_socket()


async def _done_already(room: Room, token: str, mine: Participant) -> Page:
    del token
    page = await (await room.page(mine)).over_socket()
    await type_all(page)
    await finish(page)
    return await room.plain_page(mine.token, page.hello["session_token"]).over_socket()


async def _check_without_one(room: Room, token: str, mine: Participant) -> Page:
    """To type by a link that says it only measures."""
    del mine
    return await room.plain_page(FORGED, token, purpose="check").over_socket()


async def _resumed_out_of_the_air(room: Room, token: str, mine: Participant) -> Page:
    del token
    return await room.plain_page(mine.token, FORGED, resumes=True).over_socket()


CREDENTIALS: dict[str, tuple[Callable[[Room, str, Participant], Awaitable[Page]], str]] = {
    "forged participant": (_forged_participant, "unknown-participant"),
    "forged session": (_forged_session, "unknown-session"),
    "another's session": (_anothers_session, "unknown-session"),
    "second before first": (_second_before_first, "not-now"),
    "a trial's token": (_a_later_trial, "unknown-session"),
    "done already": (_done_already, "done"),
    "a forged check": (_check_without_one, "unknown-participant"),
    "resumed, never begun": (_resumed_out_of_the_air, "link-lost"),
}


@pytest.mark.parametrize("name", CREDENTIALS)
async def test_tokens_open_nothing_but_their_own(name: str, room: Room) -> None:
    attempt, code = CREDENTIALS[name]
    victim = await calm(room)
    mine = await room.typist()
    page = await attempt(room, victim.hello["session_token"], mine)
    assert await page.refused() == code
    assert page.text == ""
    await unharmed(room, victim, others_done=int(code == "done"))


async def test_a_hello_overheard_and_replayed_with_other_tokens_is_refused(room: Room) -> None:
    victim = await calm(room)
    mine = await room.typist()
    for changes in ({}, {"session_token": victim.hello["session_token"]}, {"purpose": "check"}):
        token = (await mine.open_trial())["first"]["session_token"]
        page = room.plain_page(mine.token, token)
        page.hello |= {"link_id": victim.hello["link_id"], "resumes": True} | changes
        await page.over_socket()
        assert await page.refused() == "unknown-session"
    await unharmed(room, victim)


def frame(**fields: Any) -> dict[str, Any]:  # noqa: ANN401
    """One that is right, but for the fields."""
    return {"ack": 0, "first": 1, "messages": [], "answers": []} | fields


KEY = {"type": "key", "number": 1, "at_us": 1, "data": "x", "kind": "character", "repeat": False}
MALFORMED: dict[str, str] = {
    "no JSON": "{",
    "no object": "[]",
    "deep": "[" * 30_000,
    "a number": "1e400",
    "unknown key": json.dumps(frame(mode="off")),
    "unknown message": json.dumps(frame(messages=[{"type": "stage", "stage": "ready"}])),
    "acknowledges the future": json.dumps(frame(ack=2**31 - 1)),
    "negative": json.dumps(frame(ack=-1)),
    "beyond 64 bits": json.dumps(frame(first=2**64)),
    "number zero": json.dumps(frame(first=0)),
    "too many messages": json.dumps(frame(messages=[{"type": "finish"}] * 600)),
    "a pasted key": json.dumps(frame(messages=[KEY | {"data": "x" * 65}])),
    "an empty key": json.dumps(frame(messages=[KEY | {"data": ""}])),
    "a lone surrogate": json.dumps(frame(messages=[KEY | {"data": "\ud800"}])),
    "a key of no kind": json.dumps(frame(messages=[KEY | {"kind": "modified"}])),
    "a clock beyond all": json.dumps(frame(messages=[KEY | {"at_us": 2**60}])),
    "a second hello": json.dumps(frame(opening={"type": "welcome", "resumed": True})),
    "long": json.dumps(frame(answers=[{"number": 1, "server_us": 1, "at_us": 1}] * 65)),
    "oversize": json.dumps(frame(messages=[KEY | {"data": "x" * 200_000}])),
}


@pytest.mark.parametrize("name", MALFORMED)
async def test_a_frame_out_of_protocol_ends_its_transport_only(name: str, room: Room) -> None:
    victim = await calm(room)
    page = await room.ready_page()
    socket_ = page.sockets[-1]
    await socket_.send(MALFORMED[name])
    await socket_.wait_closed()
    # The link itself goes on: what was typed is not lost to one broken frame.
    await page.cut()
    await page.over_socket()
    await type_all(page)
    await finish(page)
    await unharmed(room, victim, others_done=1)


IMPOSSIBLE: dict[str, list[dict[str, Any]]] = {
    "skips a key": [KEY | {"number": 2}],
    "a key again": [KEY, KEY],
    "four thousand keys": [KEY | {"number": number} for number in range(1, 4001)],
}


@pytest.mark.parametrize("name", IMPOSSIBLE)
async def test_keys_that_nobody_types_make_the_session_void(name: str, room: Room) -> None:
    victim = await calm(room)
    page = await room.ready_page()
    # All at once: faster than any hand, and than any held key.
    for number, message in enumerate(IMPOSSIBLE[name], start=1):
        page.link.send(json.dumps(message))
        if number % 400 == 0:
            page.flush()
    page.flush()
    said = await page.stage("void")
    assert said["reason"] in {"broken", "too-much"}
    assert sum(len(one) for one in room.lab.typed) < 1000
    await unharmed(room, victim)


async def test_what_a_page_says_of_others_keys_and_screens_changes_nothing(room: Room) -> None:
    victim = await calm(room)
    page = await (await room.page(await room.typist())).over_socket()
    await type_all(page)
    at_us = 2**53 - 1
    page.say(type="release", number=2**31 - 1, at_us=at_us)
    page.say(
        type="painted",
        screens=[{"number": 2**31 - 1, "received_at_us": 0, "at_us": at_us}] * 256,
    )
    page.flush([{"number": 2**31 - 1, "server_us": -(2**62), "at_us": at_us}] * 64)
    for state in ("hidden", "visible", "resized", "paste-refused") * 400:
        page.say(type="page", at_us=at_us, state=state)
    await finish(page)
    await unharmed(room, victim, others_done=1)


async def test_a_page_whose_clock_is_impossible_harms_its_own_session_only(room: Room) -> None:
    victim = await calm(room)
    page = await room.ready_page()
    for number, at_us in enumerate((0, 2**53 - 1, 0, 1, 2**53 - 1, 0), start=1):
        page.say(**KEY | {"number": number, "at_us": at_us})
        page.say(type="release", number=number, at_us=2**53 - 1 - at_us)
        page.keys = number
        await page.seen(number)
    page.say(type="finish")
    assert (await page.stage("ended", "void"))["stage"] in {"ended", "void"}
    others = [one.state for one in await room.sessions()].count("done")
    await unharmed(room, victim, others_done=others)


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://127.0.0.1:1", "file://"]
)
async def test_a_page_of_another_origin_gets_no_socket(origin: str, room: Room) -> None:
    address = room.address.replace("http", "ws") + "/api/live/socket"
    with pytest.raises(websockets.InvalidStatus) as refused:
        await websockets.connect(address, additional_headers={"Origin": origin})
    assert refused.value.response.status_code == 403


async def offer_of_a_page() -> tuple[RTCPeerConnection, str]:
    """One as ours makes."""
    peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    peer.createDataChannel("link", ordered=False, maxRetransmits=0)
    await peer.setLocalDescription(await peer.createOffer())
    return peer, peer.localDescription.sdp


async def offered(room: Room, typist: Participant, sdp: str) -> int:
    answered = await room.browser.post(
        "/api/live/offer", headers=typist.headers, json={"sdp": sdp}, timeout=PATIENCE_S
    )
    if answered.status_code != 200:
        assert answered.headers["content-type"] == "application/problem+json"
    return answered.status_code


SPOILED: dict[str, Callable[[str], str]] = {
    "garbage": lambda _: "\r\n".join(["v=0", "m=application", "\x00\ufffd" * 500]),
    "no lines": lambda _: "m=application",
    "huge": lambda sdp: sdp + "a=x:" + "y" * 40_000,
    "as long as may be": lambda sdp: (sdp + "a=candidate:" + " .local" * 10_000)[:32_768],
    "many channels": lambda sdp: sdp + sdp[sdp.index("m=application") :] * 20,
    "a voice": lambda sdp: sdp.replace("m=application", "m=audio"),
    "no fingerprint": lambda sdp: "\r\n".join(
        line for line in sdp.splitlines() if not line.startswith("a=fingerprint")
    ),
    "no password": lambda sdp: sdp.replace("a=ice-pwd", "a=ice-pwt"),
    "a port beyond all": lambda sdp: sdp.replace("m=application ", "m=application 99999999"),
    "a number that is none": lambda sdp: sdp.replace("a=sctp-port:5000", "a=sctp-port:x"),
    "other lines' ends": lambda sdp: sdp.replace("\r\n", "\r"),
}


@pytest.mark.parametrize("name", SPOILED)
async def test_an_offer_of_nonsense_is_refused_or_leads_nowhere(name: str, room: Room) -> None:
    typist = await room.typist()
    peer, sdp = await offer_of_a_page()
    assert await offered(room, typist, SPOILED[name](sdp)) in {200, 422}
    # A page of ours gets through all the same.
    page = await (await room.page(typist)).over_channel()
    await type_all(page)
    await finish(page)
    await peer.close()


async def test_an_offer_s_addresses_are_never_sent_to(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine that only the server can reach gets no datagram, however it is named."""
    inner = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    # None that a peer of an earlier test had: somebody may still send there.
    inner.bind(("127.0.0.1", free_port()))
    inner.setblocking(False)
    port = inner.getsockname()[1]
    named = "".join(
        f"a=candidate:{number} 1 {protocol} 4294967295 {host} {port} typ {kind}\r\n"
        for number, (protocol, host, kind) in enumerate(
            [
                ("udp", "127.0.0.1", "host"),
                ("UDP", "127.0.0.1", "srflx raddr 0.0.0.0 rport 9"),
                ("udp", "localhost", "host"),
                ("tcp", "127.0.0.1", "host tcptype passive"),
                ("udp", "inner.local", "host"),
            ]
        )
    )
    monkeypatch.setattr(
        Page, "spoil", staticmethod(lambda sdp: sdp + named + "a=end-of-candidates")
    )
    page = await (await room.page(await room.typist())).over_channel()
    await type_all(page)
    await finish(page)
    with pytest.raises(BlockingIOError):
        inner.recv(2048)
    inner.close()


async def test_one_participant_gets_so_many_channels_and_others_theirs(room: Room) -> None:
    greedy, other = await room.typist(), await room.typist()
    peer, sdp = await offer_of_a_page()
    statuses = [await offered(room, greedy, sdp) for _ in range(PARTICIPANT_CONNECTIONS_LIMIT + 3)]
    assert statuses == [200] * PARTICIPANT_CONNECTIONS_LIMIT + [503] * 3
    page = await (await room.page(other)).over_channel()
    await type_all(page)
    await finish(page)
    # And by the socket still.
    page = await (await room.page(greedy)).over_socket()
    await type_all(page)
    await finish(page)
    await room.services.live.peers.close()
    assert room.services.live.peers.open == 0
    await peer.close()


async def test_ten_checks_at_once_leave_one(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    await room.set_study(connection={"rtt_ms_at_most": 5000, "jitter_ms_at_most": 5000})
    typist = await room.typist(checked=False)
    # None of nine comes to its end before the tenth is asked for, however long that takes.
    monkeypatch.setattr("thinlab.live.connection_check.CHECK_S", 3600.0)
    pages = [await room.plain_page(typist.token, None).over_socket() for _ in range(9)]
    for page in pages:
        await page.until(lambda one: bool(one.openings))
    monkeypatch.setattr("thinlab.live.connection_check.CHECK_S", 1.0)
    pages.append(await room.plain_page(typist.token, None).over_socket())
    verdicts = [page for page in pages if await decided(page)]
    assert len(verdicts) == 1
    assert (await typist.progress())["connection_tries"] == 1


async def decided(page: Page) -> bool:
    """Whether a check came to a verdict, once it has ended."""
    await page.until(
        lambda one: (
            any(said["type"] == "verdict" for said in one.said)
            or any(opening["type"] == "refused" for opening in one.openings)
        )
    )
    if page.said:
        return True
    assert await page.refused() == "taken-over"
    return False


async def test_links_of_one_id_at_once_are_one_link(room: Room) -> None:
    typist = await room.typist()
    link_id = str(uuid.uuid4())
    token = (await typist.open_trial())["first"]["session_token"]
    pages = [room.plain_page(typist.token, token, link_id=link_id) for _ in range(5)]
    for page in pages:
        await page.over_socket()
    await pages[-1].until(lambda one: one.welcomed)
    assert len(await room.sessions()) == 1
