"""The rows of demos: what happened, take by take, and where the files belong.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any

from sqlalchemy import func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.engine import Database
from thinlab.database.loss import is_database_loss
from thinlab.database.schema import Demo, DemoEvent, DemoTake
from thinlab.demo import feed
from thinlab.demo.setting import DemoSettings
from thinlab.demo.store import DemoStore

log = logging.getLogger(__name__)

AGAIN_S = 1.0
# After the end of a demo; later, its rows are lost and the next start finds it broken off.
PATIENCE_S = 20.0

Work = Callable[[AsyncSession], Awaitable[None]]


class DemoRegistry:
    """One running demo's rows, written in order behind its back: it never waits for the disk."""

    def __init__(self, database: Database, demo_id: int) -> None:
        self._database = database
        self.demo_id = demo_id
        self._waiting: asyncio.Queue[Work] = asyncio.Queue()
        self._writing = asyncio.create_task(self._write())

    async def _write(self) -> None:
        while True:
            work = await self._waiting.get()
            while True:
                try:
                    async with self._database.transaction() as session:
                        await work(session)
                    break
                except Exception as error:
                    if not is_database_loss(error):
                        # The same again would fail again, and hold up all that comes after it.
                        log.exception("a row of demo %d is lost", self.demo_id)
                        break
                    log.warning("the rows of demo %d wait for the database", self.demo_id)
                    await asyncio.sleep(AGAIN_S)
            self._waiting.task_done()

    def event(self, event: feed.DemoEvent) -> None:
        """Something happened."""

        async def work(session: AsyncSession) -> None:
            session.add(
                DemoEvent(demo_id=self.demo_id, **event.model_dump(mode="json", exclude={"type"}))
            )

        self._waiting.put_nowait(work)

    def take_began(self, number: int, at_ms: float, settings: DemoSettings, seed: int) -> None:
        """A take is being opened."""
        dumped = settings.model_dump(mode="json")

        async def work(session: AsyncSession) -> None:
            session.add(
                DemoTake(
                    demo_id=self.demo_id,
                    number=number,
                    began_at_ms=at_ms,
                    settings=dumped,
                    seed=seed,
                )
            )

        self._waiting.put_nowait(work)

    def take_told(self, number: int, **values: Any) -> None:  # noqa: ANN401 (any column)
        """More is known of a take."""

        async def work(session: AsyncSession) -> None:
            of_take = (DemoTake.demo_id == self.demo_id, DemoTake.number == number)
            await session.execute(update(DemoTake).where(*of_take).values(**values))

        self._waiting.put_nowait(work)

    async def end(self, length_ms: float, size_bytes: int) -> None:
        """Everything is written, as far as the database can be reached in time."""

        async def work(session: AsyncSession) -> None:
            await session.execute(
                update(Demo)
                .where(Demo.id == self.demo_id)
                .values(
                    fate="ended",
                    ended_at=func.now(),
                    length_ms=length_ms,
                    size_bytes=size_bytes,
                )
            )

        self._waiting.put_nowait(work)
        try:
            async with asyncio.timeout(PATIENCE_S):
                await self._waiting.join()
        except TimeoutError:
            log.exception(
                "the database was away for too long: demo %d ends half told", self.demo_id
            )
        self._writing.cancel()
        with suppress(asyncio.CancelledError):
            await self._writing


async def enter(
    session: AsyncSession, title: str, code: str, settings: DemoSettings, build: str
) -> int:
    """A new demo's row."""
    row = Demo(title=title, code=code, settings=settings.model_dump(mode="json"), build=build)
    session.add(row)
    await session.flush()
    return row.id


async def _enter_missing(session: AsyncSession, demo_id: int, lines: list[str]) -> None:
    """Events that were told and whose rows the server did not live to write."""
    for line in lines:
        event = feed.DemoEvent.model_validate_json(line)
        values = event.model_dump(mode="json", exclude={"type"})
        await session.execute(
            insert(DemoEvent).values(demo_id=demo_id, **values).on_conflict_do_nothing()
        )


async def mark_broken_off(session: AsyncSession, store: DemoStore) -> None:
    """At the server's start: whatever is still running in the table is not."""
    rows = list(await session.scalars(select(Demo).where(Demo.fate == "running")))
    for row in rows:
        await _enter_missing(session, row.id, await asyncio.to_thread(store.events, row.id))
        last_ms = await session.scalar(
            select(func.max(DemoEvent.at_ms)).where(DemoEvent.demo_id == row.id)
        )
        told_ms = await asyncio.to_thread(store.told_until_ms, row.id)
        length_ms = max(last_ms or 0.0, told_ms or 0.0)
        row.fate = "broken_off"
        row.ended_at = row.began_at + timedelta(milliseconds=length_ms)
        row.length_ms = length_ms
        row.size_bytes = await asyncio.to_thread(store.size_bytes, row.id)
