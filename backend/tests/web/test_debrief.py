"""What participants are told at the end: nothing before it, and then exactly what they met.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any

import pytest
from httpx import AsyncClient

from tests.made_up import Participant, block, in_two_modes, put_recordings, study_definition
from thinlab.study import catalogue, study_state
from thinlab.web.services import Services

NAMES = {"plain": "As it is", "modified": "With a change"}


async def _study(services: Services, when: str) -> catalogue.StoredStudy:
    async with services.database.transaction() as session:
        definition = study_definition(slug="told", debrief={"when": when, "names": NAMES})
        await catalogue.load(session, definition)
    return await put_recordings(services, "told")


async def _asked(person: Participant) -> tuple[int, dict[str, Any]]:
    answer = await person.browser.get("/api/participation/debrief", headers=person.headers)
    return answer.status_code, answer.json()


async def test_nothing_is_told_before_the_last_vote(
    browser: AsyncClient, services: Services
) -> None:
    await _study(services, "complete")
    assert (await browser.get("/api/studies/told")).json()["debriefs"] is True
    person = await Participant.join(browser, "told")
    while (await person.progress())["state"] != "complete":
        status, problem = await _asked(person)
        assert (status, problem["type"]) == (409, "/problems/not-yet")
        assert not set(NAMES.values()) & set(str(problem).split("'"))
        trial = await person.open_trial()
        heard = [trial[side]["recording_token"] for side in ("first", "second")]
        for token in heard:
            await person.hear(token)
        await person.vote(trial["trial_token"], choice="second")
    status, told = await _asked(person)
    assert status == 200
    assert [one["position"] for one in told["trials"]] == [1, 2, 3]
    assert [one["answer"] for one in told["trials"]] == ["The second"] * 3
    by_kind = {one["one_twice"]: one for one in told["trials"]}
    control, pair = by_kind[True], by_kind[False]
    assert control["first"] == control["second"]
    assert control["first"]["name"] == "As it is"
    assert {pair["first"]["name"], pair["second"]["name"]} == set(NAMES.values())
    assert all(pair[side]["packets"] > 0 for side in ("first", "second"))


async def test_of_a_reference_it_is_told_that_it_was_not_sent(
    browser: AsyncClient, services: Services
) -> None:
    trial = {"kind": "pair", "id": "one", "clip": "speech", "seed": 1}
    definition = study_definition(
        slug="told",
        conditions=in_two_modes("all", loss_share=0.02) | {"best": {"reference": "unprocessed"}},
        blocks=[block([trial | {"conditions": ["plain", "best"]}])],
        debrief={"when": "complete", "names": {"plain": "As it is", "best": "The source"}},
    )
    async with services.database.transaction() as session:
        await catalogue.load(session, definition)
    await put_recordings(services, "told")
    person = await Participant.join(browser, "told")
    await person.vote((await person.open_trial())["trial_token"], choice="first")
    _, told = await _asked(person)
    (one,) = told["trials"]
    sides = {one[place]["name"]: one[place] for place in ("first", "second")}
    assert sides["As it is"]["packets"] > 0
    nothing = {"packets": None, "lost_packets": 0, "late_share": None, "longest_stall_ms": None}
    assert sides["The source"] == {"name": "The source", **nothing}


async def test_each_side_is_told_as_it_was_presented(
    browser: AsyncClient, services: Services
) -> None:
    await _study(services, "complete")
    people = [await Participant.join(browser, "told") for _ in range(4)]
    firsts = set()
    for person in people:
        await person.take_all("first")
        _, told = await _asked(person)
        for one in told["trials"]:
            if one["one_twice"]:
                continue
            firsts.add(one["first"]["name"])
            assert one["first"]["name"] != one["second"]["name"]
    assert firsts == set(NAMES.values()), "sides are balanced, so both names come first"


async def test_it_can_wait_until_the_study_is_closed(
    browser: AsyncClient, services: Services
) -> None:
    study = await _study(services, "closed")
    person = await Participant.join(browser, "told")
    await person.take_all("first")
    assert (await _asked(person))[0] == 409
    async with services.database.transaction() as session:
        await study_state.close(session, study, "enough")
    assert (await _asked(person))[0] == 200


@pytest.mark.parametrize("slug", ["demo"])
async def test_a_study_that_does_not_want_it_tells_nothing(browser: AsyncClient, slug: str) -> None:
    person = await Participant.join(browser, slug)
    await person.take_all("first")
    status, problem = await _asked(person)
    assert (status, problem["type"]) == (404, "/problems/no-debrief")
