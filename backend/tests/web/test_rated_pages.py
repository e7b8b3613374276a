"""Pages of several sounds, rated beside their reference: opened, rated at once, kept whole."""

import uuid
from typing import Any

import pytest
import pytest_asyncio
from httpx import AsyncClient
from sqlalchemy import select

from tests.made_up import HEARD, Participant, put_recordings, rated_definition
from thinlab.database.schema import Presentation, Vote
from thinlab.monitoring import exclusion
from thinlab.study import catalogue
from thinlab.web.services import Services

pytestmark = pytest.mark.usefixtures("_rated")
SOUNDS = 4


@pytest_asyncio.fixture
async def _rated(services: Services) -> None:
    """A study of two pages."""
    async with services.database.transaction() as session:
        await catalogue.load(session, rated_definition(slug="rated"))
    await put_recordings(services, "rated")


def handles(page: dict[str, Any]) -> list[dict[str, Any]]:
    return [page["first"], *page["others"]]


def ballot_of(page: dict[str, Any], scores: list[int], **changes: Any) -> dict[str, Any]:  # noqa: ANN401
    ratings = [
        {**handle, "score": score, "account": HEARD}
        for handle, score in zip(handles(page), scores, strict=True)
    ]
    common = {"trial_token": page["trial_token"], "vote_key": str(uuid.uuid4())}
    return common | {"ratings": ratings, "decision_ms": 9_000, "account": HEARD} | changes


async def hear(person: Participant, page: dict[str, Any]) -> list[bytes]:
    """The reference, then every sound."""
    heard = []
    for handle in (page["x"], *handles(page)):
        path = f"/api/recordings/{handle['recording_token']}"
        got = await person.browser.get(path, headers=person.headers)
        assert got.status_code == 200, got.text
        heard.append(got.content)
    return heard


