"""Typing sessions over real sockets: typed, cut, resumed, taken over, lost, withdrawn.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import logging
import socket
from itertools import pairwise

import psutil
import pytest
from sqlalchemy import select

from tests.live.conftest import Room
from tests.live.page import PATIENCE_S, Page
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.database.schema import Keystroke
from thinlab.trials.registry import KINDS
from thinlab.trials.typing.desk import StudyDesk

TEXT = "A thin"


async def type_all(page: Page, text: str = TEXT) -> None:
    """Every letter, each once its echo was seen."""
    await page.stage("ready")
    for letter in text:
        await page.seen(page.press(letter))


def is_void(page: Page) -> bool:
    return any(one.get("stage") == "void" for one in page.said)


async def finish(page: Page) -> None:
    page.say(type="finish")
    assert await page.stage("ended", "void") == {
        "type": "stage", "stage": "ended", "reason": "finished", "limit_ms_left": None
    }  # fmt: skip


@pytest.mark.parametrize("over", ["socket", "channel"])
async def test_a_session_is_typed_and_kept_with_its_clock_line(room: Room, over: str) -> None:
    typist = await room.typist()
    page = await room.page(typist)
    await (page.over_socket() if over == "socket" else page.over_channel())
    await type_all(page)
    await finish(page)
    assert page.text == "\x1b[2Jeditor A thin"
    (session,) = await room.sessions()
    assert (session.state, session.end, session.place) == ("done", "finished", "first")
    assert session.transport == ("webrtc" if over == "channel" else "websocket")
    assert session.final_text is None, "the study does not keep text"
    assert session.measures is not None
    assert session.measures["keys"] == len(TEXT)
    async with room.services.database.transaction() as database:
        keys = list(await database.scalars(select(Keystroke).order_by(Keystroke.number)))
    assert [key.number for key in keys] == [1, 2, 3, 4, 5, 6]
    for key in keys:
        assert key.data is None
        assert key.released_us == 50_000
        assert (key.key_recovery, key.key_transmissions) == ("bundle", 2)
        stamps = (
            key.backend_received_us, key.agent_received_us, key.agent_forwarded_us,
            key.backend_forwarded_us, key.painted_us,
        )  # fmt: skip
        assert None not in stamps
        uncertainty_us = (session.clock_uncertainty_ms or 0) * 1000 + 1
        for before, after in pairwise(stamps):
            assert before is not None
            assert after is not None
            assert before <= after + uncertainty_us
        assert -uncertainty_us <= stamps[0] <= 5_000_000  # type: ignore[operator]
    opened = room.lab.opened[0]
    assert opened.lane.forward.delay_us == 65_000
    task = opened.task
    assert (task.columns, task.rows, task.editor) == (80, 24, pb.EDITOR_NANO)


async def test_files_are_whole_and_screens_masked(room: Room) -> None:
    typist = await room.typist()
    page = await (await room.page(typist)).over_socket()
    await type_all(page, "secret")
    await finish(page)
    (session,) = await room.sessions()
    folder = room.store.of(session.id)
    assert (folder / "sender.pcapng").read_bytes() == b"sent"
    assert (folder / "receiver.pcapng").read_bytes() == b"received"
    screens = [json.loads(line) for line in (folder / "screens.jsonl").read_text().splitlines()]
    assert "".join(screen["data"] for screen in screens) == "\x1b[2J•••••• ••••••"
    assert [screen["answers_key"] for screen in screens] == [0, 1, 2, 3, 4, 5, 6]
    assert screens[-1]["painted_us"] is not None


async def test_where_the_study_keeps_text_it_is_kept(room: Room) -> None:
    await room.set_study(keep_text=True)
    typist = await room.typist()
    page = await (await room.page(typist)).over_socket()
    await type_all(page, "hidden")
    await finish(page)
    (session,) = await room.sessions()
    assert session.final_text == "hidden"
    assert "editor" in (room.store.of(session.id) / "screens.jsonl").read_text()


async def test_a_character_cut_between_two_screens_arrives_whole(room: Room) -> None:
    page = await room.ready_page()
    room.lab.splits = True
    for letter in "blåbær":
        await page.seen(page.press(letter))
    await finish(page)
    assert page.text.endswith("blåbær")


async def test_both_sessions_then_a_vote(room: Room) -> None:
    typist = await room.typist()
    trial = await typist.open_trial()
    early = await typist.vote(trial["trial_token"], noticeable=2)
    assert (early.status_code, early.json()["type"]) == (409, "/problems/not-typed")
    for place in ("first", "second"):
        page = await (await room.page(typist, place)).over_socket()
        await type_all(page)
        await finish(page)
    voted = await typist.vote(trial["trial_token"], noticeable=2)
    assert voted.status_code in {200, 201}, voted.text
    # One condition each, and both ends of the pair were used.
    mechanisms = [len(opened.lane.mechanisms) for opened in room.lab.opened]
    assert sorted(mechanisms) == [0, 3]


@pytest.mark.parametrize("over", ["socket", "channel"])
async def test_a_lost_transport_loses_no_byte(room: Room, over: str) -> None:
    page = await room.ready_page()
    typed = ""
    for turn in range(4):
        for letter in "abcdef"[: turn + 2]:
            typed += letter
            page.press(letter)
        await page.cut()
        # Typed while there was no network.
        typed += "x"
        page.press("x")
        await (page.over_socket() if over == "socket" or turn % 2 else page.over_channel())
        await page.until(lambda one: one.welcomed)
    await page.seen(page.keys)
    await finish(page)
    assert page.text == "\x1b[2Jeditor " + typed
    assert page.openings[-1] == {"type": "welcome", "resumed": True}
    (session,) = await room.sessions()
    assert session.reconnects == 4


async def test_a_network_that_loses_a_third_of_all_datagrams_loses_no_key(room: Room) -> None:
    typist = await room.typist()
    page = await room.page(typist)
    page.lost_share = 0.33
    await page.over_channel()
    await page.stage("ready")
    typed = "the quick brown fox jumps over the lazy dog" * 2
    for letter in typed:
        page.press(letter)
        await page.until(lambda one: one.said[-1].get("answers_key", 0) >= one.keys - 5)
    await page.seen(page.keys)
    await finish(page)
    assert page.text == "\x1b[2Jeditor " + typed


async def test_a_link_away_for_too_long_makes_the_session_void(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    typist = await room.typist()
    page = await (await room.page(typist)).over_socket()
    await type_all(page)
    (running,) = room.services.live.switchboard._running.values()
    await page.cut()
    # Only now, and no longer than it takes: a busy machine may keep any page silent for a second.
    with monkeypatch.context() as impatient:
        impatient.setattr("thinlab.live.connection.AWAY_LIMIT_S", 1.0)
        # As the watch does by itself: it looks again when the second is over.
        connection = running.session.connection
        connection._watch.cancel()
        connection._look_whether_away()
        async with asyncio.timeout(PATIENCE_S):
            while (await room.sessions())[0].state == "typing":
                await asyncio.sleep(0.01)
    assert [(one.state, one.reason) for one in await room.sessions()] == [("void", "link-away")]
    # The same link is known no longer.
    page.hello["resumes"] = True
    await page.over_socket()
    assert await page.refused() == "link-lost"
    # And the place is offered again.
    again = await (await room.page(typist)).over_socket()
    await type_all(again)
    await finish(again)
    assert [one.attempt for one in await room.sessions()] == [1, 2]


async def test_a_hidden_tab_makes_the_session_void_and_one_seen_again_does_not(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Less than what passes between two probes.
    monkeypatch.setattr("thinlab.live.session.HIDDEN_LIMIT_S", 0.2)
    typist = await room.typist()
    page = await room.ready_page(typist)
    for state in ("hidden", "visible", "hidden"):
        page.say(type="page", at_us=1, state=state)
    assert (await page.stage("void"))["reason"] == "hidden"
    page = await room.ready_page(typist)
    # In one frame: no time passes between the two for the server, however busy the machine is.
    for state in ("hidden", "visible"):
        page.link.send(json.dumps({"type": "page", "at_us": 1, "state": state}))
    page.flush()
    await page.seen(page.press("x"))
    probes = page.probes
    await page.until(lambda one: one.probes > probes + 1)
    await type_all(page)
    await finish(page)


async def test_a_lost_host_makes_the_session_void_and_offers_it_again(room: Room) -> None:
    typist = await room.typist()
    page = await room.ready_page(typist)
    room.lab.host_dies.set()
    assert (await page.stage("void"))["reason"] == "host-lost"
    room.lab.host_dies.clear()
    page = await (await room.page(typist)).over_socket()
    await type_all(page)
    await finish(page)
    assert [one.state for one in await room.sessions()] == ["void", "done"]


async def test_a_second_tab_takes_over(room: Room) -> None:
    typist = await room.typist()
    first = await room.ready_page(typist)
    second = await (await room.page(typist)).over_channel()
    assert (await first.stage("void"))["reason"] == "taken-over"
    await type_all(second)
    assert [one.session.stage for one in room.services.live.switchboard._running.values()] == [
        "ready"
    ]
    await finish(second)
    assert [(one.state, one.reason) for one in await room.sessions()] == [
        ("void", "taken-over"),
        ("done", None),
    ]


async def test_ten_tabs_at_once_leave_one_session(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The tenth waits for nine before it; a busy machine takes long for them.
    monkeypatch.setattr("thinlab.live.newcomer.HELLO_PATIENCE_S", PATIENCE_S)
    typist = await room.typist()
    pages = [await room.page(typist) for _ in range(10)]
    for page in pages:
        await page.over_socket()
    # Whichever said hello last, as it reached the server, has the session.
    async with asyncio.timeout(PATIENCE_S):
        while len(left := [page for page in pages if not is_void(page)]) > 1:
            await asyncio.sleep(0.05)
    await type_all(left[0])
    await finish(left[0])
    states = [one.state for one in await room.sessions()]
    assert states.count("done") == 1
    assert set(states) == {"done", "void"}


async def test_a_limit_ends_the_session_and_it_counts(room: Room) -> None:
    typist = await room.typist()
    page = await (await room.page(typist)).over_socket()
    await type_all(page)
    room.lab.limit_is_over.set()
    assert (await page.stage("ended"))["reason"] == "limit"
    assert (await room.sessions())[0].state == "done"


async def test_a_session_whose_editor_died_is_void(room: Room) -> None:
    typist = await room.typist()
    page = await (await room.page(typist)).over_socket()
    await type_all(page)
    room.lab.why_over = "signal 9 ended the editor"
    room.lab.limit_is_over.set()
    assert (await page.stage("ended", "void"))["reason"] == "broken"
    assert [(one.state, one.reason) for one in await room.sessions()] == [("void", "broken")]


async def test_keys_that_the_editor_did_not_see_are_not_typed(room: Room) -> None:
    typist = await room.typist()
    page = await (await room.page(typist)).over_socket()
    await type_all(page)
    room.lab.takes_keys = 4
    room.lab.limit_is_over.set()
    assert (await page.stage("ended", "void"))["reason"] == "too-few-keys"


async def test_keys_after_the_end_are_nobody_s(room: Room) -> None:
    typist = await room.typist()
    page = await (await room.page(typist)).over_socket()
    await type_all(page)
    page.say(type="finish")
    for _ in range(50):
        page.press("x")
    assert (await page.stage("ended", "void"))["stage"] == "ended"
    async with room.services.database.transaction() as database:
        keys = list(await database.scalars(select(Keystroke)))
    assert len(keys) == len(TEXT)


async def test_no_address_is_logged(room: Room, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    typist = await room.typist()
    for place, over in (("first", "socket"), ("second", "channel")):
        page = await room.page(typist, place)
        await (page.over_socket() if over == "socket" else page.over_channel())
        await type_all(page)
        await finish(page)
    addresses = [
        address.address
        for several in psutil.net_if_addrs().values()
        for address in several
        if address.family in {socket.AF_INET, socket.AF_INET6}
    ]
    # The page of this test is in this process, and logs the addresses that it asks for.
    ours = [one.getMessage() for one in caplog.records if not one.name.startswith("http")]
    assert not [line for line in ours if any(address in line for address in addresses)]


async def test_a_session_over_with_too_few_keys_is_void(room: Room) -> None:
    typist = await room.typist()
    page = await (await room.page(typist)).over_socket()
    await type_all(page, "abcd")
    room.lab.limit_is_over.set()
    assert (await page.stage("ended", "void"))["reason"] == "too-few-keys"
    assert [(one.state, one.reason) for one in await room.sessions()] == [("void", "too-few-keys")]


async def test_too_few_keys_do_not_finish_a_session(room: Room) -> None:
    page = await room.ready_page()
    await page.seen(page.press("a"))
    page.say(type="finish")
    await type_all(page, "bcdef")
    await finish(page)


async def test_a_pasted_page_harms_nobody_else(room: Room) -> None:
    calm, wild = await room.typist(), await room.typist()
    calm_page = await (await room.page(calm)).over_socket()
    wild_page = await (await room.page(wild)).over_socket()
    await calm_page.stage("ready")
    await wild_page.stage("ready")
    for _ in range(1000):
        wild_page.press("x")
    assert (await wild_page.stage("void"))["reason"] == "too-much"
    await type_all(calm_page)
    await finish(calm_page)


async def test_a_megabyte_in_one_key_closes_the_transport_only(room: Room) -> None:
    page = await room.ready_page()
    assert page._send is not None
    page._send(json.dumps({"ack": 0, "first": 1, "messages": [{"data": "x" * 1_000_000}]}))
    await page.cut()
    await page.over_socket()
    await type_all(page)
    await finish(page)


async def test_a_withdrawal_ends_the_session_and_deletes_everything(room: Room) -> None:
    typist = await room.typist()
    done = await (await room.page(typist)).over_socket()
    await type_all(done)
    await finish(done)
    (kept,) = await room.sessions()
    assert room.store.of(kept.id).is_dir()
    page = await room.ready_page(typist, "second")
    left = await room.browser.delete("/api/participation", headers=typist.headers)
    assert left.status_code == 204
    assert await page.refused() == "withdrawn"
    assert await room.sessions() == []
    assert list(room.store.folder.iterdir()) == []
    assert room.services.live.switchboard.running() == []
    again = await room.plain_page(typist.token, page.hello["session_token"]).over_socket()
    assert await again.refused() == "withdrawn"


async def test_at_a_restart_what_was_under_way_is_void_and_half_written_files_go(
    room: Room,
) -> None:
    typist = await room.typist()
    done = await (await room.page(typist)).over_socket()
    await type_all(done)
    await finish(done)
    page = await room.ready_page(typist, "second")
    (room.store.folder / ".new-half").mkdir()
    (room.store.folder / "999999").mkdir()
    # As the server after a kill: another desk over the same database and folder.
    live = room.services.live
    await StudyDesk(room.services.database, live.hosts, live.store, KINDS).prepare()
    kept, under_way = await room.sessions()
    assert (kept.state, under_way.state, under_way.reason) == ("done", "void", "server-restarted")
    assert [folder.name for folder in room.store.folder.iterdir()] == [str(kept.id)]
    # What the killed server might still have stored does not count any more.
    await type_all(page)
    page.say(type="finish")
    assert (await page.stage("ended", "void"))["stage"] == "void"
    assert [folder.name for folder in room.store.folder.iterdir()] == [str(kept.id)]


async def test_the_live_view_tells_who_types_and_never_how(room: Room) -> None:
    typist = await room.typist()
    page = await (await room.page(typist)).over_socket()
    await type_all(page)
    await page.until(lambda one: one.probes > 1)
    (seen,) = room.services.live.switchboard.running()
    assert (seen.stage, seen.transport, seen.keys) == ("ready", "websocket", len(TEXT))
    assert seen.caption.study == "typing"
    assert seen.link_rtt_ms is not None
    words = repr(seen)
    assert not any(word in words for word in ("plain", "modified", "off", "bundling", "condition"))


async def test_every_terminal_is_closed(room: Room) -> None:
    typist = await room.typist()
    page = await (await room.page(typist)).over_socket()
    await type_all(page)
    await finish(page)
    await room.ready_page(typist, "second")
    await room.services.live.switchboard.close()
    assert len(room.lab.opened) == 2
    await room.no_terminal_left()
