"""Typing trials: which session comes, under which condition, and when there can be a vote.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import timedelta
from typing import Any

import pytest
from httpx import AsyncClient
from sqlalchemy import func, select, update

from tests.made_up import Participant, ballot, sign_in, typing_definition
from thinlab.database.schema import Keystroke, TypingSession, Vote
from thinlab.database.schema import Participant as ParticipantRow
from thinlab.participation import participant as participation
from thinlab.study import catalogue
from thinlab.trials.typing import session as typing_session
from thinlab.trials.typing.session import NotItsTurnError, TypedError, UnknownSessionError
from thinlab.web.services import Services


@pytest.fixture
async def typist(browser: AsyncClient, services: Services) -> Participant:
    """Somebody in a typing study whose connection was good."""
    async with services.database.transaction() as session:
        await catalogue.load(session, typing_definition())
    somebody = await Participant.join(browser, "typing")
    assert (await somebody.progress())["state"] == "connection_check"
    async with services.database.transaction() as session:
        await session.execute(
            update(ParticipantRow)
            .where(ParticipantRow.token_hash == somebody.token_hash)
            .values(connection_passed=True, connection_tries=1)
        )
    return somebody


async def type_session(services: Services, typist: Participant, token: str) -> dict[str, Any]:
    """What a session behind a token was to be, entered and done."""
    async with services.database.transaction() as session:
        row = await participation.by_token(session, typist.token)
        assert row is not None
        planned = await typing_session.plan(session, row, token)
        begun = await typing_session.begin(session, row, planned)
        begun.state = "done"
        begun.ended_at = await session.scalar(select(func.now()))
        session.add(
            Keystroke(session_id=begun.id, number=1, kind="character", repeat=False, pressed_us=0)
        )
    return {"name": planned.condition_name, "seed": planned.seed, "task": planned.task.kind}


async def take_trial(services: Services, typist: Participant) -> list[dict[str, Any]]:
    """Both sessions of the open trial."""
    trial = await typist.open_trial()
    return [
        await type_session(services, typist, trial[place]["session_token"])
        for place in ("first", "second")
    ]


async def test_a_typing_trial_comes_alone_and_says_nothing_of_its_conditions(
    typist: Participant,
) -> None:
    (trial,) = await typist.open_trials()
    assert trial["medium"] == "typed"
    assert trial["first"].keys() == trial["second"].keys() == {"session_token", "done"}
    assert trial["scale"]["noticeable"]["labels"][0]["score"] == 1
    (again,) = await typist.open_trials()
    assert again == trial


async def test_members_take_their_places_and_a_control_is_one_condition_twice(
    typist: Participant, services: Services
) -> None:
    seen = {}
    while (await typist.progress())["state"] == "trials":
        trial = await typist.open_trial()
        typed = await take_trial(services, typist)
        seen[trial["task"]["kind"]] = typed
        voted = await typist.vote(trial["trial_token"], choice="no_difference")
        assert voted.status_code == 201, voted.text
    assert sorted(one["name"] for one in seen["copy"]) == ["modified", "plain"]
    assert {one["seed"] for one in seen["copy"]} == {1}
    assert [one["name"] for one in seen["correct"]] == ["plain", "plain"]
    assert (await typist.progress())["state"] == "complete"


async def test_the_second_session_waits_for_the_first_and_the_vote_for_both(
    typist: Participant, services: Services
) -> None:
    trial = await typist.open_trial()
    first, second = (trial[place]["session_token"] for place in ("first", "second"))
    with pytest.raises(NotItsTurnError):
        await type_session(services, typist, second)
    await type_session(services, typist, first)
    with pytest.raises(TypedError):
        await type_session(services, typist, first)
    refused = await typist.vote(trial["trial_token"], choice="no_difference")
    assert (refused.status_code, refused.json()["type"]) == (409, "/problems/not-typed")
    assert (await typist.open_trial())["first"]["done"] is True
    await type_session(services, typist, second)
    assert (await typist.vote(trial["trial_token"], choice="no_difference")).status_code == 201
    with pytest.raises(NotItsTurnError):
        await type_session(services, typist, second)


async def test_nobody_types_in_anothers_session(
    typist: Participant, services: Services, browser: AsyncClient
) -> None:
    other = await Participant.join(browser, "typing")
    token = (await typist.open_trial())["first"]["session_token"]
    with pytest.raises(UnknownSessionError):
        await type_session(services, other, token)


async def test_a_first_session_of_long_ago_is_typed_again(
    typist: Participant, services: Services
) -> None:
    trial = await typist.open_trial()
    await type_session(services, typist, trial["first"]["session_token"])
    async with services.database.transaction() as session:
        await session.execute(
            update(TypingSession).values(ended_at=func.now() - timedelta(minutes=11))
        )
    with pytest.raises(NotItsTurnError):
        await type_session(services, typist, trial["second"]["session_token"])
    assert (await typist.open_trial())["first"]["done"] is False
    await take_trial(services, typist)
    async with services.database.transaction() as session:
        rows = await session.execute(
            select(TypingSession.place, TypingSession.attempt, TypingSession.state).order_by(
                TypingSession.id
            )
        )
        assert [tuple(row) for row in rows] == [
            ("first", 1, "void"),
            ("first", 2, "done"),
            ("second", 1, "done"),
        ]


async def test_sessions_under_way_when_the_server_ended_are_offered_again(
    typist: Participant, services: Services
) -> None:
    token = (await typist.open_trial())["first"]["session_token"]
    async with services.database.transaction() as session:
        row = await participation.by_token(session, typist.token)
        assert row is not None
        await typing_session.begin(session, row, await typing_session.plan(session, row, token))
    async with services.database.transaction() as session:
        assert await typing_session.void_all_under_way(session, "server-restarted") == 1
    await type_session(services, typist, token)
    assert (await typist.open_trial())["first"]["done"] is True


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ({"choice": "first"}, 422),
        ({"choice": "no_difference", "noticeable": 2}, 422),
        ({"choice": "second", "noticeable": 4}, 201),
        ({"choice": "no_difference"}, 201),
    ],
)
async def test_how_noticeable_is_asked_where_there_is_a_preference(
    typist: Participant, services: Services, answer: dict[str, Any], status: int
) -> None:
    trial = await typist.open_trial()
    await take_trial(services, typist)
    voted = await typist.vote(trial["trial_token"], **answer)
    assert voted.status_code == status, voted.text


async def test_withdrawing_deletes_sessions_and_keystrokes(
    typist: Participant, services: Services, browser: AsyncClient
) -> None:
    await take_trial(services, typist)
    gone = await browser.delete("/api/participation", headers=typist.headers)
    assert gone.status_code == 204
    async with services.database.transaction() as session:
        assert await session.scalar(select(func.count(TypingSession.id))) == 0
        assert await session.scalar(select(func.count(Keystroke.number))) == 0


@pytest.mark.usefixtures("typist")
async def test_the_researcher_sees_the_studys_design(
    services: Services, browser: AsyncClient
) -> None:
    await sign_in(browser, services)
    seen = await browser.get("/api/researcher/studies/typing")
    assert seen.status_code == 200, seen.text
    assert seen.json()["definition"]["tasks"]["sentences"]["kind"] == "copy"


async def test_a_typing_page_opened_before_the_server_was_upgraded_loses_no_vote(
    typist: Participant, services: Services, browser: AsyncClient
) -> None:
    trial = await typist.open_trial()
    await take_trial(services, typist)
    body = ballot(trial["trial_token"], choice="no_difference", events=[]) | {
        "plays_first": 2,
        "plays_second": 1,
        "switches": 0,
        "played_first": "first",
        "output_latency_ms": None,
    }
    del body["account"]
    answer = await browser.post("/api/participation/votes", headers=typist.headers, json=body)
    assert answer.status_code == 201, answer.text
    async with services.database.transaction() as session:
        assert await session.scalar(select(Vote.account)) == {
            "sessions_first": 2,
            "sessions_second": 1,
        }
