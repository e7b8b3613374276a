"""A participant's way beside the trials: languages, sound, questions, invitations, leaving.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import uuid
from datetime import timedelta
from typing import Any

import pytest
from httpx import AsyncClient, Response
from sqlalchemy import func, select, update

from tests.made_up import Participant, put_recordings, sign_in, study_definition
from thinlab import tokens
from thinlab.database import schema
from thinlab.participation import withdrawal
from thinlab.web.serve import load
from thinlab.web.services import Services

QUESTIONS: list[dict[str, Any]] = [
    {"id": "age", "when": "before", "kind": "number", "text": "How old are you?"}
    | {"minimum": 18, "maximum": 120, "required": True},
    {"id": "ears", "kind": "choice", "text": "How do you hear?", "required": True}
    | {"options": [{"id": "well", "label": "Well"}, {"id": "badly", "label": "Badly"}]},
    {"id": "devices", "kind": "choice", "text": "On what?", "several": True}
    | {"options": [{"id": "phone", "label": "Phone"}, {"id": "desk", "label": "Computer"}]},
    {"id": "remarks", "kind": "text", "text": "Anything else?", "max_length": 20},
]


async def give(services: Services, **changes: Any) -> None:  # noqa: ANN401
    """Makes the demo study one with these changes, ready to be heard."""
    await load(services.database, [study_definition(**changes)])
    await put_recordings(services, "demo")


async def answer(person: Participant, **answers: object) -> Response:
    return await person.browser.post(
        "/api/participation/answers", headers=person.headers, json={"answers": answers}
    )


async def join(browser: AsyncClient, **fields: object) -> Response:
    body = {"consent_version": "1", "join_key": str(uuid.uuid4()), **fields}
    return await browser.post("/api/studies/demo/participants", json=body)


async def test_texts_come_in_the_language_asked_for(
    browser: AsyncClient, services: Services
) -> None:
    title = {"en": "Which one?", "nb": "Hvilken?"}
    await give(services, languages=["en", "nb"], title=title, retention_days=30)
    for asked, given in (("nb", "nb"), ("en", "en"), ("xx", "en"), (None, "en")):
        params = {"language": asked} if asked else {}
        page = (await browser.get("/api/studies/demo", params=params)).json()
        assert (page["language"], page["title"]) == (given, title[given])
        assert page["languages"] == ["en", "nb"]
        assert page["retention_days"] == 30
    person = await Participant.join(browser, language="nb")
    assert (await person.progress())["language"] == "nb"


async def test_a_session_goes_its_stages_in_order(browser: AsyncClient, services: Services) -> None:
    await give(services, questionnaire=QUESTIONS)
    joined = (await join(browser)).json()
    assert joined["participation"]["state"] == "sound_check"
    person = Participant(browser, joined["participant_token"])
    early = await browser.post("/api/participation/trials", headers=person.headers)
    assert (early.status_code, early.json()["type"]) == (409, "/problems/not-yet")
    await person.check_sound()
    assert (await person.progress())["state"] == "questions_before"
    asked = await browser.get("/api/participation/questions", headers=person.headers)
    assert [question["id"] for question in asked.json()["questions"]] == ["age"]
    assert (await answer(person, age=40)).json()["state"] == "trials"
    none = await browser.get("/api/participation/questions", headers=person.headers)
    assert (none.status_code, none.json()["type"]) == (409, "/problems/not-asked")
    await person.take_all()
    assert (await person.progress())["state"] == "questions_after"
    assert (await person.progress())["completion_code"] is None
    after = await answer(person, ears="well", devices=["desk", "phone"], remarks="")
    assert after.json()["state"] == "complete"
    assert after.json()["completion_code"]
    async with services.database.transaction() as session:
        rows = await session.execute(
            select(schema.QuestionnaireAnswer.question_id, schema.QuestionnaireAnswer.answer)
        )
        assert sorted((name, given) for name, given in rows) == [
            ("age", 40),
            ("devices", ["desk", "phone"]),
            ("ears", "well"),
            ("remarks", None),
        ]


@pytest.mark.parametrize(
    ("answers", "field"),
    [
        ({}, "answers.ears"),
        ({"ears": "loud"}, "answers.ears"),
        ({"ears": ["well"]}, "answers.ears"),
        ({"ears": "well", "devices": "desk"}, "answers.devices"),
        ({"ears": "well", "devices": ["desk", "desk"]}, "answers.devices"),
        ({"ears": "well", "remarks": "x" * 21}, "answers.remarks"),
        ({"ears": "well", "remarks": 3}, "answers.remarks"),
        ({"ears": "well", "shoe": "9"}, "answers.shoe"),
    ],
)
async def test_an_answer_that_does_not_fit_stores_nothing(
    browser: AsyncClient, services: Services, answers: dict[str, object], field: str
) -> None:
    await give(services, questionnaire=[one for one in QUESTIONS if one["id"] != "age"])
    person = await Participant.join(browser)
    await person.take_all()
    refused = await answer(person, **answers)
    assert (refused.status_code, refused.json()["field"]) == (422, field)
    assert refused.json()["remedy"]
    assert (await person.progress())["state"] == "questions_after"
    async with services.database.transaction() as session:
        assert not await session.scalar(
            select(func.count()).select_from(schema.QuestionnaireAnswer)
        )


async def test_answers_sent_twice_are_stored_once(browser: AsyncClient, services: Services) -> None:
    await give(services, questionnaire=[QUESTIONS[0]])
    person = await Participant.join(browser)
    sent = await asyncio.gather(*(answer(person, age=40) for _ in range(5)))
    assert {one.status_code for one in sent} == {200}
    other = await answer(person, age=41)
    assert (other.status_code, other.json()["type"]) == (409, "/problems/answered")


def headphones(correct: int, tries: int) -> dict[str, object]:
    return {"headphones": {"correct": correct, "of": 6, "tries": tries}}


async def test_required_headphones_have_to_be_heard(
    browser: AsyncClient, services: Services
) -> None:
    await give(services, headphones="required")

    async def tried(*results: tuple[int, int]) -> str:
        person = Participant(browser, (await join(browser)).json()["participant_token"])
        for correct, tries in results:
            await person.check_sound(**headphones(correct, tries))
        return str((await person.progress())["state"])

    assert await tried((5, 1)) == "trials"
    assert await tried((4, 1)) == "sound_check"
    # The same try sent twice is one try.
    assert await tried((4, 1), (4, 1)) == "sound_check"
    assert await tried((4, 1), (6, 2)) == "trials"
    assert await tried((4, 1), (2, 2)) == "headphones_failed"


async def test_asked_headphones_are_recorded_and_nobody_is_turned_away(
    browser: AsyncClient, services: Services
) -> None:
    await give(services, headphones="asked")
    person = await Participant.join(browser)
    await person.check_sound(**headphones(1, 1))
    assert (await person.progress())["state"] == "trials"
    async with services.database.transaction() as session:
        row = await session.scalar(select(schema.Participant))
    assert row is not None
    assert (row.headphones_correct, row.headphones_of, row.headphones_passed) == (1, 6, False)


async def invite(services: Services) -> str:
    """An invitation to the demo study."""
    token = tokens.opaque()
    async with services.database.transaction() as session:
        session.add(
            schema.Invitation(slug="demo", label="Kari", token_hash=tokens.token_hash(token))
        )
    return token


async def test_an_invitation_is_one_person(browser: AsyncClient, services: Services) -> None:
    await give(services, access="invitation")
    for fields, kind in (({}, "invitation-needed"), ({"invitation": "x" * 27}, "-unknown")):
        refused = await join(browser, **fields)
        assert refused.status_code == 403
        assert refused.json()["type"].endswith(kind)
    token = await invite(services)
    first, again = await join(browser, invitation=token), await join(browser, invitation=token)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json()["participant_token"] == again.json()["participant_token"]


async def test_two_devices_with_one_invitation_at_once(
    browser: AsyncClient, services: Services
) -> None:
    await give(services, access="invitation")
    token = await invite(services)
    joined = await asyncio.gather(*(join(browser, invitation=token) for _ in range(8)))
    assert len({one.json()["participant_token"] for one in joined}) == 1


@pytest.mark.parametrize("credential", ["participant_token", "withdraw_token"])
async def test_withdrawing_deletes_the_answers_and_leaves_a_tombstone(
    browser: AsyncClient, services: Services, credential: str
) -> None:
    await give(services, questionnaire=[QUESTIONS[0]])
    stays = await Participant.join(browser)
    await answer(stays, age=50)
    await stays.take_all()
    joined = (await join(browser)).json()
    person = Participant(browser, joined["participant_token"])
    await person.check_sound()
    await answer(person, age=40)
    await person.take_all()
    headers = {"Authorization": f"Bearer {joined[credential]}"}
    for _ in range(2):
        gone = await browser.delete("/api/participation", headers=headers)
        assert gone.status_code == 204
    for method, path in (("GET", ""), ("POST", "/trials"), ("GET", "/questions")):
        after = await browser.request(method, f"/api/participation{path}", headers=person.headers)
        assert (after.status_code, after.json()["type"]) == (410, "/problems/withdrawn")
    async with services.database.transaction() as session:
        for table, left in (
            (schema.Vote, 3),
            (schema.Presentation, 3),
            (schema.QuestionnaireAnswer, 1),
            (schema.Allocation, 1),
        ):
            assert await session.scalar(select(func.count()).select_from(table)) == left
        tombstone = await session.scalar(
            select(schema.Participant).where(schema.Participant.withdrawn_at.is_not(None))
        )
    assert tombstone is not None
    assert tombstone.completed_at is None
    assert tombstone.level_percent is None


async def test_a_withdraw_token_can_do_nothing_else(browser: AsyncClient) -> None:
    joined = (await join(browser)).json()
    headers = {"Authorization": f"Bearer {joined['withdraw_token']}"}
    assert (await browser.get("/api/participation", headers=headers)).status_code == 401
    assert (await browser.post("/api/participation/trials", headers=headers)).status_code == 401


async def test_a_forged_withdrawal_deletes_nothing(
    browser: AsyncClient, services: Services
) -> None:
    await (await Participant.join(browser)).take_all()
    forged = {"Authorization": f"Bearer {tokens.opaque()}"}
    assert (await browser.delete("/api/participation", headers=forged)).status_code == 401
    async with services.database.transaction() as session:
        assert await session.scalar(select(func.count()).select_from(schema.Vote)) == 3


async def test_a_withdrawal_beside_other_requests_leaves_nothing(
    browser: AsyncClient, services: Services
) -> None:
    await give(services, questionnaire=[QUESTIONS[3] | {"when": "before"}])
    for _ in range(5):
        person = await Participant.join(browser)
        one = browser.delete("/api/participation", headers=person.headers)
        await asyncio.gather(answer(person, remarks="I am Anna"), one)
        person = await Participant.join(browser)
        await answer(person)
        one = browser.delete("/api/participation", headers=person.headers)
        await asyncio.gather(browser.post("/api/participation/trials", headers=person.headers), one)
    async with services.database.transaction() as session:
        for table in (schema.Presentation, schema.QuestionnaireAnswer, schema.Allocation):
            assert not await session.scalar(select(func.count()).select_from(table))


async def test_a_withdrawn_invitation_tells_nobody(
    browser: AsyncClient, services: Services
) -> None:
    await give(services, access="invitation")
    token = await invite(services)
    joined = (await join(browser, invitation=token)).json()
    headers = {"Authorization": f"Bearer {joined['withdraw_token']}"}
    assert (await browser.delete("/api/participation", headers=headers)).status_code == 204
    async with services.database.transaction() as session:
        kept = await session.scalar(select(schema.Invitation))
    assert kept is not None
    assert (kept.participant_id, kept.used, kept.used_on, kept.label) == (None, True, None, "")
    again = await join(browser, invitation=token)
    assert (again.status_code, again.json()["type"]) == (403, "/problems/invitation-used")


async def test_a_preview_leaves_the_invitation_unused(
    browser: AsyncClient, services: Services
) -> None:
    await give(services, access="invitation")
    await sign_in(browser, services)
    token = await invite(services)
    preview = (await join(browser, invitation=token, kind="preview")).json()
    invited = (await join(browser, invitation=token)).json()
    assert invited["participant_token"] != preview["participant_token"]
    assert invited["participation"]["kind"] == "person"


async def test_a_study_whose_file_is_gone_lets_people_finish_and_leave(
    browser: AsyncClient, services: Services
) -> None:
    person = await Participant.join(browser)
    leaving = (await join(browser)).json()
    await load(services.database, [study_definition(slug="other")])
    assert (await browser.get("/api/studies/demo")).json()["state"] == "closed"
    assert (await browser.get("/api/studies/demo/sound-check")).status_code == 200
    assert (await join(browser)).json()["type"] == "/problems/closed"
    await person.take_all()
    assert (await person.progress())["state"] == "complete"
    headers = {"Authorization": f"Bearer {leaving['withdraw_token']}"}
    assert (await browser.delete("/api/participation", headers=headers)).status_code == 204


async def test_a_page_left_open_for_days_may_still_vote(browser: AsyncClient) -> None:
    person = await Participant.join(browser)
    token = (await person.open_trial())["trial_token"]
    voted = await person.vote(token, decision_ms=10**12)
    assert voted.status_code == 201


async def test_after_the_retention_nobody_is_recognised(
    browser: AsyncClient, services: Services
) -> None:
    await give(services, retention_days=30)
    old, young = await Participant.join(browser), await Participant.join(browser)
    await old.take_all()
    token = await invite(services)
    async with services.database.transaction() as session:
        joined = await session.scalar(
            select(schema.Participant.id).where(schema.Participant.token_hash == old.token_hash)
        )
        await session.execute(
            update(schema.Invitation)
            .where(schema.Invitation.token_hash == tokens.token_hash(token))
            .values(participant_id=joined, used=True, used_on=func.current_date())
        )
        await session.execute(
            update(schema.Participant)
            .where(schema.Participant.token_hash == old.token_hash)
            .values(joined_at=func.now() - timedelta(days=31))
        )
    async with services.database.transaction() as session:
        assert await withdrawal.erase_links(session) == 1
        assert await withdrawal.erase_links(session) == 0
        invitation = await session.scalar(select(schema.Invitation))
        assert invitation is not None
        assert (invitation.participant_id, invitation.label) == (None, "")
        assert (invitation.used, invitation.used_on, invitation.token_hash) == (True, None, None)
    assert (await browser.get("/api/participation", headers=old.headers)).status_code == 401
    assert (await young.progress())["state"] == "trials"
    async with services.database.transaction() as session:
        assert await session.scalar(select(func.count()).select_from(schema.Vote)) == 3


async def test_characters_that_cannot_be_stored_are_refused(
    browser: AsyncClient, services: Services
) -> None:
    await give(services, questionnaire=[QUESTIONS[3]])
    assert (await browser.get("/api/studies/de%00mo")).status_code == 422
    person = await Participant.join(browser)
    await person.take_all()
    refused = await answer(person, remarks="a\0b")
    assert refused.status_code == 422
    assert refused.json()["remedy"]
    assert (await person.progress())["state"] == "questions_after"


async def test_optional_questions_may_all_be_left_out(
    browser: AsyncClient, services: Services
) -> None:
    await give(services, questionnaire=[QUESTIONS[2], QUESTIONS[3]])
    person = await Participant.join(browser)
    await person.take_all()
    assert (await answer(person)).json()["state"] == "complete"
