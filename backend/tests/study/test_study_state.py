"""A study's state: what closes it, what shows its votes, and that all of it is on record.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from httpx import AsyncClient
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncSession

from tests.made_up import Participant
from tests.monitoring.watched import careful, pseudonym_of, put_watched, take_part
from thinlab.monitoring import exclusion
from thinlab.study import study_event, study_state
from thinlab.study.catalogue import StoredStudy
from thinlab.study.study_state import ClosedBy, StudyStatus
from thinlab.web.services import Services

Change = Callable[[AsyncSession, StoredStudy, str], Awaitable[None]]


async def status(services: Services, study: StoredStudy) -> StudyStatus:
    async with services.database.transaction() as session:
        return await study_state.of(session, study)


async def change(services: Services, study: StoredStudy, how: Change, reason: str = "r") -> None:
    async with services.database.transaction() as session:
        await how(session, study, reason)


async def kinds(services: Services, study: StoredStudy) -> list[tuple[str, bool]]:
    async with services.database.transaction() as session:
        events = await study_event.of_study(session, study.slug)
    return [(event.kind.value, event.deviates) for event in events]


async def test_closing_shows_the_votes_and_reopening_hides_what_comes(
    services: Services, study: StoredStudy
) -> None:
    assert study.slug == "demo"
    watched = await put_watched(services)
    before = await status(services, watched)
    assert not before.closed
    assert not before.votes_visible
    await change(services, watched, study_state.close)
    closed = await status(services, watched)
    assert (closed.closed_by, closed.visible_because) == (
        ClosedBy.RESEARCHER,
        "closed",
    )
    with pytest.raises(study_state.NotNowError):
        await change(services, watched, study_state.close)
    await change(services, watched, study_state.reopen)
    reopened = await status(services, watched)
    assert not reopened.closed
    assert not reopened.votes_visible
    assert await kinds(services, watched) == [("reopened", True), ("closed", False)]


async def test_an_early_look_cannot_be_undone(services: Services, study: StoredStudy) -> None:
    assert study.slug == "demo"
    watched = await put_watched(services)
    await change(services, watched, study_state.unblind, "the board asked")
    seen = await status(services, watched)
    assert not seen.closed
    assert seen.visible_because == "unblinded"
    with pytest.raises(study_state.NotNowError):
        await change(services, watched, study_state.unblind)
    async with services.database.transaction() as session:
        (event,) = await study_event.of_study(session, "watched")
    assert (event.reason, event.deviates) == ("the board asked", True)
    for refused in ("update study_event set reason = null", "delete from study_event"):
        with pytest.raises(DBAPIError, match="permission denied"):
            async with services.database.transaction() as session:
                await session.execute(text(refused))


async def show(services: Services, study: StoredStudy) -> bool:
    async with services.database.transaction() as session:
        return await study_state.show(session, study)


async def leave_out(services: Services, somebody: Participant) -> None:
    async with services.database.transaction() as session:
        name = await pseudonym_of(services.database, somebody)
        await exclusion.enter(session, "watched", name, excluded=True, reason="r")


async def test_who_is_left_out_makes_room_until_the_votes_are_seen(
    browser: AsyncClient, services: Services, study: StoredStudy
) -> None:
    assert study.slug == "demo"
    watched = await put_watched(services, stop={"completed": 2})
    one = await take_part(browser, services.database, careful)
    another = await take_part(browser, services.database, careful)
    assert (await status(services, watched)).closed_by is ClosedBy.COMPLETED
    with pytest.raises(study_state.NotNowError, match="stop rule"):
        await change(services, watched, study_state.reopen)
    await leave_out(services, one)
    assert not (await status(services, watched)).closed
    assert not await show(services, watched)
    await take_part(browser, services.database, careful)
    assert await show(services, watched)
    # Now they were seen: leaving somebody out must not let somebody else in.
    await leave_out(services, another)
    stopped = await status(services, watched)
    assert (stopped.closed_by, stopped.votes_visible) == (ClosedBy.STOPPED, True)
    await change(services, watched, study_state.reopen, "one was a colleague")
    assert not (await status(services, watched)).closed
    assert await kinds(services, watched) == [("reopened", True), ("stopped", False)]


ENDED: list[dict[str, Any]] = [{"open": False}, {"stop": {"on": "2000-01-01"}}]


@pytest.mark.parametrize("ended", ENDED, ids=["open: false", "a day that has come"])
async def test_a_file_changed_and_changed_back_leaves_a_trace(
    services: Services, study: StoredStudy, ended: dict[str, Any]
) -> None:
    assert study.slug == "demo"
    assert await show(services, await put_watched(services, **ended))
    # Shown twice is seen once.
    assert await show(services, await put_watched(services, **ended))
    watched = await put_watched(services)
    assert (await status(services, watched)).closed_by is ClosedBy.STOPPED
    assert await kinds(services, watched) == [("stopped", False)]
    await change(services, watched, study_state.reopen, "it was a mistake")
    assert await kinds(services, watched) == [("reopened", True), ("stopped", False)]


async def test_votes_that_were_always_visible_cannot_be_hidden_again(
    services: Services, study: StoredStudy
) -> None:
    assert study.slug == "demo"
    assert await show(services, await put_watched(services, votes_visible="always"))
    watched = await put_watched(services)
    assert (await status(services, watched)).visible_because == "unblinded"
    assert await kinds(services, watched) == [("shown", False)]


async def test_asking_for_the_state_writes_nothing(
    browser: AsyncClient, services: Services, study: StoredStudy
) -> None:
    assert study.slug == "demo"
    watched = await put_watched(services, stop={"completed": 1})
    await take_part(browser, services.database, careful)
    assert (await browser.get("/api/studies/watched")).json()["state"] == "closed"
    assert (await status(services, watched)).closed
    assert await kinds(services, watched) == []


@pytest.mark.parametrize(
    ("day", "closed_by"), [("2000-01-01", ClosedBy.DATE), ("2999-01-01", None)]
)
async def test_the_day_of_the_stop_rule(
    services: Services, study: StoredStudy, day: str, closed_by: ClosedBy | None
) -> None:
    assert study.slug == "demo"
    watched = await put_watched(services, stop={"on": day})
    assert (await status(services, watched)).closed_by is closed_by


async def test_two_presses_are_one(services: Services, study: StoredStudy) -> None:
    assert study.slug == "demo"
    watched = await put_watched(services)
    done = await asyncio.gather(
        *(change(services, watched, study_state.close) for _ in range(5)), return_exceptions=True
    )
    assert done.count(None) == 1
    assert len(await kinds(services, watched)) == 1


async def test_a_study_may_declare_its_votes_visible(
    services: Services, study: StoredStudy
) -> None:
    seen = await status(services, study)
    assert (seen.closed, seen.visible_because) == (False, "always")
    closed = await put_watched(services, open=False, votes_visible="always")
    assert (await status(services, closed)).closed_by is ClosedBy.FILE