async def cast(person: Participant, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    answered = await person.browser.post(
        "/api/participation/votes", headers=person.headers, json=body
    )
    return answered.status_code, answered.json()


async def test_a_page_is_met_heard_and_rated_as_one(
    browser: AsyncClient, services: Services
) -> None:
    assert (await browser.get("/api/studies/rated")).json()["trials_total"] == 2
    person = await Participant.join(browser, "rated")
    opened = await person.open_trials()
    assert [(page["position"], page["trials_total"]) for page in opened] == [(1, 2), (2, 2)]
    for number, page in enumerate(opened, start=1):
        assert page["second"] is None
        assert len(handles(page)) == SOUNDS
        reference, *sounds = await hear(person, page)
        # One of them is the reference, and nothing but its samples says which.
        assert sounds.count(reference) == 1
        assert len({len(sound) for sound in sounds}) == 1
        status, receipt = await cast(person, ballot_of(page, [10, 20, 30, 100]))
        assert (status, receipt["position"]) == (201, number)
        assert (await person.progress())["trials_done"] == number
    assert (await person.progress())["state"] == "complete"
    async with services.database.transaction() as session:
        rows = (
            await session.execute(
                select(Presentation.trial_id, Presentation.position, Vote.score)
                .join(Vote)
                .order_by(Presentation.position)
            )
        ).all()
    assert [row.score for row in rows] == [10, 20, 30, 100] * 2
    assert [row.position for row in rows] == list(range(1, 2 * SOUNDS + 1))
    for half in (rows[:SOUNDS], rows[SOUNDS:]):
        assert len({row.trial_id.split("-")[0] for row in half}) == 1
        assert {row.trial_id.split("-")[1] for row in half} == {
            "reference", "anchor", "plain", "modified",
        }  # fmt: skip


async def test_half_a_page_is_no_answer_and_leaves_nothing(
    browser: AsyncClient, services: Services
) -> None:
    person = await Participant.join(browser, "rated")
    page = (await person.open_trials())[0]
    await hear(person, page)
    whole = ballot_of(page, [1, 2, 3, 4])
    wrong = [
        whole | {"ratings": whole["ratings"][:3]},
        whole | {"ratings": [*whole["ratings"][:3], whole["ratings"][0]]},
        whole | {"ratings": None, "score": 50 // 10},
        whole | {"score": 5},
    ]
    for body in wrong:
        status, problem = await cast(person, body)
        assert (status, problem["field"]) == (422, "ratings"), problem
    beyond = [*whole["ratings"][:3], whole["ratings"][3] | {"score": 101}]
    assert (await cast(person, whole | {"ratings": beyond}))[0] == 422
    async with services.database.transaction() as session:
        assert (await session.scalars(select(Vote.id))).all() == []


async def test_a_page_that_is_sent_again_is_harmless_and_another_is_refused(
    browser: AsyncClient, services: Services
) -> None:
    person = await Participant.join(browser, "rated")
    page = (await person.open_trials())[0]
    await hear(person, page)
    body = ballot_of(page, [5, 6, 7, 8])
    first, again = await cast(person, body), await cast(person, body)
    assert (first[0], again[0]) == (201, 200)
    assert first[1] == again[1]
    assert (await cast(person, body | {"vote_key": str(uuid.uuid4())}))[0] == 409
    changed = [body["ratings"][0] | {"score": 99}, *body["ratings"][1:]]
    assert (await cast(person, body | {"ratings": changed}))[0] == 409
    async with services.database.transaction() as session:
        scores = (await session.scalars(select(Vote.score).order_by(Vote.id))).all()
    assert scores == [5, 6, 7, 8]


async def test_a_sound_that_was_never_fetched_cannot_be_rated(
    browser: AsyncClient, services: Services
) -> None:
    person = await Participant.join(browser, "rated")
    page = (await person.open_trials())[0]
    body = ballot_of(page, [5, 6, 7, 8])
    # All but the open reference, which belongs to one of them.
    for handle in handles(page):
        path = f"/api/recordings/{handle['recording_token']}"
        assert (await browser.get(path, headers=person.headers)).status_code == 200
    assert (await cast(person, body))[0] == 409
    async with services.database.transaction() as session:
        assert (await session.scalars(select(Vote.id))).all() == []
    await hear(person, page)
    assert (await cast(person, body))[0] == 201


async def test_who_misses_the_hidden_reference_is_left_out(
    browser: AsyncClient, services: Services
) -> None:
    for scores in ((100, 0), (89, 0)):
        person = await Participant.join(browser, "rated")
        for page in await person.open_trials():
            reference, *sounds = await hear(person, page)
            given = [scores[0] if sound == reference else scores[1] for sound in sounds]
            assert (await cast(person, ballot_of(page, given)))[0] == 201
    async with services.database.transaction() as session:
        study = await catalogue.current(session, "rated")
        assert study is not None
        standings = await exclusion.standings(session, study)
    flags = [standing.flags for _, standing in sorted(standings.items())]
    assert flags[0] == ()
    assert [flag.rule for flag in flags[1]] == ["reference_under"]
    assert flags[1][0].finding == (
        "Rated 2 of 2 hidden references below 90; at most 15 % are allowed."
    )


async def test_no_two_participants_need_to_have_the_same_order(
    browser: AsyncClient, services: Services
) -> None:
    for _ in range(8):
        person = await Participant.join(browser, "rated")
        await person.open_trials()
    async with services.database.transaction() as session:
        rows = await session.execute(
            select(Presentation.participant_id, Presentation.trial_id).order_by(
                Presentation.participant_id, Presentation.position
            )
        )
    orders: dict[int, list[str]] = {}
    for participant, trial in rows:
        orders.setdefault(participant, []).append(trial)
    # Of 2 x 24 x 24 orders: eight alike come once in 10^21 studies.
    assert len({tuple(order) for order in orders.values()}) > 1
    assert {order[0].split("-")[0] for order in orders.values()} == {"speech", "song"}
