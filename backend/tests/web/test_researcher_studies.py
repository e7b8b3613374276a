"""The researcher's routes over studies: what is hidden, what closes, what is shown then.

SPDX-License-Identifier: Apache-2.0
"""

import pytest
from httpx import AsyncClient

from tests import statements
from tests.made_up import put_recordings, sign_in, study_definition
from tests.monitoring.watched import careful, put_watched, take_part, watched_study
from thinlab.study.catalogue import StoredStudy
from thinlab.trials.registry import KINDS
from thinlab.web.serve import load
from thinlab.web.services import Services

AT = "/api/researcher/studies/watched"
HIDDEN = ("results", "delay", "export.csv", "export.json", "export.parquet")


@pytest.fixture(autouse=True)
async def _desk(browser: AsyncClient, services: Services, study: StoredStudy) -> None:
    assert study.slug == "demo"
    await put_watched(services)
    await sign_in(browser, services)


@pytest.mark.parametrize("what", HIDDEN)
async def test_votes_are_hidden_until_the_study_is_closed(browser: AsyncClient, what: str) -> None:
    hidden = await browser.get(f"{AT}/{what}")
    assert hidden.status_code == 409
    assert hidden.json()["type"] == "/problems/blinded"
    assert hidden.json()["remedy"]
    assert (await browser.post(f"{AT}/close", json={})).status_code == 204
    assert (await browser.get(f"{AT}/{what}")).status_code == 200
    assert (await browser.post(f"{AT}/reopen", json={"reason": "too few"})).status_code == 204
    assert (await browser.get(f"{AT}/{what}")).status_code == 409


async def test_an_early_look_needs_a_reason_and_is_told(browser: AsyncClient) -> None:
    for empty in ({}, {"reason": ""}, {"reason": "  \n"}):
        refused = await browser.post(f"{AT}/unblind", json=empty)
        assert refused.status_code == 422
        assert refused.json()["field"] == "reason"
    early = {"reason": "the board asked"}
    assert (await browser.post(f"{AT}/unblind", json=early)).status_code == 204
    assert (await browser.get(f"{AT}/results")).status_code == 200
    again = await browser.post(f"{AT}/unblind", json=early)
    assert (again.status_code, again.json()["type"]) == (409, "/problems/not-now")
    (event,) = (await browser.get(AT)).json()["events"]
    assert (event["kind"], event["reason"], event["deviates"]) == (
        "unblinded",
        "the board asked",
        True,
    )


async def test_nobody_joins_a_closed_study_but_who_began_finishes(
    browser: AsyncClient, services: Services
) -> None:
    begun = await take_part(browser, services.database, careful, votes=2)
    await browser.post(f"{AT}/close", json={"reason": None})
    assert (await browser.get("/api/studies/watched")).json()["state"] == "closed"
    with pytest.raises(AssertionError, match="closed"):
        await take_part(browser, services.database, careful)
    trial = await begun.open_trial()
    assert (await begun.vote(trial["trial_token"])).status_code == 201


async def test_results_leave_out_whom_the_rules_leave_out(
    browser: AsyncClient, services: Services
) -> None:
    await take_part(browser, services.database, careful)
    await take_part(browser, services.database, lambda *_: {"choice": "first"})
    await browser.post(f"{AT}/close", json={})
    results = (await browser.get(f"{AT}/results")).json()
    assert (results["participants_analysed"], results["participants_excluded"]) == (1, 1)
    trials = {trial["trial_id"]: trial for trial in results["trials"]}
    assert set(trials) == {"speech", "song"}
    # Whoever is careful prefers the second of two conditions, wherever it was heard.
    assert [(one["votes_a"], one["votes_b"]) for one in trials.values()] == [(0, 1), (0, 1)]


async def test_votes_of_bots_and_previews_are_shown_apart_and_at_any_time(
    browser: AsyncClient, services: Services
) -> None:
    await take_part(browser, services.database, careful)
    await take_part(browser, services.database, careful, kind="bot")
    analysed = {
        kind: (await browser.get(f"{AT}/results", params={"kind": kind}))
        for kind in ("person", "bot", "preview")
    }
    assert analysed["person"].json()["type"] == "/problems/blinded"
    assert analysed["bot"].json()["participants_analysed"] == 1
    assert analysed["preview"].json()["participants_analysed"] == 0
    unknown = await browser.get(f"{AT}/results", params={"kind": "all"})
    assert (unknown.status_code, unknown.json()["field"]) == (422, "query.kind")
    await browser.post(f"{AT}/close", json={})
    assert (await browser.get(f"{AT}/results")).json()["participants_analysed"] == 1


async def test_whoever_hands_in_a_completion_code_is_found_by_it(
    browser: AsyncClient, services: Services
) -> None:
    done = await take_part(browser, services.database, careful)
    await take_part(browser, services.database, careful, votes=1)
    code = (await done.progress())["completion_code"]
    people = (await browser.get(f"{AT}/participants")).json()
    assert code
    assert [one["completion_code"] for one in people] == [code, None]


