"""One typing session as it is replayed: what it was, how it went, and its keys' clock lines.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass
from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.condition.condition import Condition
from thinlab.condition.words import ConditionWords
from thinlab.contract.generated.results import TerminalResult
from thinlab.database.schema import (
    Keystroke,
    Participant,
    Presentation,
    Study,
    TypingSession,
)
from thinlab.study import catalogue
from thinlab.study.text import said
from thinlab.study.trial import member_conditions, presented
from thinlab.trials.typing.measures import Measures


class KeyPassage(BaseModel):
    """A key on its way: `pressed_us` since the terminal was ready, the rest since the press."""

    model_config = ConfigDict(from_attributes=True)

    number: int
    kind: str
    repeat: bool
    pressed_us: int
    released_us: int | None
    backend_received_us: int | None
    agent_received_us: int | None
    pty_written_us: int | None
    key_written_us: int | None
    key_sent_us: int | None
    key_arrived_us: int | None
    key_delivered_us: int | None
    echo_written_us: int | None
    echo_sent_us: int | None
    echo_arrived_us: int | None
    echo_delivered_us: int | None
    screen_us: int | None
    agent_forwarded_us: int | None
    backend_forwarded_us: int | None
    painted_us: int | None
    key_transmissions: int | None
    echo_transmissions: int | None
    key_recovery: str | None
    echo_recovery: str | None


class TypingReplay(BaseModel):
    """A session that has ended."""

    session_id: int
    study: str = Field(description="Slug.")
    study_title: str
    participant: str = Field(description="Pseudonym.")
    participant_kind: str
    trial: str
    position: int
    place: str
    attempt: int
    training: bool
    state: str
    reason: str | None
    end: str | None
    task: str = Field(description="The study's name of it.")
    task_kind: str
    editor: str
    text_kept: bool = Field(description="Else every character of a screen is masked.")
    condition_name: str
    condition: Condition
    condition_words: ConditionWords
    member: str
    seed: int
    opened_at: datetime
    ready_at: datetime | None
    ended_at: datetime | None
    host: str | None
    host_build: str | None
    kernel_release: str | None
    agent_version: str | None
    transport: str | None
    reconnects: int | None
    link_rtt_p50_ms: float | None
    link_rtt_p95_ms: float | None
    link_jitter_ms: float | None
    clock_uncertainty_ms: float | None
    measures: Measures | None = Field(description="Null of a void session.")
    result: TerminalResult | None = Field(description="Null of a void session.")
    keys: list[KeyPassage]


@dataclass(frozen=True)
class Found:
    """A session's row with what it belongs to."""

    row: TypingSession
    presentation: Presentation
    participant: Participant
    study: Study


async def find(session: AsyncSession, session_id: int) -> Found | None:
    """A session by its id; none where there is none."""
    row = (
        await session.execute(
            select(TypingSession, Presentation, Participant, Study)
            .join(Presentation, Presentation.id == TypingSession.presentation_id)
            .join(Participant, Participant.id == Presentation.participant_id)
            .join(Study, Study.id == Participant.study_id)
            .where(TypingSession.id == session_id)
        )
    ).one_or_none()
    return None if row is None else Found(*row)


async def replay(session: AsyncSession, found: Found) -> TypingReplay:
    """A session with all its keys."""
    row, presentation, participant = found.row, found.presentation, found.participant
    definition = (await catalogue.by_id(session, found.study.id)).definition
    _, trial = definition.trial(presentation.trial_id)
    first = presentation.first_member
    other = "b" if first == "a" else "a"
    member = first if row.place == "first" else other
    names = member_conditions(trial)
    condition = Condition.model_validate(row.condition)
    keys = await session.scalars(
        select(Keystroke).where(Keystroke.session_id == row.id).order_by(Keystroke.number)
    )
    return TypingReplay(
        session_id=row.id,
        study=found.study.slug,
        study_title=said(definition.title, definition.languages[0]),
        participant=participant.pseudonym,
        participant_kind=participant.kind,
        trial=trial.id,
        position=presentation.position,
        place=row.place,
        attempt=row.attempt,
        training=presentation.training,
        state=row.state,
        reason=row.reason,
        end=row.end,
        task=presented(trial),
        task_kind=row.task["kind"],
        editor=row.task["editor"],
        text_kept=definition.keep_text,
        condition_name=names["ab".index(member) % len(names)],
        condition=condition,
        condition_words=ConditionWords.of(condition),
        member=member,
        seed=row.seed,
        opened_at=row.opened_at,
        ready_at=row.ready_at,
        ended_at=row.ended_at,
        host=row.host,
        host_build=row.host_build,
        kernel_release=row.kernel_release,
        agent_version=row.agent_version,
        transport=row.transport,
        reconnects=row.reconnects,
        link_rtt_p50_ms=row.link_rtt_p50_ms,
        link_rtt_p95_ms=row.link_rtt_p95_ms,
        link_jitter_ms=row.link_jitter_ms,
        clock_uncertainty_ms=row.clock_uncertainty_ms,
        measures=None if row.measures is None else Measures.model_validate(row.measures),
        result=None if row.result is None else TerminalResult.model_validate(row.result),
        keys=[KeyPassage.model_validate(key) for key in keys],
    )
