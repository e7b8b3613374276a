"""The front page: studies that anybody may join, and a sample once both its members are there.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any

import pytest
from httpx import AsyncClient

from tests.made_up import put_recording, study_definition
from thinlab.recording import queue, sample
from thinlab.study import catalogue
from thinlab.web.services import Services

SAMPLE = {
    "clip": "song",
    "seed": 9,
    "about": {"en": "A song.", "nb": "En sang."},
    "members": [
        {"condition": "plain", "name": {"en": "Plain", "nb": "Vanlig"}},
        {"condition": "modified", "name": {"en": "Changed", "nb": "Endret"}},
    ],
}
BOTH = {"en": "Words.", "nb": "Ord."}


async def _load(services: Services, **changes: Any) -> catalogue.StoredStudy:  # noqa: ANN401
    async with services.database.transaction() as session:
        return await catalogue.load(session, study_definition(**changes))


async def _slugs(browser: AsyncClient) -> set[str]:
    page = (await browser.get("/api/front-page")).json()
    return {study["slug"] for study in page["studies"]}


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({}, True),
        ({"listed": False}, False),
        ({"access": "invitation"}, False),
        ({"open": False}, False),
        # Its recordings are made when its researcher asks for them, and not before.
        ({"record": "on_demand"}, False),
    ],
)
async def test_only_what_anybody_may_join_is_named(
    browser: AsyncClient, services: Services, changes: dict[str, Any], named: bool
) -> None:
    await _load(services, slug="other", **changes)
    assert await _slugs(browser) == ({"demo", "other"} if named else {"demo"})


async def test_a_sample_is_heard_once_both_its_members_are_there(
    browser: AsyncClient, services: Services
) -> None:
    assert (await browser.get("/api/front-page")).json()["sample_preparing"] is False
    texts = {"title": BOTH, "description": BOTH, "languages": ["en", "nb"]}
    study = await _load(services, slug="shown", sample=SAMPLE, **texts)
    specs = sample.specs_of(study, services.clips)
    async with services.database.transaction() as session:
        asked = await sample.ask_for_missing(session, study, services.clips, services.store)
        assert asked == 2
    for number, spec in enumerate(specs):
        page = (await browser.get("/api/front-page")).json()
        assert (page["sample"], page["sample_preparing"]) == (None, True), number
        gone = await browser.get("/api/studies/shown/sample/first")
        assert gone.json()["type"] == "/problems/no-sound"
        async with services.database.transaction() as session:
            made = await put_recording(session, services, spec)
            of_spec = await queue.of_specs(session, [spec])
            await queue.finish(session, of_spec[spec.spec_key].id, made)

    page = (await browser.get("/api/front-page", params={"language": "nb"})).json()
    assert page["sample"]["about"] == "En sang."
    async with services.database.transaction() as session:
        recordings = await sample.recordings_of(session, study, services.clips, services.store)
    for side, name, recording in zip(
        ("first", "second"), ("Vanlig", "Endret"), recordings, strict=True
    ):
        member, told = page["sample"][side], recording.result
        assert member["name"] == name
        assert member["concealed_ms"] == told["playout"]["concealed_ms"]
        assert member["redundancy_share"] == told["metrics"]["redundancy_share"]
    heard = [await browser.get(f"/api/studies/shown/sample/{side}") for side in ("first", "second")]
    assert [answer.status_code for answer in heard] == [200, 200]
    assert heard[0].content != heard[1].content
    async with services.database.transaction() as session:
        asked = await sample.ask_for_missing(session, study, services.clips, services.store)
        assert asked == 0


async def test_where_there_is_no_sample_there_is_nothing_to_hear(browser: AsyncClient) -> None:
    for address in ("/api/studies/nothing/sample/first", "/api/studies/demo/sample/first"):
        assert (await browser.get(address)).status_code == 404
