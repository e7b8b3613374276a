"""Looks before the end: nobody sees a comparison but at one, and each is on record for good."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest
from httpx import AsyncClient

from tests.made_up import block, sign_in
from tests.monitoring.watched import PAIR, Answer, careful, careful_but, put_watched, take_part
from thinlab.study.catalogue import StoredStudy
from thinlab.web.services import Services

AT = "/api/researcher/studies/watched"
HYPOTHESIS = {"id": "speech", "compares": "pair", "trial": "speech"}
PLANNED = 16
FIRST = 8
SECOND = 12


@pytest.fixture(autouse=True)
async def _desk(browser: AsyncClient, services: Services, study: StoredStudy) -> None:
    assert study.slug == "demo"
    analysis = {
        "hypothesis": "The changes are heard.",
        "hypotheses": [HYPOTHESIS],
        "interim": {"looks": [FIRST / PLANNED, SECOND / PLANNED]},
        "confidence": 0.9,
    }
    pair = PAIR | {"id": "speech", "clip": "speech", "seed": 1}
    await put_watched(
        services,
        analysis=analysis,
        stop={"completed": PLANNED},
        blocks=[block([pair, pair | {"id": "song", "clip": "song"}])],
        exclusion=[],
        questionnaire=[],
        headphones="any",
    )
    await sign_in(browser, services)


async def send(browser: AsyncClient, services: Services, count: int, *, for_b: int) -> None:
    """So many of these prefer the second condition, and all others the first."""
    for number in range(count):
        answer: Answer = careful
        if number >= for_b:
            answer = lambda trial, first: _worse(trial, first)  # noqa: E731, PLW0108
        await take_part(browser, services.database, answer)


def _worse(trial: str, first: str) -> Mapping[str, Any]:
    if trial in {"trap", "control"}:
        return careful(trial, first)
    return {"choice": "first" if first == "a" else "second"}


async def looks(browser: AsyncClient) -> dict[str, Any]:
    found: dict[str, Any] = (await browser.get(f"{AT}/looks")).json()
    return found


async def test_before_a_look_counts_alone_are_seen(
    browser: AsyncClient, services: Services
) -> None:
    assert await looks(browser) == {
        "planned": [FIRST, SECOND, PLANNED],
        "taken": [],
        "completed": 0,
        "due": None,
    }
    early = await browser.post(f"{AT}/looks")
    assert (early.status_code, early.json()["type"]) == (409, "/problems/not-now")
    assert "after 8 completed sessions; there are 0" in early.json()["title"] + early.text
    await send(browser, services, FIRST, for_b=FIRST)
    assert (await looks(browser))["due"] == 1
    # That a look is due shows nothing: it has to be taken, which is on record.
    for what in ("results", "export.csv"):
        hidden = await browser.get(f"{AT}/{what}")
        assert (hidden.status_code, hidden.json()["type"]) == (409, "/problems/blinded")


async def test_a_crossed_boundary_closes_the_study_and_who_is_in_may_finish(
    browser: AsyncClient, services: Services
) -> None:
    begun = await take_part(browser, services.database, careful, votes=1)
    await send(browser, services, FIRST, for_b=FIRST)
    assert (await browser.post(f"{AT}/looks")).status_code == 204
    overview = (await browser.get(AT)).json()
    assert overview["state"]["closed_by"] == "researcher"
    assert [event["kind"] for event in overview["events"]] == ["closed", "looked"]
    assert overview["events"][0]["reason"] == "Look 1 crossed its boundary."
    assert not any(event["deviates"] for event in overview["events"])
    with pytest.raises(AssertionError, match="closed"):
        await take_part(browser, services.database, careful)
    before = (await browser.get(f"{AT}/results")).json()
    assert before["interim"]["over_run"] == 0
    while (await begun.progress())["state"] == "trials":
        trial = await begun.open_trial()
        assert (await begun.vote(trial["trial_token"], choice="first")).status_code == 201
    results = (await browser.get(f"{AT}/results")).json()
    assert results["participants_analysed"] == FIRST + 1
    assert results["interim"]["over_run"] == 1
    (taken,) = results["interim"]["looks"]
    assert (taken["verdict"], taken["completed"], taken["analysed"]) == ("stop", FIRST, FIRST)
    assert results["hypotheses"] == before["hypotheses"] == taken["hypotheses"]
    assert results["hypotheses"][0]["estimate"]["votes"] == FIRST
    # The stopped study is not looked at again.
    assert (await looks(browser))["due"] is None
    assert (await browser.post(f"{AT}/looks")).status_code == 409


async def test_without_a_boundary_the_study_goes_on_and_shows_that_look_alone(
    browser: AsyncClient, services: Services
) -> None:
    # 7 of 8: p = 0.07, where 0.011 would do.
    await send(browser, services, FIRST, for_b=FIRST - 1)
    # Whoever takes a look late sees what they would have seen in time.
    await send(browser, services, 2, for_b=2)
    assert (await browser.post(f"{AT}/looks")).status_code == 204
    overview = (await browser.get(AT)).json()
    assert (overview["state"]["closed"], overview["state"]["votes_visible"]) == (False, False)
    results = (await browser.get(f"{AT}/results")).json()
    (taken,) = results["interim"]["looks"]
    assert (taken["verdict"], taken["analysed"], taken["fraction"]) == ("continue", FIRST, 0.5)
    assert taken["two_sided"] == pytest.approx(0.01115, abs=1e-5)
    assert results["hypotheses"][0]["estimate"]["votes"] == FIRST
    assert (results["trials"], results["comparisons"], results["controls"]) == ([], [], [])
    # Nothing of it moves before the next look, and exports stay closed.
    await send(browser, services, 1, for_b=1)
    assert (await browser.get(f"{AT}/results")).json() == results
    assert (await browser.get(f"{AT}/export.csv")).status_code == 409
    assert (await browser.post(f"{AT}/looks")).status_code == 409
    await send(browser, services, 1, for_b=1)
    assert (await looks(browser))["due"] == 2
    assert (await browser.post(f"{AT}/looks")).status_code == 204
    second = (await browser.get(f"{AT}/results")).json()["interim"]["looks"][-1]
    assert (second["number"], second["analysed"]) == (2, SECOND)
    # 11 of 12: p = 0.006, and 0.045 would do.
    assert second["verdict"] == "stop"


async def test_the_end_spends_what_is_left(browser: AsyncClient, services: Services) -> None:
    await send(browser, services, FIRST, for_b=FIRST - 1)
    await browser.post(f"{AT}/looks")
    assert (await browser.post(f"{AT}/close", json={"reason": None})).status_code == 204
    results = (await browser.get(f"{AT}/results")).json()
    first, last = results["interim"]["looks"]
    assert (first["verdict"], last["verdict"], last["number"]) == ("continue", "last", 3)
    # It adds nobody to the first look, at which this was not enough.
    assert results["hypotheses"][0]["verdict"] in {"neither", "too_few"}
    assert results["trials"]


async def test_a_look_is_taken_once(browser: AsyncClient, services: Services) -> None:
    await send(browser, services, FIRST, for_b=FIRST - 1)
    answers = await asyncio.gather(*(browser.post(f"{AT}/looks") for _ in range(3)))
    assert sorted(answer.status_code for answer in answers) == [204, 409, 409]
    assert (await looks(browser))["taken"] == [1]


async def test_votes_shown_outside_of_the_looks_keep_no_level(
    browser: AsyncClient, services: Services
) -> None:
    await send(browser, services, 3, for_b=3)
    await browser.post(f"{AT}/unblind", json={"reason": "the board asked"})
    results = (await browser.get(f"{AT}/results")).json()
    (seen,) = results["interim"]["looks"]
    assert seen["verdict"] == "unplanned"
    assert "no level is kept" in results["sentences"][0]
    refused = await browser.post(f"{AT}/looks")
    assert refused.status_code == 409


async def test_bots_may_be_looked_at_at_any_time(browser: AsyncClient, services: Services) -> None:
    await take_part(browser, services.database, careful_but(), kind="bot")
    results = (await browser.get(f"{AT}/results", params={"kind": "bot"})).json()
    assert results["interim"] is None
    assert results["trials"]


async def test_a_study_without_looks_says_so(browser: AsyncClient) -> None:
    at = "/api/researcher/studies/demo/looks"
    assert (await browser.get(at)).json()["planned"] == []
    refused = await browser.post(at)
    assert refused.status_code == 409
    assert "plans no looks" in refused.text
