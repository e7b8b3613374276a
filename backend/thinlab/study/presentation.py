"""A trial as one participant meets it: drawn under a lock, stored, never changed.

SPDX-License-Identifier: Apache-2.0
"""

import random
from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from typing import cast

from sqlalchemy import func, or_, select, text
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Participant, Presentation, Recording, Vote
from thinlab.study import catalogue, tokens
from thinlab.study.allocation import Draw, MemberName, Session, draw_next
from thinlab.study.catalogue import StoredStudy

# A session idle for longer no longer holds its slots: its draws return to the pool.
ABANDONED_AFTER = timedelta(minutes=60)

# First key of the advisory lock; the second is the study. Any number will do.
ALLOCATION_LOCK = 20_080


class AllVotedError(Exception):
    """No trial is left for this participant."""


class NotReadyError(Exception):
    """A recording is missing."""


class UnknownTokenError(Exception):
    """No recording of this participant has this token."""


class VotedError(Exception):
    """The trial has its vote: its tokens are dead."""


@dataclass(frozen=True)
class Opened:
    """What the participant's page needs to play a trial."""

    trial_token: str
    position: int
    duration_ms: int
    first_token: str
    second_token: str


async def open_next(session: AsyncSession, study: StoredStudy, participant: Participant) -> Opened:
    """The open trial, drawn now if there is none.

    Holds the study's allocation lock until the transaction ends, so that two
    draws never see the same counts. Raises `AllVotedError`, `NotReadyError`.
    """
    already = await _open(session, participant.id)
    if already is not None:
        return await _opened(session, already)
    await session.execute(select(func.pg_advisory_xact_lock(ALLOCATION_LOCK, study.id % 2**31)))
    # A second request of the same page may have drawn while this one waited.
    already = await _open(session, participant.id)
    if already is not None:
        return await _opened(session, already)
    mine = await _draws_of(session, participant.id)
    trial_ids = [trial.id for trial in study.definition.trials]
    others = await _counted_sessions(session, study.id, participant.id)
    draw = draw_next(mine, trial_ids, others, random.SystemRandom())
    if draw is None:
        raise AllVotedError
    drawn = await _store(session, study, participant, draw, position=len(mine) + 1)
    return await _opened(session, drawn)


async def _open(session: AsyncSession, participant_id: int) -> Presentation | None:
    return await session.scalar(
        select(Presentation)
        .outerjoin(Vote, Vote.presentation_id == Presentation.id)
        .where(Presentation.participant_id == participant_id, Vote.id.is_(None))
        .order_by(Presentation.position)
        .limit(1)
    )


async def _opened(session: AsyncSession, presentation: Presentation) -> Opened:
    recording = await session.get_one(Recording, presentation.first_recording_id)
    return Opened(
        trial_token=presentation.trial_token,
        position=presentation.position,
        duration_ms=recording.duration_ms,
        first_token=presentation.first_token,
        second_token=presentation.second_token,
    )


async def _draws_of(session: AsyncSession, participant_id: int) -> list[Draw]:
    rows = await session.execute(
        select(Presentation.trial_id, Presentation.first_member)
        .where(Presentation.participant_id == participant_id)
        .order_by(Presentation.position)
    )
    return [Draw(trial_id, cast("MemberName", member)) for trial_id, member in rows]


async def _counted_sessions(session: AsyncSession, study_id: int, but: int) -> Counter[Session]:
    """Completed sessions and those under way, equal ones counted together."""
    recent = func.now() - ABANDONED_AFTER
    sequence = func.string_agg(
        Presentation.first_member + Presentation.trial_id,
        text("',' order by presentation.position"),
    ).label("sequence")
    sessions = (
        select(sequence)
        .join(Participant, Participant.id == Presentation.participant_id)
        .where(
            Participant.study_id == study_id, Participant.id != but, Participant.preview.is_(False)
        )
        .group_by(Participant.id)
        .having(
            or_(
                Participant.completed_at.is_not(None),
                func.max(Presentation.opened_at) > recent,
            )
        )
        .subquery()
    )
    rows = await session.execute(
        select(sessions.c.sequence, func.count()).group_by(sessions.c.sequence)
    )
    return Counter({_parse(sequence): count for sequence, count in rows})


def _parse(sequence: str) -> Session:
    """`acontrol,bspeech` → the draws; a trial's id holds no comma."""
    return tuple(Draw(part[1:], cast("MemberName", part[0])) for part in sequence.split(","))


async def _store(
    session: AsyncSession,
    study: StoredStudy,
    participant: Participant,
    draw: Draw,
    position: int,
) -> Presentation:
    recordings = await catalogue.recordings_of(session, study)
    a = recordings.get((draw.trial_id, "a"))
    # A control has one recording: both places get it, under two tokens.
    b = recordings.get((draw.trial_id, "b"), a)
    if a is None or b is None:
        raise NotReadyError
    first, second = (a, b) if draw.first_member == "a" else (b, a)
    presentation = Presentation(
        participant_id=participant.id,
        trial_id=draw.trial_id,
        position=position,
        first_member=draw.first_member,
        first_recording_id=first.id,
        second_recording_id=second.id,
        trial_token=tokens.opaque(),
        first_token=tokens.opaque(),
        second_token=tokens.opaque(),
    )
    session.add(presentation)
    await session.flush()
    return presentation


async def recording_of(
    session: AsyncSession, participant: Participant, recording_token: str
) -> Recording:
    """The recording behind a token of this participant's open trial.

    Raises `UnknownTokenError` for a forged token or another's, `VotedError`
    for a trial that has its vote.
    """
    row = (
        await session.execute(
            select(Presentation, Vote.id.is_not(None))
            .outerjoin(Vote, Vote.presentation_id == Presentation.id)
            .where(
                Presentation.participant_id == participant.id,
                or_(
                    Presentation.first_token == recording_token,
                    Presentation.second_token == recording_token,
                ),
            )
        )
    ).one_or_none()
    if row is None:
        raise UnknownTokenError
    presentation, voted = row
    if voted:
        raise VotedError
    is_first = presentation.first_token == recording_token
    return await session.get_one(
        Recording, presentation.first_recording_id if is_first else presentation.second_recording_id
    )
