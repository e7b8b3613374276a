"""The participants of a study as its researcher sees them: pseudonyms, never votes.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TypeVar

from pydantic import BaseModel, Field
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.monitoring import exclusion, presence
from thinlab.monitoring.conduct import Conduct
from thinlab.monitoring.exclusion import Entry, Standing
from thinlab.monitoring.finding import Flag
from thinlab.monitoring.presence import Presence
from thinlab.study.catalogue import StoredStudy
from thinlab.study.hearing.fact import told
from thinlab.study.hearing.registry import FACTS, HearingTestName

Result = TypeVar("Result", bound=BaseModel)


class HeadphoneResult(BaseModel):
    """How the headphone test went."""

    passed: bool | None
    correct: int | None
    of: int | None
    tries: int | None


class HearingResult(BaseModel):
    """How a test of hearing or equipment went."""

    test: HearingTestName
    passed: bool
    tries: int
    told: str = Field(description="What was reached.", examples=["threshold −7.2 dB"])


class ConnectionResult(BaseModel):
    """How the check of the participant's own network went."""

    passed: bool
    tries: int | None
    rtt_ms: float | None
    jitter_ms: float | None


class ParticipantRow(BaseModel):
    """One participant."""

    pseudonym: str
    completion_code: str | None = Field(
        description="What they got at the end; null before, and once nothing links them any more."
    )
    kind: str = Field(description="`person`, `bot` or `preview`; only persons are analysed.")
    language: str
    version: str = Field(description="Hash of the study's version that they joined.")
    presence: Presence
    joined_at: datetime
    last_seen_at: datetime
    completed_at: datetime | None
    trials_done: int
    trials_total: int = Field(description="0 before the first trial was opened.")
    headphones: HeadphoneResult | None = Field(description="Null: no test was done.")
    hearing: list[HearingResult] = Field(description="Of the tests that were done.")
    connection: ConnectionResult | None = Field(description="Null: no check was done.")
    sessions_void: int = Field(description="Typing sessions that do not count.")
    excluded: bool = Field(description="By a rule, or by the researcher's last word.")
    left_out: bool = Field(description="By the researcher's last word.")
    flags: list[Flag] = Field(description="Declared rules that they fall under.")
    entries: list[Entry] = Field(description="The researcher's words, newest first.")


async def of_study(session: AsyncSession, study: StoredStudy) -> list[ParticipantRow]:
    """Everybody, in the order of joining; previews and bots too."""
    people = await presence.of_study(session, study.slug, kind=None)
    standings: dict[int, Standing] = {}
    for kind in {one.kind for one in people}:
        standings |= await exclusion.standings(session, study, kind)
    return await asyncio.to_thread(_rows, people, standings)


def _rows(
    people: Sequence[presence.Present], standings: Mapping[int, Standing]
) -> list[ParticipantRow]:
    # Who has withdrawn has left nothing that could be left out.
    nothing = Standing(Conduct(), (), ())
    return [
        ParticipantRow.model_validate(
            {
                **vars(one),
                "trials_total": one.trials_drawn,
                "headphones": _headphones(one),
                "hearing": _hearing(one),
                "connection": _connection(one),
                "excluded": standing.excluded,
                "left_out": standing.left_out,
                "flags": standing.flags,
                "entries": standing.entries,
            }
        )
        for one in people
        for standing in [standings.get(one.id, nothing)]
    ]


def _headphones(one: presence.Present) -> HeadphoneResult | None:
    if one.headphones_correct is None and one.headphones_passed is None:
        return None
    return _result(HeadphoneResult, one, "headphones")


def _hearing(one: presence.Present) -> list[HearingResult]:
    # The database keeps objects in an order of its own.
    outcomes = one.hearing or {}
    return [
        HearingResult(
            test=test,
            passed=outcomes[test]["passed"],
            tries=outcomes[test]["tries"],
            told=told(outcomes[test]),
        )
        for test in FACTS
        if test in outcomes
    ]


def _connection(one: presence.Present) -> ConnectionResult | None:
    if one.connection_passed is None:
        return None
    return _result(ConnectionResult, one, "connection")


def _result(model: type[Result], one: presence.Present, check: str) -> Result:
    found = {name: getattr(one, f"{check}_{name}") for name in model.model_fields}
    return model.model_validate(found)
