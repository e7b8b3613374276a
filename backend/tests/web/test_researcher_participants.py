"""The researcher's routes over participants and invitations.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import uuid

import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient
from sqlalchemy import select

from tests.conftest import ORIGIN
from tests.made_up import sign_in
from tests.monitoring.watched import careful, make_silent, pseudonym_of, put_watched, take_part
from thinlab.database.schema import Invitation
from thinlab.study.catalogue import StoredStudy
from thinlab.web.services import Services

AT = "/api/researcher/studies/watched"


@pytest.fixture(autouse=True)
async def _desk(browser: AsyncClient, services: Services, study: StoredStudy) -> None:
    assert study.slug == "demo"
    await put_watched(services, access="invitation")
    await sign_in(browser, services)


async def invite(browser: AsyncClient, count: int = 1, label: str = "") -> list[str]:
    made = await browser.post(f"{AT}/invitations", json={"count": count, "label": label})
    assert made.status_code == 201, made.text
    assert made.headers["cache-control"] == "no-store"
    paths: list[str] = made.json()["paths"]
    assert all(path.startswith("/s/watched#i=") for path in paths)
    return [path.partition("#i=")[2] for path in paths]


def joining(**fields: object) -> dict[str, object]:
    return {"consent_version": "1", "join_key": str(uuid.uuid4()), **fields}


async def test_an_invitation_is_one_participant_on_any_device(
    app: FastAPI, browser: AsyncClient, services: Services
) -> None:
    (token, _) = await invite(browser, 2, "Tuesday")
    async with AsyncClient(transport=ASGITransport(app), base_url=ORIGIN) as device:
        uninvited = await device.post("/api/studies/watched/participants", json=joining())
        assert (uninvited.status_code, uninvited.json()["type"]) == (
            403,
            "/problems/invitation-needed",
        )
        # Two devices open the link at the same moment.
        answers = await asyncio.gather(
            *(
                device.post("/api/studies/watched/participants", json=joining(invitation=token))
                for _ in range(5)
            )
        )
        assert {answer.status_code for answer in answers} <= {200, 201}
    rows = (await browser.get(f"{AT}/invitations")).json()
    assert [row["label"] for row in rows] == ["Tuesday", "Tuesday"]
    used = [row for row in rows if row["used"]]
    people = (await browser.get(f"{AT}/participants")).json()
    assert [row["pseudonym"] for row in used] == [one["pseudonym"] for one in people]
    async with services.database.transaction() as session:
        hashes = await session.scalars(select(Invitation.token_hash))
        assert token.encode() not in hashes.all()


async def test_an_invitation_of_another_study_is_none(browser: AsyncClient) -> None:
    other = await browser.post(
        "/api/researcher/studies/demo/invitations", json={"count": 1, "label": ""}
    )
    token = other.json()["paths"][0].partition("#i=")[2]
    for unknown in (token, "x" * 27):
        refused = await browser.post(
            "/api/studies/watched/participants", json=joining(invitation=unknown)
        )
        assert refused.status_code in {403, 404}


@pytest.mark.parametrize("count", [0, 1001, "many"])
async def test_how_many_has_bounds(browser: AsyncClient, count: object) -> None:
    refused = await browser.post(f"{AT}/invitations", json={"count": count, "label": ""})
    assert (refused.status_code, refused.json()["field"]) == (422, "count")


async def test_a_participant_is_left_out_and_taken_in(
    browser: AsyncClient, services: Services
) -> None:
    await put_watched(services)
    somebody = await take_part(browser, services.database, careful)
    name = await pseudonym_of(services.database, somebody)
    at = f"{AT}/participants/{name}/exclusions"

    async def row() -> dict[str, object]:
        (found,) = (await browser.get(f"{AT}/participants")).json()
        assert found["pseudonym"] == name
        return dict(found)

    assert not (await row())["excluded"]
    assert (await browser.post(at, json={"excluded": False, "reason": "r"})).status_code == 409
    assert (await browser.post(at, json={"excluded": True})).status_code == 422
    told = {"excluded": True, "reason": "told us to"}
    assert (await browser.post(at, json=told)).status_code == 204
    assert (await browser.post(at, json=told)).status_code == 409
    left = await row()
    assert (left["excluded"], left["left_out"], left["flags"]) == (True, True, [])
    back = {"excluded": False, "reason": "a mistake"}
    assert (await browser.post(at, json=back)).status_code == 204
    assert not (await row())["excluded"]
    unknown = at.replace(name, "p-0000000000")
    assert (await browser.post(unknown, json=told)).status_code == 404


async def test_rows_never_say_how_somebody_voted(browser: AsyncClient, services: Services) -> None:
    await put_watched(services)
    await take_part(browser, services.database, careful)
    answer = (await browser.get(f"{AT}/participants")).text
    for word in ("choice", "score", "no_difference", '"first"', '"second"', "modified", "plain"):
        assert word not in answer


async def test_who_is_silent_for_long_has_left(browser: AsyncClient, services: Services) -> None:
    await put_watched(services)
    somebody = await take_part(browser, services.database, careful, votes=2)
    for minutes, presence in ((0, "live"), (20, "paused"), (90, "gone")):
        await make_silent(services.database, somebody, minutes=minutes)
        (row,) = (await browser.get(f"{AT}/participants")).json()
        assert (row["presence"], row["trials_done"], row["trials_total"]) == (presence, 2, 6)
