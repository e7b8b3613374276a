"""The monitor counts people, failures and cells, and cannot tell how anybody voted.

SPDX-License-Identifier: Apache-2.0
"""

import json
from typing import Any

import pytest
from httpx import AsyncClient
from sqlalchemy import update

from tests import statements
from tests.made_up import Participant, sign_in
from tests.monitoring.watched import (
    careful,
    careful_but,
    make_silent,
    pseudonym_of,
    put_watched,
    take_part,
)
from thinlab.database.schema import Participant as ParticipantRow
from thinlab.monitoring import exclusion, monitor, roster
from thinlab.monitoring.monitor import Monitor
from thinlab.monitoring.presence import Presence
from thinlab.study.catalogue import StoredStudy
from thinlab.trials.registry import KINDS
from thinlab.web.services import Services


@pytest.fixture
async def watched(services: Services, study: StoredStudy) -> StoredStudy:
    assert study.slug == "demo"
    return await put_watched(services, stop={"completed": 9, "on": "2999-01-01"})


async def look(services: Services, watched: StoredStudy, **kind: Any) -> Monitor:  # noqa: ANN401
    async with services.database.transaction() as session:
        return await monitor.of_study(session, watched, KINDS, **kind)


async def test_an_empty_study_has_zeros_everywhere(
    services: Services, watched: StoredStudy
) -> None:
    seen = await look(services, watched)
    assert set(seen.funnel.model_dump().values()) == {0}
    assert set(seen.whereabouts.model_dump().values()) == {0}
    assert [position.position for position in seen.positions] == [1, 2, 3, 4, 5, 6]
    assert seen.positions[0].training
    assert {check.kind: check.votes for check in seen.checks} == {
        "trapping": 0,
        "gold": 0,
        "control": 0,
    }
    assert [target.of for target in seen.targets] == [9]
    assert not seen.state.votes_visible


@pytest.fixture
async def crowd(
    browser: AsyncClient, services: Services, watched: StoredStudy
) -> dict[str, Participant]:
    """One of each: completed, failing, live, paused, gone, joined only, withdrawn, preview."""
    assert watched.slug == "watched"
    database = services.database
    people = {
        "completed": await take_part(browser, database, careful),
        "failing": await take_part(
            browser, database, careful_but(trap={"choice": "first"}, control={"choice": "first"})
        ),
        "live": await take_part(browser, database, careful, votes=2),
        "paused": await take_part(browser, database, careful, votes=2),
        "gone": await take_part(browser, database, careful, votes=4),
        "joined": await Participant.join(browser, "watched"),
        "withdrawn": await take_part(browser, database, careful, votes=3),
    }
    await make_silent(database, people["paused"], minutes=20)
    await make_silent(database, people["gone"], minutes=90)
    gone = people["withdrawn"]
    assert (await browser.delete("/api/participation", headers=gone.headers)).status_code == 204
    await sign_in(browser, services)
    people["preview"] = await Participant.join(browser, "watched", kind="preview")
    return people


async def test_everybody_is_counted_once(
    services: Services, watched: StoredStudy, crowd: dict[str, Participant]
) -> None:
    seen = await look(services, watched)
    assert seen.funnel.model_dump() == {
        "joined": 7,
        "sound_checked": 6,
        "connection_checked": 0,
        "started": 5,
        "completed": 2,
    }
    assert seen.whereabouts.model_dump() == {
        "live": 2,
        "paused": 1,
        "gone": 1,
        "headphones_failed": 0,
        "hearing_failed": 0,
        "connection_failed": 0,
        "ineligible": 0,
        "completed": 2,
        "withdrawn": 1,
    }
    assert sum(seen.whereabouts.model_dump().values()) == seen.funnel.joined
    assert seen.others == {"preview": 1}
    assert (await look(services, watched, kind="preview")).funnel.joined == 1
    assert len(crowd) == seen.funnel.joined + 1


async def test_dropouts_are_where_they_happened(
    services: Services, watched: StoredStudy, crowd: dict[str, Participant]
) -> None:
    assert crowd
    seen = await look(services, watched)
    assert [position.answered for position in seen.positions] == [5, 5, 3, 3, 2, 2]
    assert [position.left for position in seen.positions] == [0, 0, 0, 0, 1, 0]
    assert [position.here for position in seen.positions] == [0, 0, 2, 0, 0, 0]


async def test_failures_and_rules(
    services: Services, watched: StoredStudy, crowd: dict[str, Participant]
) -> None:
    async with services.database.transaction() as session:
        name = await pseudonym_of(services.database, crowd["completed"])
        await exclusion.enter(session, "watched", name, excluded=True, reason="told us to")
    seen = await look(services, watched)
    failed = {check.kind: (check.failed, check.participants_failing) for check in seen.checks}
    assert failed == {"trapping": (1, 1), "gold": (0, 0), "control": (1, 1)}
    assert seen.exclusions.participants == 3
    assert seen.exclusions.by_researcher == 1
    by_rule = {count.rule: count.participants for count in seen.exclusions.rules}
    assert by_rule["trapping_wrong"] == by_rule["control_difference"] == 1
    # Who has only joined left the headphone test out.
    assert by_rule["headphones_failed"] == 1
    assert by_rule["gold_wrong"] == 0
    assert seen.exclusions.analysable == 0
    # Who is left out by hand makes room; who falls under a rule was foreseen.
    assert [(target.completed, target.of) for target in seen.targets] == [(1, 9)]


