"""What watching a running study asks of a kind of trial; `thinlab.trials` has the kinds.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from typing import Protocol

from pydantic import BaseModel, Field
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.study.trial import Medium


class VoidCount(BaseModel):
    """How many sessions do not count, for one reason."""

    reason: str
    sessions: int


class ConnectionChecks(BaseModel):
    """The check of the participants' own network."""

    passed: int = Field(description="Participants whose connection was good enough in the end.")
    refused: int = Field(description="Participants whose connection never was.")
    rtt_p50_ms: float | None = Field(description="Median of the passed ones' round trips.")
    jitter_p50_ms: float | None = Field(description="Median of their jitters.")


class SessionCounts(BaseModel):
    """Live sessions of one kind of participants, over all versions of the study."""

    done: int = Field(description="That count.")
    under_way: int
    void: list[VoidCount] = Field(description="That do not count and were offered again.")
    untrustworthy: int = Field(description="That count, on a host too busy to keep its time.")
    checks: ConnectionChecks


class WatchedKind(Protocol):
    """A kind of trial while a study runs."""

    medium: Medium

    async def session_counts(
        self, session: AsyncSession, slug: str, kind: str
    ) -> SessionCounts | None:
        """Of one kind of participants; none where trials of this kind are not done live."""


Kinds = Mapping[str, WatchedKind]
"""By medium."""
