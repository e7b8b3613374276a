"""Demos as the tables and files have them: running ones, and those that are over.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar
from uuid import uuid4

from sqlalchemy import delete, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab import tokens
from thinlab.contract.generated.results import DemoResult
from thinlab.database.schema import (
    Base,
    Demo,
    DemoEvent,
    DemoPoll,
    DemoTake,
    DemoVote,
    ServerSecret,
)
from thinlab.demo import feed
from thinlab.demo.demo import Demo as RunningDemo
from thinlab.demo.kept_sound import PIECE_MS
from thinlab.demo.part import DemoPart
from thinlab.demo.setting import DemoSettings
from thinlab.demo.store import DemoStore
from thinlab.demo.stored import (
    DemoDetails,
    DemoSummary,
    DemoTakeRecord,
    PollRecord,
    TakeResult,
    TakeSound,
)
from thinlab.demo.wording import SettingsWords

LISTED_LIMIT = 200

Told = TypeVar("Told", bound=DemoPart)


async def summaries(session: AsyncSession, running: Mapping[int, RunningDemo]) -> list[DemoSummary]:
    """The latest, newest first."""
    takes = (
        select(DemoTake.demo_id, func.count().label("takes")).group_by(DemoTake.demo_id).subquery()
    )
    rows = await session.execute(
        select(Demo, takes.c.takes)
        .outerjoin(takes, takes.c.demo_id == Demo.id)
        .order_by(Demo.id.desc())
        .limit(LISTED_LIMIT)
    )
    return [_summary(demo, count or 0, running.get(demo.id)) for demo, count in rows]


def _summary(row: Demo, takes: int, running: RunningDemo | None) -> DemoSummary:
    return _as_stored(
        DemoSummary,
        row,
        demo_id=row.id,
        length_ms=row.length_ms if running is None else running.clock.now_ms(),
        takes=takes,
        size_bytes=row.size_bytes if running is None else running.size_bytes,
        stage=None if running is None else running.supervisor.stage,
        code=None if running is None else running.code,
        shared=row.share_hash is not None,
    )


def _as_stored(told: type[Told], row: Base, **otherwise: object) -> Told:
    """What is told of a row: its columns by their names, but for what is given here."""
    names = told.model_fields.keys() - otherwise
    return told.model_validate({name: getattr(row, name) for name in names} | otherwise)


async def details(
    session: AsyncSession,
    demo_id: int,
    running: RunningDemo | None,
    store: DemoStore,
    *,
    with_token: bool,
) -> DemoDetails | None:
    """A demo with its takes and polls; none: there is no such demo."""
    row = await session.get(Demo, demo_id)
    if row is None:
        return None
    takes = list(
        await session.scalars(
            select(DemoTake).where(DemoTake.demo_id == demo_id).order_by(DemoTake.number)
        )
    )
    return DemoDetails(
        summary=_summary(row, len(takes), running),
        takes=[await asyncio.to_thread(_take, take, store) for take in takes],
        polls=await _polls(session, demo_id),
        share_token=await _share_token(session, row) if with_token else None,
    )


def _take(row: DemoTake, store: DemoStore) -> DemoTakeRecord:
    settings = DemoSettings.model_validate(row.settings)
    return _as_stored(
        DemoTakeRecord,
        row,
        settings=settings,
        words=SettingsWords.of(settings),
        captures=store.files(row.demo_id, row.number),
        sound=_sound(row, store),
    )


def _sound(row: DemoTake, store: DemoStore) -> TakeSound | None:
    kept = store.sound(row.demo_id, row.number)
    if kept is None:
        return None
    return TakeSound(
        began_at_ms=kept.began_at_ms,
        length_ms=kept.length_ms,
        piece_ms=PIECE_MS,
        credit=kept.credit,
    )


async def _polls(session: AsyncSession, demo_id: int) -> list[PollRecord]:
    polls = await session.scalars(
        select(DemoPoll).where(DemoPoll.demo_id == demo_id).order_by(DemoPoll.number)
    )
    found = []
    for poll in polls:
        counts = await session.execute(
            select(DemoVote.choice, func.count().label("votes"))
            .where(DemoVote.poll_id == poll.id)
            .group_by(DemoVote.choice)
        )
        found.append(
            _as_stored(
                PollRecord,
                poll,
                order=poll.lane_order,
                names=poll.lane_names,
                votes={row.choice: row.votes for row in counts},
            )
        )
    return found


async def events(session: AsyncSession, demo_id: int) -> list[feed.DemoEvent]:
    """All that happened."""
    rows = await session.scalars(
        select(DemoEvent).where(DemoEvent.demo_id == demo_id).order_by(DemoEvent.number)
    )
    return [_as_stored(feed.DemoEvent, row, type="event") for row in rows]


async def results(session: AsyncSession, demo_id: int) -> list[TakeResult]:
    """What the takes measured."""
    rows = await session.scalars(
        select(DemoTake).where(DemoTake.demo_id == demo_id).order_by(DemoTake.number)
    )
    return [
        TakeResult(
            number=row.number,
            result=None if row.result is None else DemoResult.model_validate(row.result),
        )
        for row in rows
    ]


async def share(session: AsyncSession, demo_id: int) -> str | None:
    """A token that leads to the demo's replay, the same each time; none: no such demo."""
    row = await session.get(Demo, demo_id, with_for_update=True)
    if row is None:
        return None
    if row.share_key is None:
        secret = await session.get_one(ServerSecret, 1)
        share_key = uuid4()
        token = tokens.share_token(secret.participant_key, row.id, share_key)
        row.share_key, row.share_hash = share_key, tokens.token_hash(token)
    return await _share_token(session, row)


async def unshare(session: AsyncSession, demo_id: int) -> None:
    """The token leads nowhere any more."""
    row = await session.get(Demo, demo_id, with_for_update=True)
    if row is not None:
        row.share_key = row.share_hash = None


async def _share_token(session: AsyncSession, row: Demo) -> str | None:
    if row.share_key is None:
        return None
    secret = await session.get_one(ServerSecret, 1)
    return tokens.share_token(secret.participant_key, row.id, row.share_key)


async def shared(session: AsyncSession, token: str) -> int | None:
    """The demo that a token was made for."""
    wanted = tokens.token_hash(token)
    demo_id: int | None = await session.scalar(select(Demo.id).where(Demo.share_hash == wanted))
    return demo_id


@dataclass(frozen=True)
class Ended:
    """A demo that is over, as its audience may know it."""

    title: str
    share_token: str | None


async def by_code(session: AsyncSession, code: str) -> Ended | None:
    """The last demo with this code that is over."""
    row = await session.scalar(
        select(Demo)
        .where(Demo.code == code.upper(), Demo.fate != "running")
        .order_by(Demo.id.desc())
        .limit(1)
    )
    return None if row is None else Ended(row.title, await _share_token(session, row))


async def remove(session: AsyncSession, demo_id: int) -> bool:
    """Deletes the rows of a demo that is over; false: there is none."""
    row = await session.get(Demo, demo_id, with_for_update=True)
    if row is None or row.fate == "running":
        return False
    polls = select(DemoPoll.id).where(DemoPoll.demo_id == demo_id)
    await session.execute(delete(DemoVote).where(DemoVote.poll_id.in_(polls)))
    for table in (DemoPoll, DemoEvent, DemoTake):
        await session.execute(delete(table).where(table.demo_id == demo_id))
    await session.delete(row)
    return True


async def exists(session: AsyncSession, demo_id: int) -> bool:
    """Whether there is such a demo."""
    return await session.scalar(select(Demo.id).where(Demo.id == demo_id)) is not None