async def test_everybody_flows_to_one_end(
    services: Services, watched: StoredStudy, crowd: dict[str, Participant]
) -> None:
    async with services.database.transaction() as session:
        name = await pseudonym_of(services.database, crowd["failing"])
        await exclusion.enter(session, "watched", name, excluded=True, reason="told us to")
    flow = (await look(services, watched)).flow
    lost = (flow.headphones_failed, flow.connection_failed, flow.withdrawn, flow.left)
    assert flow.consented == sum(lost) + flow.under_way + flow.completed == 7
    assert lost == (0, 0, 1, 1)
    assert flow.completed == flow.excluded + flow.analysed == 2
    # Who has not completed falls under rules, too: that is no reason here.
    by_rule = {count.rule: count.participants for count in flow.excluded_by_rule}
    assert by_rule == {"trapping_wrong": 1, "control_difference": 1}
    assert (flow.excluded, flow.excluded_by_researcher) == (1, 1)
    assert flow.invited is None


async def test_balance_counts_completed_sessions_only(
    services: Services, watched: StoredStudy, crowd: dict[str, Participant]
) -> None:
    assert crowd
    seen = await look(services, watched)
    practice, trials = seen.balance
    assert sum(sum(row.completed) for row in practice.rows) == 2
    assert sum(sum(row.completed) for row in trials.rows) == 2 * 5
    assert trials.first_position == 2
    # Two members first in four trials of two recordings; one cell for control and trap each.
    sides = [(row.trial_id, row.first_condition) for row in trials.rows]
    assert sides.count(("control", "plain")) == 1
    assert ("gold", "modified") in sides
    alone = [row.completed for row in trials.rows if row.trial_id in {"control", "trap"}]
    both = [row.completed for row in trials.rows if row.trial_id not in {"control", "trap"}]
    assert trials.apart == max(
        max(map(max, cells)) - min(map(min, cells)) for cells in (alone, both)
    )


async def test_the_roster_agrees_with_the_monitor(
    services: Services, watched: StoredStudy, crowd: dict[str, Participant]
) -> None:
    assert crowd
    async with services.database.transaction() as session:
        rows = await roster.of_study(session, watched)
    seen = await look(services, watched)
    persons = [row for row in rows if row.kind == "person"]
    assert len(persons) == seen.funnel.joined
    for presence in Presence:
        counted = getattr(seen.whereabouts, presence.value)
        assert sum(row.presence is presence for row in persons) == counted
    assert sum(row.excluded for row in persons) == seen.exclusions.participants


async def test_no_direction_shows_through(
    browser: AsyncClient, services: Services, watched: StoredStudy
) -> None:
    """All prefer one member, then all the other: what the researcher may see is the same."""

    async def seen_after(prefers: str) -> list[str]:
        def opposite(trial_id: str, first: str) -> Any:  # noqa: ANN401 (an answer)
            if trial_id not in {"speech", "song"}:
                return careful(trial_id, first)
            return {"choice": "first" if first == prefers else "second"}

        await take_part(browser, services.database, opposite)
        async with services.database.transaction() as session:
            watching = (await monitor.of_study(session, watched, KINDS)).model_dump(mode="json")
            rows = [row.model_dump(mode="json") for row in await roster.of_study(session, watched)]
        # When and who differ between any two sessions; cells tell the draw, which nobody chose.
        del watching["at"], watching["balance"], watching["days"]
        for row in rows:
            # The code is drawn, as the pseudonym is.
            drawn = ("pseudonym", "completion_code")
            for own in (*drawn, "joined_at", "last_seen_at", "completed_at"):
                del row[own]
        return [json.dumps(watching), json.dumps(rows[-1])]

    first = await seen_after("a")
    async with services.database.transaction() as session:
        # Leaves the same counts as before the first: only the second session is seen then.
        await session.execute(update(ParticipantRow).values(kind="bot"))
    second = await seen_after("b")
    assert [one.replace('"others": {"bot": 1}', '"others": {}') for one in second] == first


async def test_the_number_of_queries_does_not_grow_with_the_votes(
    browser: AsyncClient, services: Services, watched: StoredStudy
) -> None:
    async def queries() -> int:
        with statements.noted(services.database) as asked:
            await look(services, watched)
        return len(asked)

    await take_part(browser, services.database, careful)
    with_one = await queries()
    for _ in range(4):
        await take_part(browser, services.database, careful, votes=3)
    assert await queries() == with_one
