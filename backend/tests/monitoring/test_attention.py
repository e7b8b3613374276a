"""Attention by the page's journal: what is counted, what the rules make of it, and what is shown.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from typing import Any

import pytest
from httpx import AsyncClient
from pydantic import TypeAdapter

from tests.made_up import HEARD, sign_in
from tests.monitoring.watched import careful, pseudonym_of, put_watched, take_part
from thinlab.export import rows
from thinlab.monitoring import exclusion, finding, monitor
from thinlab.monitoring.conduct import Conduct
from thinlab.monitoring.exclusion import Standing
from thinlab.participation.attention import Attention, attention_of
from thinlab.study.catalogue import StoredStudy
from thinlab.study.rules import ExclusionRule
from thinlab.trials.listening.account import ACCOUNT
from thinlab.trials.registry import KINDS
from thinlab.web.services import Services

RULES = [
    {"rule": "heard_under", "share": 0.5},
    {"rule": "page_hidden", "longer_than_ms": 1000, "more_than_share": 0.5, "effect": "flag"},
    {"rule": "seeks_over", "times": 2, "more_than_share": 0.5},
]


def event(at_ms: int, action: str) -> dict[str, Any]:
    return {"at_ms": at_ms, "action": action}


def told(*events: Mapping[str, Any], decision_ms: int = 10_000, **account: Any) -> Attention:  # noqa: ANN401
    return attention_of(account, events, decision_ms=decision_ms, duration_ms=1000)


def test_time_out_of_sight_is_what_lies_between() -> None:
    hidden, visible = "hidden", "visible"
    assert told() == Attention((), 0, 0, 0)
    twice = (event(100, hidden), event(300, visible), event(900, hidden), event(1000, visible))
    assert (told(*twice).hidden_times, told(*twice).hidden_ms) == (2, 300)
    assert told(event(100, visible)).hidden_ms == 0
    assert told(event(100, hidden), event(200, hidden), event(500, visible)).hidden_ms == 400


def test_a_page_that_never_says_that_it_is_back_was_away_until_the_answer() -> None:
    assert told(event(4000, "hidden")).hidden_ms == 6000
    assert told(event(4000, "hidden"), decision_ms=3000).hidden_ms == 0


def test_of_what_was_heard_the_union_counts_by_recording() -> None:
    parts = [{"from_ms": 0, "to_ms": 400}, {"from_ms": 200, "to_ms": 500}]
    both = told(covered_first=parts, covered_second=[])
    assert both.heard_shares == (0.5, 0.0)
    assert told(covered_first=parts, covered_second=None).heard_shares == (0.5,)
    assert told(covered_first=None).heard_shares == ()


def findings(trials: list[Attention], **rule: Any) -> list[str]:  # noqa: ANN401
    made: ExclusionRule = TypeAdapter(ExclusionRule).validate_python(rule)
    return [one.finding for one in finding.flags(Conduct(attention=trials), [made])]


def test_each_rule_allows_what_it_says() -> None:
    trials = [Attention((0.9, 0.4), 1, 2000, 3), Attention((0.8, 0.8), 0, 0, 2)]
    assert findings(trials, rule="heard_under", share=0.5, more_than_share=0.5) == []
    assert findings(trials, rule="heard_under", share=0.5) == [
        "Heard less than 50 % of a recording in 1 of 2 trials; at most 0 % are allowed."
    ]
    assert findings(trials, rule="page_hidden", longer_than_ms=2000) == []
    assert findings(trials, rule="page_hidden") == [
        "Had the page out of sight for more than 0 ms in 1 of 2 trials; at most 0 % are allowed."
    ]
    assert findings(trials, rule="seeks_over", times=3) == []
    assert findings(trials, rule="seeks_over", times=1) == [
        "Sought more than 1 time in 2 of 2 trials; at most 0 % are allowed."
    ]


def test_who_told_nothing_is_not_said_to_have_heard_nothing() -> None:
    assert findings([Attention((), 0, 0, 0)], rule="heard_under", share=1.0) == []
    assert findings([], rule="page_hidden") == []


def test_a_recording_that_ends_in_a_fade_was_heard() -> None:
    assert findings([Attention((0.995,), 0, 0, 0)], rule="heard_under", share=1.0) == []


@pytest.fixture
async def watched(services: Services, study: StoredStudy) -> StoredStudy:
    assert study.slug == "demo"
    return await put_watched(services, exclusion=RULES, headphones="any", votes_visible="always")


def account(share: float) -> dict[str, Any]:
    # Longer than any recording: what lies beyond its end counts for nothing.
    parts = [{"from_ms": 0, "to_ms": round(share * 1000)}]
    return HEARD | {"covered_first": parts, "covered_second": parts}


AWAY = [event(0, "hidden"), event(5000, "visible")]
SEEKING = [event(number, "seek") for number in range(3)]


async def _of(
    browser: AsyncClient,
    services: Services,
    watched: StoredStudy,
    **fields: Any,  # noqa: ANN401
) -> tuple[Standing, str]:
    def answer(trial_id: str, first_member: str) -> Mapping[str, Any]:
        # Training says nothing of anybody.
        own = {"account": account(1)} if trial_id == "practice" else fields
        return {**careful(trial_id, first_member), **own}

    somebody = await take_part(browser, services.database, answer)
    name = await pseudonym_of(services.database, somebody)
    async with services.database.transaction() as session:
        found = await exclusion.standings(session, watched)
        people = await rows.attendances(session, watched)
    id_ = next(id_ for id_, one in people.items() if one.participant.pseudonym == name)
    return found[id_], name


async def test_rules_look_at_journals_as_they_are_stored(
    browser: AsyncClient, services: Services, watched: StoredStudy
) -> None:
    async def flags(**fields: Any) -> list[tuple[str, bool]]:  # noqa: ANN401
        standing, _ = await _of(browser, services, watched, **fields)
        assert standing.excluded is any(flag.excludes for flag in standing.flags)
        return [(flag.rule, flag.excludes) for flag in standing.flags]

    whole = account(100)
    assert await flags(account=whole) == []
    assert await flags(account=account(0)) == [("heard_under", True)]
    assert await flags(account=whole, events=AWAY) == [("page_hidden", False)]
    assert await flags(account=whole, events=SEEKING) == [("seeks_over", True)]


async def test_who_is_only_marked_is_analysed_and_counted_apart(
    browser: AsyncClient, services: Services, watched: StoredStudy
) -> None:
    await _of(browser, services, watched, account=account(100), events=AWAY)
    await _of(browser, services, watched, account=account(0))
    async with services.database.transaction() as session:
        seen = await monitor.of_study(session, watched, KINDS)
        people = await rows.attendances(session, watched)
    flow = seen.flow
    assert (flow.completed, flow.excluded, flow.analysed) == (2, 1, 1)
    assert [(one.rule, one.participants) for one in flow.marked_by_rule] == [("page_hidden", 1)]
    assert [(one.rule, one.participants) for one in flow.excluded_by_rule] == [("heard_under", 1)]
    by_rule = {one.rule: (one.participants, one.excludes) for one in seen.exclusions.rules}
    assert by_rule == {
        "heard_under": (1, True),
        "page_hidden": (1, False),
        "seeks_over": (0, True),
    }
    assert sorted(one.excluded for one in people.values()) == [False, True]


async def test_the_export_has_the_same_counts_with_each_vote(
    browser: AsyncClient, services: Services, watched: StoredStudy
) -> None:
    await _of(browser, services, watched, account=account(100), events=[*AWAY, *SEEKING])
    columns = {column.name: column for column in ACCOUNT}
    found = [
        {name: columns[name].cell(entry) for name in ("seeks", "hidden_times", "hidden_ms")}
        async for lot in rows.votes(services.database, watched, KINDS)
        for entry in lot
        if not entry.presentation.training
    ]
    assert found
    assert all(one == {"seeks": 3, "hidden_times": 1, "hidden_ms": 5000} for one in found)


async def test_results_can_be_seen_before_exclusion(
    browser: AsyncClient, services: Services, watched: StoredStudy
) -> None:
    await _of(browser, services, watched, account=account(100))
    await _of(browser, services, watched, account=account(0))
    await sign_in(browser, services)

    async def analysed(**query: object) -> tuple[int, int]:
        told = await browser.get(
            "/api/researcher/studies/watched/results",
            params={key: str(v) for key, v in query.items()},
        )
        assert told.status_code == 200, told.text
        found = told.json()
        return found["participants_analysed"], found["participants_excluded"]

    assert await analysed() == (1, 1)
    assert await analysed(exclusions=False) == (2, 0)
    assert await analysed() == (1, 1)
