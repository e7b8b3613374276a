"""The researcher's view of typing: who types, what became of sessions, and their replays.

SPDX-License-Identifier: Apache-2.0
"""

import json
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from httpx import ASGITransport, AsyncClient
from sqlalchemy import update

from tests import made_up_typing
from tests.applications import app_over
from tests.made_up import Participant, sign_in, typing_definition
from thinlab.database.schema import Participant as ParticipantRow
from thinlab.database.schema import TypingSession
from thinlab.live.desk import Caption
from thinlab.live.messages import SessionStageName
from thinlab.live.switchboard import RunningSession, Switchboard
from thinlab.study import catalogue
from thinlab.web.services import Services

TELLING = ("off", "all", "plain", "modified", "mode", "condition", "seed", "mechanism", "echo")


async def load(services: Services, **changes: object) -> None:
    """Another version of the study."""
    async with services.database.transaction() as session:
        await catalogue.load(session, typing_definition(**changes))


@pytest_asyncio.fixture
async def desk(browser: AsyncClient, services: Services) -> AsyncClient:
    """A researcher's browser before a typing study whose votes are hidden."""
    await load(services, votes_visible="when_stopped")
    await sign_in(browser, services)
    return browser


async def watched(desk: AsyncClient, **query: str) -> dict[str, Any]:
    """The study's typing."""
    answer = await desk.get("/api/researcher/studies/typing/typing", params=query)
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    found: dict[str, Any] = answer.json()
    return found


async def test_nobody_has_typed(desk: AsyncClient) -> None:
    now = await watched(desk)
    assert now["running"] == now["latest"] == now["counts"]["void"] == []
    assert (now["counts"]["done"], now["counts"]["checks"]["passed"]) == (0, 0)
    assert now["counts"]["checks"]["rtt_p50_ms"] is None


async def test_sessions_and_checks_are_counted_and_void_ones_by_reason(
    desk: AsyncClient, services: Services
) -> None:
    typist = await made_up_typing.join(desk, services)
    token = (await typist.open_trial())["first"]["session_token"]
    for reason in ("link-away", "hidden", "link-away"):
        await made_up_typing.type_session(services, typist, token, void=reason)
    await made_up_typing.type_trial(services, typist)
    refused = await made_up_typing.join(desk, services)
    async with services.database.transaction() as session:
        await session.execute(
            update(ParticipantRow)
            .where(ParticipantRow.token_hash == refused.token_hash)
            .values(connection_passed=False, connection_tries=3, connection_rtt_ms=900)
        )
    now = await watched(desk)
    assert now["counts"]["done"] == 2
    assert now["counts"]["void"] == [
        {"reason": "link-away", "sessions": 2},
        {"reason": "hidden", "sessions": 1},
    ]
    checks = now["counts"]["checks"]
    assert (checks["passed"], checks["refused"], checks["rtt_p50_ms"]) == (1, 1, 12.5)
    assert [(one["state"], one["reason"], one["keys"]) for one in now["latest"]] == [
        ("done", None, made_up_typing.KEYS),
        ("done", None, made_up_typing.KEYS),
        ("void", "link-away", 0),
        ("void", "hidden", 0),
        ("void", "link-away", 0),
    ]
    assert (await watched(desk, kind="bot"))["counts"]["done"] == 0


