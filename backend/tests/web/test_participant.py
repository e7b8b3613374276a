"""The participant's way through a study, and every way off it.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import shutil
import uuid
from collections.abc import AsyncIterator

from httpx import AsyncClient
from sqlalchemy import select

from tests.made_up import CLIP_SAMPLES, HEARD, TYPED, Participant, ballot, sign_in
from thinlab.clips import wav
from thinlab.database.schema import Vote
from thinlab.web.security import BODY_LIMIT_BYTES
from thinlab.web.services import Services


async def test_from_consent_to_completion_code(browser: AsyncClient) -> None:
    page = (await browser.get("/api/studies/demo")).json()
    assert page["state"] == "open"
    assert page["trials_total"] == 3
    assert page["credits"] == [f"Made up, number {number}. CC0-1.0." for number in (1, 2, 3)]

    person = await Participant.join(browser)
    for position in (1, 2, 3):
        trial = await person.open_trial()
        assert trial["position"] == position
        assert trial["duration_ms"] == CLIP_SAMPLES * 1000 / wav.SAMPLE_RATE_HZ
        assert (await person.progress())["completion_code"] is None
        voted = await person.vote(trial["trial_token"], choice="no_difference")
        assert voted.status_code == 201
        assert voted.json()["position"] == position
    done = await person.progress()
    assert done["state"] == "complete"
    assert done["trials_done"] == 3
    assert done["completion_code"]
    after = await browser.post("/api/participation/trials", headers=person.headers)
    assert after.status_code == 409
    assert after.json()["type"] == "/problems/complete"


async def test_joining_again_with_the_same_key_is_the_same_participant(
    browser: AsyncClient,
) -> None:
    body = {"consent_version": "1", "join_key": str(uuid.uuid4())}
    answers = [await browser.post("/api/studies/demo/participants", json=body) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 200]
    assert answers[0].json()["participant_token"] == answers[1].json()["participant_token"]


async def test_two_joinings_at_once_with_one_key_make_one_participant(
    browser: AsyncClient,
) -> None:
    body = {"consent_version": "1", "join_key": str(uuid.uuid4())}
    answers = await asyncio.gather(
        *(browser.post("/api/studies/demo/participants", json=body) for _ in range(8))
    )
    assert {answer.status_code for answer in answers} <= {200, 201}
    assert len({answer.json()["participant_token"] for answer in answers}) == 1


async def test_consent_to_another_text_is_refused(browser: AsyncClient) -> None:
    body = {"consent_version": "0", "join_key": str(uuid.uuid4())}
    answer = await browser.post("/api/studies/demo/participants", json=body)
    assert answer.status_code == 409
    assert answer.json()["field"] == "consent_version"


async def test_reload_returns_the_same_trial(browser: AsyncClient) -> None:
    person = await Participant.join(browser)
    assert await person.open_trial() == await person.open_trial()


async def test_two_openings_at_once_draw_one_trial(browser: AsyncClient) -> None:
    person = await Participant.join(browser)
    trials = await asyncio.gather(*(person.open_trial() for _ in range(6)))
    assert all(trial == trials[0] for trial in trials)


async def test_a_vote_sent_again_gives_the_same_receipt(browser: AsyncClient) -> None:
    person = await Participant.join(browser)
    trial = await person.open_trial()
    key = str(uuid.uuid4())
    answers = await asyncio.gather(
        *(person.vote(trial["trial_token"], vote_key=key) for _ in range(6))
    )
    assert sorted(answer.status_code for answer in answers) == [200] * 5 + [201]
    assert all(answer.json() == answers[0].json() for answer in answers)
    assert (await person.progress())["trials_done"] == 1


async def test_a_second_vote_on_a_trial_changes_nothing(browser: AsyncClient) -> None:
    person = await Participant.join(browser)
    trial = await person.open_trial()
    key = str(uuid.uuid4())
    assert (await person.vote(trial["trial_token"], vote_key=key)).status_code == 201
    other_key = await person.vote(trial["trial_token"], choice="second")
    other_choice = await person.vote(trial["trial_token"], vote_key=key, choice="second")
    for answer in (other_key, other_choice):
        assert answer.status_code == 409
        assert answer.json()["type"] == "/problems/voted"
    assert (await person.progress())["trials_done"] == 1


async def test_a_vote_key_serves_one_trial(browser: AsyncClient) -> None:
    person = await Participant.join(browser)
    key = str(uuid.uuid4())
    first = await person.open_trial()
    assert (await person.vote(first["trial_token"], vote_key=key)).status_code == 201
    second = await person.open_trial()
    assert (await person.vote(second["trial_token"], vote_key=key)).status_code == 409


async def test_a_vote_for_anothers_trial_is_refused(browser: AsyncClient) -> None:
    mine, other = await Participant.join(browser), await Participant.join(browser)
    trial = await other.open_trial()
    answer = await mine.vote(trial["trial_token"])
    assert answer.status_code == 404
    assert (await other.progress())["trials_done"] == 0


async def test_forged_tokens_are_refused(browser: AsyncClient) -> None:
    forged = Participant(browser, "x" * 43)
    assert (await forged.vote("y" * 27)).status_code == 401
    assert (await forged.hear("y" * 27)).status_code == 401
    assert (await browser.post("/api/participation/trials")).status_code == 401
    person = await Participant.join(browser)
    assert (await person.vote("y" * 27)).status_code == 404
    assert (await person.hear("y" * 27)).status_code == 404


async def test_anothers_recording_cannot_be_heard(browser: AsyncClient) -> None:
    mine, other = await Participant.join(browser), await Participant.join(browser)
    trial = await other.open_trial()
    token = trial["first"]["recording_token"]
    assert (await other.hear(token)).status_code == 200
    assert (await mine.hear(token)).status_code == 404


async def test_recordings_are_dead_after_the_vote(browser: AsyncClient) -> None:
    person = await Participant.join(browser)
    trial = await person.open_trial()
    token = trial["first"]["recording_token"]
    assert (await person.hear(token)).status_code == 200
    await person.vote(trial["trial_token"])
    answer = await person.hear(token)
    assert answer.status_code == 410
    assert answer.json()["remedy"]


async def test_a_recording_whose_file_is_lost_is_being_prepared(
    browser: AsyncClient, services: Services
) -> None:
    person = await Participant.join(browser)
    trial = await person.open_trial()
    shutil.rmtree(services.store.folder)
    answer = await person.hear(trial["first"]["recording_token"])
    assert answer.status_code == 503
    assert answer.headers["retry-after"]
    assert str(services.store.folder) not in answer.text


async def test_a_control_is_one_recording_under_two_tokens(browser: AsyncClient) -> None:
    person = await Participant.join(browser)
    same = []
    for _ in range(3):
        trial = await person.open_trial()
        tokens = [trial[member]["recording_token"] for member in ("first", "second")]
        assert tokens[0] != tokens[1]
        heard = [(await person.hear(token)).content for token in tokens]
        same.append(heard[0] == heard[1])
        await person.vote(trial["trial_token"])
    assert sorted(same) == [False, False, True]


async def test_wrong_votes_are_named(browser: AsyncClient) -> None:
    person = await Participant.join(browser)
    trial = await person.open_trial()
    for fields, field in (
        ({"choice": "third"}, "choice"),
        ({"decision_ms": "soon"}, "decision_ms"),
        ({"vote_key": "1"}, "vote_key"),
        ({"something_else": 1}, "something_else"),
        ({"account": {**HEARD, "plays_first": -1}}, "account.heard.plays_first"),
        ({"account": {**HEARD, "switches": 10**9}}, "account.heard.switches"),
        ({"account": {**HEARD, "output_latency_ms": -1}}, "account.heard.output_latency_ms"),
        ({"account": {**HEARD, "sessions_first": 1}}, "account.heard.sessions_first"),
        ({"account": TYPED}, "account.medium"),
    ):
        answer = await person.vote(trial["trial_token"], **fields)
        assert answer.status_code == 422, field
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["field"] == field
    assert (await person.progress())["trials_done"] == 0


async def test_a_body_too_long_is_refused_before_it_is_read(browser: AsyncClient) -> None:
    person = await Participant.join(browser)
    answer = await browser.post(
        "/api/participation/votes", headers=person.headers, content=b"x" * (BODY_LIMIT_BYTES + 1)
    )
    assert answer.status_code == 413

    async def endless() -> AsyncIterator[bytes]:
        for _ in range(40):
            yield b"x" * 10_000

    undeclared = await browser.post(
        "/api/participation/votes", headers=person.headers, content=endless()
    )
    assert undeclared.status_code == 413


async def test_a_preview_needs_the_researcher(browser: AsyncClient, services: Services) -> None:
    body = {"consent_version": "1", "join_key": str(uuid.uuid4()), "kind": "preview"}
    assert (await browser.post("/api/studies/demo/participants", json=body)).status_code == 403
    await sign_in(browser, services)
    preview = await Participant.join(browser, kind="preview")
    await preview.take_all()
    progress = (await browser.get("/api/researcher/studies")).json()[0]
    assert progress["joined"] == progress["votes"] == 0


async def test_events_of_the_player_are_kept(browser: AsyncClient) -> None:
    person = await Participant.join(browser)
    trial = await person.open_trial()
    events = [
        {"at_ms": 10, "action": "play", "member": "first", "position_ms": 0},
        {"at_ms": 900, "action": "switch", "member": "second", "position_ms": 890},
        {"at_ms": 1200, "action": "hidden"},
    ]
    account = {**HEARD, "played_first": "first", "output_latency_ms": 12.5}
    said = {"events": events, "account": account}
    answer = await person.vote(trial["trial_token"], **said)
    assert answer.status_code == 201
    too_many = ballot(trial["trial_token"], events=[events[2]] * 2001)
    answer = await browser.post("/api/participation/votes", headers=person.headers, json=too_many)
    assert answer.status_code == 422


async def test_a_page_opened_before_the_server_was_upgraded_loses_no_vote(
    browser: AsyncClient, services: Services
) -> None:
    person = await Participant.join(browser)
    trial = await person.open_trial()
    await person.hear_trial(trial["trial_token"])
    flat = {name: value for name, value in HEARD.items() if name != "medium"}
    flat |= {"played_first": "second", "output_latency_ms": 12.5}
    events = [{"at_ms": 10, "action": "play", "member": "second", "position_ms": 0}]
    body = ballot(trial["trial_token"], events=events) | flat
    del body["account"]
    answer = await browser.post("/api/participation/votes", headers=person.headers, json=body)
    assert answer.status_code == 201, answer.text
    async with services.database.transaction() as session:
        vote = await session.scalar(select(Vote))
    assert vote is not None
    # It knew nothing of the parts that are told since, nor of an X.
    since = dict.fromkeys(("covered_first", "covered_second", "covered_x", "plays_x"))
    assert vote.account == flat | since
