"""Who did what of weight, and when: kept for good, told to the researcher.

Nothing of any participant is in it, and no address. The database refuses to change or
delete an entry, whoever asks.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from contextlib import suppress
from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, Field
from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.engine import Database
from thinlab.database.schema import AuditEntry

# One row for all that fail meanwhile: whoever guesses must not fill the disk.
FAILURES_TOGETHER_S = 60.0


class Act(StrEnum):
    """What was done."""

    SIGNED_IN = "signed_in"
    SIGN_IN_FAILED = "sign_in_failed"
    SIGNED_OUT = "signed_out"
    SIGNED_OUT_EVERYWHERE = "signed_out_everywhere"
    PASSWORD_SET = "password_set"  # noqa: S105
    PASSWORD_FORGOTTEN = "password_forgotten"  # noqa: S105
    SETUP_TOKEN_MADE = "setup_token_made"  # noqa: S105
    SETUP_TOKEN_REFUSED = "setup_token_refused"  # noqa: S105
    PRESENTER_TOKEN_MADE = "presenter_token_made"  # noqa: S105
    PRESENTER_TOKEN_REVOKED = "presenter_token_revoked"  # noqa: S105
    PRESENTER_TOKEN_REFUSED = "presenter_token_refused"  # noqa: S105
    PRESENTER_ADMITTED = "presenter_admitted"
    STUDY_FROZEN = "study_frozen"
    STUDY_CLOSED = "study_closed"
    STUDY_REOPENED = "study_reopened"
    STUDY_UNBLINDED = "study_unblinded"
    STUDY_LOOKED_AT = "study_looked_at"
    PARTICIPANT_LEFT_OUT = "participant_left_out"
    PARTICIPANT_TAKEN_IN = "participant_taken_in"
    INVITATIONS_MADE = "invitations_made"
    PANEL_RETURNS_SET = "panel_returns_set"
    EXPORTED = "exported"
    DEMO_DELETED = "demo_deleted"
    DEMO_SHARED = "demo_shared"


class By(StrEnum):
    """As whom: `operator` is who may run commands on the server."""

    RESEARCHER = "researcher"
    PRESENTER = "presenter"
    OPERATOR = "operator"
    STRANGER = "stranger"


class ActOnRecord(BaseModel):
    """Something that was done."""

    entry_id: int
    at: datetime
    act: Act
    by: By
    study: str | None
    details: dict[str, Any] = Field(description="What more there is to say, never of whom.")


async def enter(
    session: AsyncSession,
    act: Act,
    by: By = By.RESEARCHER,
    *,
    study: str | None = None,
    **details: str | int,
) -> None:
    """Puts it on record, in the transaction that does it."""
    session.add(AuditEntry(act=act.value, by=by.value, study=study, details=details))
    await session.flush()


async def entries(
    session: AsyncSession, limit: int, before: int | None = None
) -> list[ActOnRecord]:
    """Newest first; `before`: those older than this one."""
    chosen = select(AuditEntry).order_by(AuditEntry.id.desc()).limit(limit)
    if before is not None:
        chosen = chosen.where(AuditEntry.id < before)
    return [
        ActOnRecord(
            entry_id=row.id,
            at=row.at,
            act=Act(row.act),
            by=By(row.by),
            study=row.study,
            details=row.details,
        )
        for row in await session.scalars(chosen)
    ]


class Failures:
    """What strangers try in vain: the first is entered at once, others once a minute, counted."""

    def __init__(self, together_s: float = FAILURES_TOGETHER_S) -> None:
        self._together_s = together_s
        self._counts: dict[Act, int] = {}
        self._entering: dict[Act, asyncio.Task[None]] = {}

    async def note(self, database: Database, act: Act) -> None:
        """Another one."""
        self._counts[act] = self._counts.get(act, 0) + 1
        if act not in self._entering:
            self._entering[act] = asyncio.create_task(self._later(database, act))
            await self._enter(database, act)

    async def _later(self, database: Database, act: Act) -> None:
        try:
            while True:
                await asyncio.sleep(self._together_s)
                if not self._counts.get(act):
                    return
                await self._enter(database, act)
        finally:
            del self._entering[act]

    async def _enter(self, database: Database, act: Act) -> None:
        times, self._counts[act] = self._counts[act], 0
        async with database.transaction() as session:
            await enter(session, act, By.STRANGER, times=times)

    async def close(self, database: Database) -> None:
        """Enters what was counted meanwhile."""
        for task in list(self._entering.values()):
            task.cancel()
        await asyncio.gather(*self._entering.values(), return_exceptions=True)
        # Best effort: at a server's end its database may be gone.
        with suppress(OSError, SQLAlchemyError):
            for act in [act for act, times in self._counts.items() if times]:
                await self._enter(database, act)