async def test_the_list_and_the_study_count_people(
    browser: AsyncClient, services: Services
) -> None:
    await take_part(browser, services.database, careful)
    await take_part(browser, services.database, careful, votes=3)
    studies = {one["slug"]: one for one in (await browser.get("/api/researcher/studies")).json()}
    watched = studies["watched"]
    assert (watched["joined"], watched["live"], watched["completed"]) == (2, 1, 1)
    # Training is no vote.
    assert watched["votes"] == 5 + 2
    assert studies["demo"]["joined"] == 0
    study = (await browser.get(AT)).json()
    assert {**study, **watched} == study
    assert study["definition"]["exclusion"][0]["rule"] == "trapping_wrong"


async def test_each_study_of_the_list_is_told_as_it_is_alone(
    browser: AsyncClient, services: Services
) -> None:
    await load(
        services.database,
        [
            study_definition(),
            watched_study(),
            watched_study(slug="full", stop={"completed": 1}),
            watched_study(
                slug="counted",
                stop={"completed": 9},
                quotas=[{"language": "en", "completed": 3}],
            ),
            watched_study(slug="over", stop={"on": "2020-01-01"}),
            watched_study(slug="shut", open=False),
            watched_study(slug="shown", votes_visible="always"),
        ],
    )
    for slug in ("full", "counted"):
        await put_recordings(services, slug)
    for slug in ("full", "counted", "counted"):
        await take_part(browser, services.database, careful, slug=slug)
    await take_part(browser, services.database, careful, votes=3, slug="counted")
    listed = {one["slug"]: one for one in (await browser.get("/api/researcher/studies")).json()}
    for slug, one in listed.items():
        alone = (await browser.get(f"/api/researcher/studies/{slug}")).json()
        assert {name: alone[name] for name in one} == one
    assert {slug: one["state"]["closed_by"] for slug, one in listed.items()} == {
        "demo": None,
        "watched": None,
        "full": "completed",
        "counted": None,
        "over": "date",
        "shut": "file",
        "shown": None,
    }
    assert [(one["completed"], one["of"]) for one in listed["counted"]["targets"]] == [
        (2, 9),
        (2, 3),
    ]
    assert (listed["counted"]["joined"], listed["watched"]["joined"]) == (3, 0)
    assert (listed["full"]["ready"], listed["over"]["ready"]) == (True, False)


async def test_the_number_of_queries_does_not_grow_with_the_studies(
    browser: AsyncClient, services: Services
) -> None:
    async def queries() -> int:
        await browser.get("/api/researcher/studies")
        with statements.noted(services.database) as asked:
            assert (await browser.get("/api/researcher/studies")).status_code == 200
        return len(asked)

    of_two = await queries()
    more = [watched_study(slug=f"more-{number}", stop={"completed": 5}) for number in range(9)]
    await load(services.database, [watched_study(stop={"completed": 5}), *more])
    assert await queries() <= of_two + 2


async def test_a_study_is_frozen_once_it_can_be_heard(browser: AsyncClient) -> None:
    assert (await browser.get(f"{AT}/plan")).json() == {"frozen": None, "deviations": []}
    frozen = await browser.post(f"{AT}/freeze", json={"reason": "registered"})
    assert frozen.status_code == 200, frozen.text
    assert frozen.json()["participants_before"] == 0
    plan = (await browser.get(f"{AT}/plan")).json()
    assert plan["frozen"] == frozen.json()
    assert plan["deviations"] == []
    await browser.post(f"{AT}/unblind", json={"reason": "the board asked"})
    (deviation,) = (await browser.get(f"{AT}/plan")).json()["deviations"]
    assert (deviation["kind"], deviation["reason"]) == ("conduct", "the board asked")


@pytest.mark.parametrize(
    "path", ["", "/monitor", "/participants", "/invitations", "/results", "/delay", "/plan"]
)
async def test_an_unknown_study_is_named_as_such(browser: AsyncClient, path: str) -> None:
    answer = await browser.get(f"/api/researcher/studies/nowhere{path}")
    assert (answer.status_code, answer.json()["type"]) == (404, "/problems/no-such-study")


async def test_the_monitor_counts_one_kind_at_a_time(browser: AsyncClient) -> None:
    assert (await browser.get(f"{AT}/monitor?kind=bot")).json()["kind"] == "bot"
    assert (await browser.get(f"{AT}/monitor?kind=ghost")).status_code == 422


async def test_votes_are_told_against_what_was_measured_of_the_recordings(
    browser: AsyncClient, services: Services
) -> None:
    await take_part(browser, services.database, careful)
    await browser.post(f"{AT}/close", json={})
    (block,) = (await browser.get(f"{AT}/delay")).json()["blocks"]
    names = {metric.name for metric in KINDS["heard"].delay_metrics}
    assert {metric["name"] for metric in block["metrics"]} == names
    assert all(metric["title"] for metric in block["metrics"])
    # One person, two pairs: what there is to say is why there is no curve.
    assert block["curve"] is None
    assert block["why_none"].startswith("1 participant cannot tell")
    asked = await browser.get(f"{AT}/delay", params={"metric": "playout_gaps"})
    assert asked.json()["blocks"][0]["metric"] == "playout_gaps"


async def test_a_metric_that_there_is_not_is_named_as_such(browser: AsyncClient) -> None:
    await browser.post(f"{AT}/close", json={})
    answer = await browser.get(f"{AT}/delay", params={"metric": "loudness"})
    assert (answer.status_code, answer.json()["field"]) == (422, "metric")
    assert "playout_concealed_ms" in answer.json()["remedy"]
