"""The journal: what happened on the page between a trial shown and its vote, a row an event.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from thinlab.database.engine import Transactions
from thinlab.database.schema import Participant, Presentation, Study, Vote
from thinlab.export.column import Column, text, whole
from thinlab.study.catalogue import StoredStudy

VOTES_AT_ONCE = 200


@dataclass(frozen=True)
class JournalEntry:
    """One event."""

    vote: int
    participant: str
    trial: str
    position: int
    number: int
    event: dict[str, Any]


JOURNAL: tuple[Column[JournalEntry], ...] = (
    text("row_id", "of this row alone: vote and event", "vote", lambda e: f"{e.vote}-{e.number}"),
    whole("vote", "", "the vote that it came with, as in the exports of votes", "vote",
          lambda e: e.vote),
    text("participant", "pseudonym, drawn at joining, unrelated to any credential", "participant",
         lambda e: e.participant),
    text("trial", "the trial's id", "study file", lambda e: e.trial),
    whole("position", "", "1 for the participant's first trial, over all blocks", "presentation",
          lambda e: e.position),
    whole("number", "", "1 for the trial's first event", "vote", lambda e: e.number),
    whole("at_ms", "ms", "since the trial was shown, by the browser's clock", "vote",
          lambda e: e.event["at_ms"]),
    text("action", "what happened: played, paused, switched, a tab hidden and the like", "vote",
         lambda e: e.event["action"]),
    text("presented", "`first` or `second`: which one is heard from then on", "vote",
         lambda e: e.event.get("member")),
    whole("position_ms", "ms", "in the recording", "vote", lambda e: e.event.get("position_ms")),
)  # fmt: skip


async def events(
    database: Transactions, study: StoredStudy, at_once: int = VOTES_AT_ONCE
) -> AsyncIterator[list[JournalEntry]]:
    """Of every vote on every version of a study, in the order stored, so many votes at a time."""
    last = 0
    while True:
        async with database.transaction() as session:
            rows = (
                await session.execute(
                    select(
                        Vote.id,
                        Vote.events,
                        Participant.pseudonym,
                        Presentation.trial_id,
                        Presentation.position,
                    )
                    .join(Presentation, Presentation.id == Vote.presentation_id)
                    .join(Participant, Participant.id == Presentation.participant_id)
                    .join(Study, Study.id == Participant.study_id)
                    .where(Study.slug == study.slug, Vote.id > last)
                    .order_by(Vote.id)
                    .limit(at_once)
                )
            ).all()
        found = [
            JournalEntry(row.id, row.pseudonym, row.trial_id, row.position, number, event)
            for row in rows
            for number, event in enumerate(row.events, start=1)
        ]
        if found:
            yield found
        if len(rows) < at_once:
            return
        last = rows[-1].id