async def test_running_sessions_are_seen_and_none_tells_its_condition(
    desk: AsyncClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    typist = await made_up_typing.join(desk, services)
    await made_up_typing.type_trial(services, typist)
    started = (await watched(desk))["at"]

    def running(_: Switchboard) -> list[RunningSession]:
        return [
            RunningSession(
                caption=Caption("p-one", study, 17, 1, "second", training=False),
                since=started,
                stage=SessionStageName.READY,
                transport="webrtc",
                link_rtt_ms=11.5,
                link_jitter_ms=None,
                keys=42,
                reconnects=1,
            )
            for study in ("typing", "another")
        ]

    monkeypatch.setattr(Switchboard, "running", running)
    now = await watched(desk)
    (one,) = now["running"]
    assert (one["session_id"], one["participant"], one["keys"]) == (17, "p-one", 42)
    assert (one["stage"], one["link_rtt_ms"], one["reconnects"]) == ("ready", 11.5, 1)
    for key, text in leaves(now):
        assert key not in TELLING
        assert text not in TELLING


def leaves(value: object, key: str = "") -> list[tuple[str, object]]:
    """Every name and value of a document."""
    if isinstance(value, dict):
        return [leaf for name, inner in value.items() for leaf in leaves(inner, name)]
    if isinstance(value, list):
        return [leaf for inner in value for leaf in leaves(inner, key)]
    return [(key, value)]


async def test_results_warn_of_sessions_that_our_machines_spoilt(
    desk: AsyncClient, services: Services
) -> None:
    await load(services, votes_visible="always")
    assert await results(desk) == (None, [])
    steady = await made_up_typing.join(desk, services)
    await made_up_typing.take_all(services, steady)
    await measured_as(services, host_wait_max_ms=41.0)
    typed, sentences = await results(desk)
    assert typed == {
        "done": 4, "void": 0, "void_by_host": 0, "participants_typed_again": 0,
        "late_emulators": 0, "unmeasured": 0, "host_wait_max_ms": 41.0,
        "void_wait_max_ms": None, "spoilt": False,
        "sentence": "4 typing sessions count; 0 more were void. The longest that a key waited for "
        "our machines was 41 ms where it counts.",
    }  # fmt: skip
    assert sentences[-1] == typed["sentence"]
    # What participants did themselves spoils nothing; who has not finished is not in the results.
    left = await made_up_typing.join(desk, services)
    await spoil(services, left, "host-lost")
    again = await made_up_typing.join(desk, services)
    await spoil(services, again, "hidden")
    await made_up_typing.take_all(services, again)
    typed, _ = await results(desk)
    assert (typed["done"], typed["void"], typed["spoilt"]) == (8, 1, False)
    assert typed["unmeasured"] == 4
    for reason in ("host-behind", "server-restarted"):
        await spoil(services, left, reason)
    await measured_as(services, "void", host_wait_max_ms=1700.0)
    await made_up_typing.take_all(services, left)
    typed, sentences = await results(desk)
    assert (typed["void"], typed["void_by_host"], typed["participants_typed_again"]) == (4, 3, 1)
    assert typed["spoilt"]
    assert sentences[0] == typed["sentence"]
    assert "4 more were void, 3 of them for what our machines did" in typed["sentence"]
    assert "In those that are void it was 1700 ms" in typed["sentence"]
    assert typed["void_wait_max_ms"] == 1700.0


async def test_results_warn_of_a_late_machine_in_what_counts(
    desk: AsyncClient, services: Services
) -> None:
    await load(services, votes_visible="always")
    await made_up_typing.take_all(services, await made_up_typing.join(desk, services))
    await measured_as(services, host_wait_max_ms=251.0)
    assert (await results(desk))[0]["spoilt"]
    await measured_as(services, host_wait_max_ms=5.0, emulator_trustworthy=False)
    typed, _ = await results(desk)
    assert typed["spoilt"]
    assert "In 4 of those that count the emulator was late" in typed["sentence"]


async def results(desk: AsyncClient) -> tuple[Any, list[str]]:
    """What is told of the sessions, and all sentences."""
    found = (await desk.get("/api/researcher/studies/typing/results")).raise_for_status().json()
    return found["typed"], found["sentences"]


async def spoil(services: Services, typist: Participant, reason: str) -> None:
    """A session of the open trial that does not count."""
    token = (await typist.open_trial())["first"]["session_token"]
    await made_up_typing.type_session(services, typist, token, void=reason)


async def measured_as(services: Services, state: str = "done", **measured: object) -> None:
    """The same of every session that counts, or is void."""
    async with services.database.transaction() as session:
        await session.execute(
            update(TypingSession).where(TypingSession.state == state).values(**measured)
        )


PARTS = ("", "/screens", "/packets", "/captures/sender.pcapng", "/captures/receiver.pcapng")


async def test_nothing_of_a_session_is_shown_while_votes_are_hidden(
    desk: AsyncClient, services: Services
) -> None:
    typist = await made_up_typing.join(desk, services)
    token = (await typist.open_trial())["first"]["session_token"]
    typed = await made_up_typing.type_session(services, typist, token)
    for part in PARTS:
        answer = await desk.get(f"/api/researcher/typing-sessions/{typed.id}{part}")
        assert (answer.status_code, answer.json()["type"]) == (409, "/problems/blinded"), part
    assert (await watched(desk))["replayable"] is False
    unblinded = await desk.post(
        "/api/researcher/studies/typing/unblind", json={"reason": "To look at a session."}
    )
    assert unblinded.status_code == 204
    assert (await watched(desk))["replayable"] is True
    answer = await desk.get(f"/api/researcher/typing-sessions/{typed.id}")
    assert answer.status_code == 200, answer.text


async def test_a_preview_can_be_looked_at_while_the_study_runs(
    desk: AsyncClient, services: Services
) -> None:
    typist = await made_up_typing.join(desk, services, kind="preview")
    token = (await typist.open_trial())["first"]["session_token"]
    typed = await made_up_typing.type_session(services, typist, token)
    answer = await desk.get(f"/api/researcher/typing-sessions/{typed.id}")
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert found["condition_name"] in {"plain", "modified"}
    assert found["condition"] == typed.condition
    assert [key["number"] for key in found["keys"]] == [1, 2, 3, 4, 5]
    assert found["keys"][4]["key_recovery"] == "timeout"
    assert "data" not in found["keys"][0]
    assert found["measures"]["keys"] == made_up_typing.KEYS


async def test_screens_come_as_they_were_kept(desk: AsyncClient, services: Services) -> None:
    typist = await made_up_typing.join(desk, services, kind="preview")
    token = (await typist.open_trial())["first"]["session_token"]
    typed = await made_up_typing.type_session(services, typist, token)
    nothing = await desk.get(f"/api/researcher/typing-sessions/{typed.id}/screens")
    assert nothing.json() == {"screens": [], "page": []}
    folder = services.live.store.of(typed.id)
    folder.mkdir(parents=True)
    # A line separator of Unicode is no end of a line of this file.
    screen = {"number": 1, "at_us": -5, "painted_us": None, "answers_key": 0, "data": "a\u2028b"}
    lines = json.dumps(screen | {"forwarded_us": 3}, ensure_ascii=False) + "\n"
    (folder / "screens.jsonl").write_text(lines, "utf-8")
    (folder / "page.jsonl").write_text('{"at_us": 7, "state": "hidden"}\n', "utf-8")
    found = (await desk.get(f"/api/researcher/typing-sessions/{typed.id}/screens")).json()
    assert found == {"screens": [screen], "page": [{"at_us": 7, "state": "hidden"}]}


@pytest.mark.parametrize("made", [False, True])
async def test_packets_of_a_session_without_captures_are_none(
    desk: AsyncClient, services: Services, *, made: bool
) -> None:
    typist = await made_up_typing.join(desk, services, kind="preview")
    token = (await typist.open_trial())["first"]["session_token"]
    typed = await made_up_typing.type_session(services, typist, token)
    if made:
        services.live.store.of(typed.id).mkdir(parents=True)
        for end in ("sender", "receiver"):
            (services.live.store.of(typed.id) / f"{end}.pcapng").write_bytes(b"")
    assert (await desk.get(f"/api/researcher/typing-sessions/{typed.id}/packets")).json() == []
    capture = f"/api/researcher/typing-sessions/{typed.id}/captures/sender.pcapng"
    assert (await desk.get(capture)).status_code == 404


async def test_captures_that_cannot_be_read_say_so(
    desk: AsyncClient, services: Services, tmp_path: Path
) -> None:
    typist = await made_up_typing.join(desk, services, kind="preview")
    token = (await typist.open_trial())["first"]["session_token"]
    typed = await made_up_typing.type_session(services, typist, token)
    folder = services.live.store.of(typed.id)
    folder.mkdir(parents=True)
    for end in ("sender", "receiver"):
        (folder / f"{end}.pcapng").write_bytes(b"no capture")
    path = f"/api/researcher/typing-sessions/{typed.id}/packets"
    without = await desk.get(path)
    assert (without.status_code, without.json()["type"]) == (409, "/problems/no-analyser")
    program = tmp_path / "analyser"
    program.write_text("#!/bin/sh\necho 'neither pcap nor pcapng' >&2\nexit 1\n")
    program.chmod(0o755)
    reading = Services(
        **{name: getattr(services, name) for name in ("database", "store", "clips", "recorder")},
        live=services.live,
        demos=services.demos,
        build=services.build,
        analyser=program,
    )
    other = AsyncClient(
        transport=ASGITransport(app_over(reading)),
        base_url=desk.base_url,
        cookies=desk.cookies,
    )
    refused = await other.get(path)
    assert (refused.status_code, refused.json()["type"]) == (409, "/problems/captures-unreadable")
    assert refused.json()["detail"] == "neither pcap nor pcapng"
    capture = await desk.get(f"/api/researcher/typing-sessions/{typed.id}/captures/receiver.pcapng")
    assert capture.content == b"no capture"
    assert f"typing-session-{typed.id}-receiver.pcapng" in capture.headers["content-disposition"]


async def test_only_the_researcher_sees_any_of_it(browser: AsyncClient, services: Services) -> None:
    await load(services)
    typist = await made_up_typing.join(browser, services)
    token = (await typist.open_trial())["first"]["session_token"]
    typed = await made_up_typing.type_session(services, typist, token)
    for path in ("studies/typing/typing", *(f"typing-sessions/{typed.id}{one}" for one in PARTS)):
        answer = await browser.get(f"/api/researcher/{path}", headers=typist.headers)
        assert answer.status_code == 401, path


async def test_a_session_that_is_not_there_is_none(desk: AsyncClient) -> None:
    for part in PARTS:
        assert (await desk.get(f"/api/researcher/typing-sessions/1{part}")).status_code == 404
    assert (await desk.get("/api/researcher/typing-sessions/none")).status_code == 422
    assert (await desk.get("/api/researcher/studies/none/typing")).status_code == 404


async def test_results_of_a_typing_study(desk: AsyncClient, services: Services) -> None:
    await load(services, votes_visible="always")
    for choice in ("first", "second", "no_difference"):
        await made_up_typing.take_all(services, await made_up_typing.join(desk, services), choice)
    answer = await desk.get("/api/researcher/studies/typing/results")
    assert answer.status_code == 200, answer.text
    found = answer.json()
    assert (found["votes_analysed"], found["participants_analysed"]) == (6, 3)
    (pair,) = found["comparisons"]
    assert pair["votes_a"] + pair["votes_b"] == 2
    assert pair["votes_none"] == 1
    (control,) = found["controls"]
    assert control["false_differences"]["value"] == pytest.approx(2 / 3)
    steps = [one["histogram"] for one in found["noticeable"]]
    assert sum(step["3"] for step in steps) == 4
    assert {one["preferred"] for one in found["noticeable"]} <= {"plain", "modified", None}


async def test_monitor_and_roster_tell_of_typing(desk: AsyncClient, services: Services) -> None:
    typist = await made_up_typing.join(desk, services)
    token = (await typist.open_trial())["first"]["session_token"]
    await made_up_typing.type_session(services, typist, token, void="hidden")
    refused = await made_up_typing.join(desk, services)
    async with services.database.transaction() as session:
        await session.execute(
            update(ParticipantRow)
            .where(ParticipantRow.token_hash == refused.token_hash)
            .values(connection_passed=False, connection_tries=3)
        )
    seen = (await desk.get("/api/researcher/studies/typing/monitor")).json()
    assert (seen["funnel"]["joined"], seen["funnel"]["connection_checked"]) == (2, 1)
    assert (seen["whereabouts"]["connection_failed"], seen["whereabouts"]["live"]) == (1, 1)
    assert seen["sessions"]["typed"]["void"] == [{"reason": "hidden", "sessions": 1}]
    people = (await desk.get("/api/researcher/studies/typing/participants")).json()
    assert [one["presence"] for one in people] == ["live", "connection_failed"]
    assert [one["sessions_void"] for one in people] == [1, 0]
    assert people[0]["connection"] == {
        "passed": True,
        "tries": 1,
        "rtt_ms": 12.5,
        "jitter_ms": 1.5,
    }
    assert (await desk.get("/api/researcher/studies/demo/monitor")).json()["sessions"] == {}
