"""The connection check: measured over the link, judged by the study, repeated, stored.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any

import pytest
from sqlalchemy import select

from tests.live.conftest import Room
from tests.made_up import Participant
from thinlab.database.schema import Participant as ParticipantRow


@pytest.fixture(autouse=True)
def short_check(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check of a second: what is judged is the same."""
    monkeypatch.setattr("thinlab.live.connection_check.CHECK_S", 1.0)


async def check(room: Room, typist: Participant, *, over: str, late_s: float = 0) -> dict[str, Any]:
    page = room.plain_page(typist.token, None)
    page.answers_after_s = late_s
    await (page.over_socket() if over == "socket" else page.over_channel())
    await page.until(lambda one: any(said["type"] == "verdict" for said in one.said))
    return page.said[-1]


async def row_of(room: Room, typist: Participant) -> ParticipantRow:
    async with room.services.database.transaction() as session:
        return (
            await session.scalars(
                select(ParticipantRow).where(ParticipantRow.token_hash == typist.token_hash)
            )
        ).one()


@pytest.mark.parametrize("over", ["socket", "channel"])
async def test_a_good_connection_is_let_in_and_stored(
    room: Room, over: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # An answer that a busy machine keeps for two seconds is late here, and not lost.
    for module in ("network", "connection_check"):
        monkeypatch.setattr(f"thinlab.live.{module}.LOST_AFTER_US", 60_000_000)
    await room.set_study(connection={"rtt_ms_at_most": 5000, "jitter_ms_at_most": 5000})
    typist = await room.typist(checked=False)
    assert (await typist.progress())["state"] == "connection_check"
    verdict = await check(room, typist, over=over)
    assert verdict["good"], verdict
    assert verdict["lost_share"] == 0
    row = await row_of(room, typist)
    assert row.connection_transport == ("webrtc" if over == "channel" else "websocket")
    assert (row.connection_tries, row.connection_passed) == (1, True)
    assert row.connection_rtt_ms == pytest.approx(verdict["rtt_ms"], abs=0.06)
    assert (await typist.progress())["state"] == "trials"


async def test_a_poor_connection_is_told_why_and_may_be_tried_again(room: Room) -> None:
    await room.set_study(connection={"rtt_ms_at_most": 50, "jitter_ms_at_most": 5000})
    typist = await room.typist(checked=False)
    for tries in (1, 2, 3):
        verdict = await check(room, typist, over="socket", late_s=0.1)
        assert not verdict["good"]
        assert verdict["rtt_ms"] >= 100
        assert "try again" in verdict["remedy"]
        row = await row_of(room, typist)
        assert (row.connection_tries, row.connection_passed) == (tries, False)
    assert (await typist.progress())["state"] == "connection_failed"
    refused = room.plain_page(typist.token, None)
    await refused.over_socket()
    assert await refused.refused() == "not-now"


async def test_once_passed_a_repeated_check_takes_nothing_back(room: Room) -> None:
    await room.set_study(connection={"rtt_ms_at_most": 50, "jitter_ms_at_most": 5000})
    typist = await room.typist()
    verdict = await check(room, typist, over="socket", late_s=0.1)
    assert not verdict["good"]
    assert (await typist.progress())["state"] == "trials"
    assert (await row_of(room, typist)).connection_rtt_ms > 50  # type: ignore[operator]


async def test_forged_and_foreign_tokens_are_refused(room: Room) -> None:
    one, other = await room.typist(), await room.typist()
    forged = await room.plain_page("x" * 30, None).over_socket()
    assert await forged.refused() == "unknown-participant"
    mine = (await room.page(one)).hello["session_token"]
    foreign = await room.plain_page(other.token, mine).over_socket()
    assert await foreign.refused() == "unknown-session"
    second = (await one.open_trial())["second"]["session_token"]
    early = await room.plain_page(one.token, second).over_socket()
    assert await early.refused() == "not-now"
    offered = await room.browser.post(
        "/api/live/offer", headers={"Authorization": "Bearer " + "x" * 30}, json={"sdp": "v=0"}
    )
    assert offered.status_code == 401


async def test_another_s_link_cannot_be_taken_up(room: Room) -> None:
    one, other = await room.typist(), await room.typist()
    mine = await room.ready_page(one)
    link_id = mine.hello["link_id"]
    theirs = (await room.page(other)).hello["session_token"]
    thief = room.plain_page(other.token, theirs, link_id=link_id, resumes=True)
    await thief.over_socket()
    assert await thief.refused() == "unknown-session"
    await mine.seen(mine.press("a"))


async def test_an_offer_that_is_none_is_refused_with_the_way_round(room: Room) -> None:
    typist = await room.typist()
    for sdp in ("v=0", "nonsense", "m=application", "v=0\r\nm=audio 9 RTP/AVP 0\r\n"):
        offered = await room.browser.post(
            "/api/live/offer", headers=typist.headers, json={"sdp": sdp}
        )
        assert offered.status_code == 422, sdp
        assert offered.json()["remedy"] == "Use the WebSocket instead."


async def test_another_site_s_page_opens_no_socket(room: Room) -> None:
    for origin, status in (("http://evil.example", 403), (room.address, 101)):
        answered = await room.browser.get(
            "/api/live/socket",
            headers={
                "Origin": origin,
                "Connection": "Upgrade",
                "Upgrade": "websocket",
                "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
            },
        )
        assert answered.status_code == status


async def test_a_socket_s_frames_are_not_compressed(room: Room) -> None:
    answered = await room.browser.get(
        "/api/live/socket",
        headers={
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
            "Sec-WebSocket-Extensions": "permessage-deflate",
        },
    )
    assert answered.status_code == 101
    assert "sec-websocket-extensions" not in answered.headers
