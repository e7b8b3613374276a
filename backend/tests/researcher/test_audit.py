"""Who did what of weight is on record, for good, and tells nothing of any participant.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json

import pytest
from httpx import AsyncClient
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from tests.made_up import PASSWORD, Participant, sign_in
from thinlab.researcher import account, audit, sessions
from thinlab.researcher.audit import Act, By, Failures
from thinlab.researcher.sessions import Role
from thinlab.web.services import Services

STUDY = "/api/researcher/studies/demo"


async def on_record(services: Services) -> list[tuple[str, str, str | None]]:
    async with services.database.transaction() as session:
        found = await audit.entries(session, 1000)
    return [(entry.act.value, entry.by.value, entry.study) for entry in reversed(found)]


async def test_weighty_acts_are_on_record_and_nobody_who_took_part(
    browser: AsyncClient, services: Services
) -> None:
    await sign_in(browser, services)
    person = await Participant.join(browser)
    await person.take_all()
    (row,) = (await browser.get(f"{STUDY}/participants")).json()
    pseudonym = row["pseudonym"]
    before = len(await on_record(services))
    reason = {"reason": f"because of {pseudonym}"}
    exclusion = f"{STUDY}/participants/{pseudonym}/exclusions"
    assert (await browser.get(f"{STUDY}/export.csv")).status_code == 200
    assert (await browser.get(f"{STUDY}/participants.json")).status_code == 200
    assert (await browser.post(exclusion, json={"excluded": True, **reason})).status_code == 204
    assert (await browser.post(exclusion, json={"excluded": False, **reason})).status_code == 204
    await browser.post(f"{STUDY}/invitations", json={"count": 3, "label": pseudonym})
    await browser.post(f"{STUDY}/freeze", json={})
    await browser.post(f"{STUDY}/close", json=reason)
    await browser.post(f"{STUDY}/reopen", json=reason)
    await browser.delete("/api/researcher/session")
    async with services.database.transaction() as session:
        await account.reset(session)
    of_people = ["participant_left_out", "participant_taken_in", "invitations_made"]
    of_study = ["study_frozen", "study_closed", "study_reopened"]
    acts = ["exported", "exported", *of_people, *of_study]
    assert (await on_record(services))[before:] == [
        *((act, "researcher", "demo") for act in acts),
        ("signed_out", "researcher", None),
        ("password_forgotten", "operator", None),
    ]
    async with services.database.transaction() as session:
        rows = await session.execute(text("select e::text from audit_entry e"))
        whole = " ".join(row[0] for row in rows)
    assert pseudonym not in whole
    assert "127.0.0.1" not in whole


async def test_who_has_no_session_signs_nobody_out(
    browser: AsyncClient, services: Services
) -> None:
    await sign_in(browser, services)
    async with services.database.transaction() as session:
        presenter = await sessions.begin(session, Role.PRESENTER)
    before = await on_record(services)
    for token in ("made-up", presenter):
        browser.cookies.clear()
        browser.cookies.set("researcher", token)
        assert (await browser.delete("/api/researcher/session")).status_code == 204
    assert await on_record(services) == before
    async with services.database.transaction() as session:
        assert await sessions.is_live(session, Role.PRESENTER, presenter)


async def test_what_was_refused_is_not_on_record_as_done(
    browser: AsyncClient, services: Services
) -> None:
    await sign_in(browser, services)
    before = await on_record(services)
    assert (await browser.post(f"{STUDY}/reopen", json={"reason": "why"})).status_code == 409
    assert (await browser.get("/api/researcher/studies/none/export.csv")).status_code == 404
    assert await on_record(services) == before


@pytest.mark.parametrize(
    "change",
    ["update audit_entry set act = 'exported'", "delete from audit_entry", "truncate audit_entry"],
)
async def test_the_database_refuses_to_change_it(
    browser: AsyncClient, services: Services, change: str
) -> None:
    await sign_in(browser, services)
    with pytest.raises(DBAPIError, match=r"append-only|permission denied"):
        async with services.database.transaction() as session:
            await session.execute(text(change))
    assert await on_record(services)


async def test_guessing_is_on_record_and_does_not_fill_the_disk(services: Services) -> None:
    failures = Failures(together_s=0.5)
    for _ in range(500):
        await failures.note(services.database, Act.SIGN_IN_FAILED)

    async def told() -> list[int]:
        async with services.database.transaction() as session:
            found = await audit.entries(session, 1000)
        return [one.details["times"] for one in found if one.act is Act.SIGN_IN_FAILED]

    async with asyncio.timeout(60):
        while sum(await told()) < 500:
            await asyncio.sleep(0.05)
    assert len(await told()) < 100
    await failures.note(services.database, Act.SIGN_IN_FAILED)
    await failures.close(services.database)
    assert sum(await told()) == 501


async def test_the_researcher_reads_it_page_by_page(
    browser: AsyncClient, services: Services
) -> None:
    await sign_in(browser, services)
    wrong = await browser.post("/api/researcher/session", json={"password": "guessed"})
    assert wrong.status_code == 403
    async with services.database.transaction() as session:
        for number in range(120):
            await audit.enter(session, Act.EXPORTED, study="demo", table=f"t{number}", form="csv")
    first = (await browser.get("/api/researcher/audit")).json()
    assert (len(first["entries"]), first["more"]) == (100, True)
    assert first["entries"][0]["details"] == {"table": "t119", "form": "csv"}
    oldest = first["entries"][-1]["entry_id"]
    rest = (await browser.get("/api/researcher/audit", params={"before": oldest})).json()
    acts = [(one["act"], one["by"]) for one in rest["entries"]]
    assert rest["more"] is False
    assert ("sign_in_failed", By.STRANGER.value) in acts
    assert ("password_set", By.RESEARCHER.value) in acts
    assert PASSWORD not in json.dumps(rest)
    await browser.delete("/api/researcher/session")
    assert (await browser.get("/api/researcher/audit")).status_code == 401


@pytest.mark.parametrize(
    "path",
    [
        *("", "/participants", "/invitations", "/monitor", "/results", "/plan", "/recordings"),
        *("/export.csv", "/participants.json", "/codebook.csv"),
    ],
)
async def test_nothing_of_a_study_stays_in_a_browsers_cache(
    browser: AsyncClient, services: Services, path: str
) -> None:
    await sign_in(browser, services)
    answer = await browser.get(f"{STUDY}{path}")
    assert answer.status_code == 200
    assert answer.headers.get_list("cache-control") == ["no-store"]
