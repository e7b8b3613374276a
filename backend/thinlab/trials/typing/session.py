"""Sessions of a trial to be typed: what each is to be, and which ones count.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import get_args

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.condition.condition import Condition
from thinlab.database.schema import Participant, Presentation, TypingSession, Vote
from thinlab.participation.participant import locked
from thinlab.study import catalogue
from thinlab.study.task import Task
from thinlab.study.trial import PlaceName, member_conditions, seeds_of, task_of

# After so long nobody compares the second session with a first that they remember.
TOO_LONG_AGO = timedelta(minutes=10)


class UnknownSessionError(Exception):
    """No session of this participant has this token."""


class NotItsTurnError(Exception):
    """The trial has its vote, an earlier one has none, or the first session comes first."""


class TypedError(Exception):
    """The session was typed already."""


@dataclass(frozen=True)
class Planned:
    """What a session is to be. Nothing of this is for the participant but the task."""

    presentation: Presentation
    place: PlaceName
    condition_name: str
    condition: Condition
    seed: int
    task: Task
    training: bool
    keep_text: bool
    language: str


async def places_done(session: AsyncSession, presentation: Presentation) -> frozenset[str]:
    """The places whose session counts."""
    return frozenset(
        await session.scalars(
            select(TypingSession.place).where(
                TypingSession.presentation_id == presentation.id, TypingSession.state == "done"
            )
        )
    )


async def plan(session: AsyncSession, participant: Participant, session_token: str) -> Planned:
    """What the session behind a token is to be, if it is its turn.

    Raises `UnknownSessionError`, `NotItsTurnError`, `TypedError`.
    """
    presentation = await session.scalar(
        select(Presentation).where(
            Presentation.participant_id == participant.id,
            Presentation.medium == "typed",
            (Presentation.first_token == session_token)
            | (Presentation.second_token == session_token),
        )
    )
    if presentation is None:
        raise UnknownSessionError
    place: PlaceName = "first" if presentation.first_token == session_token else "second"
    await _refuse_out_of_turn(session, presentation, place)
    study = await catalogue.by_id(session, participant.study_id)
    definition = study.definition
    block, trial = definition.trial(presentation.trial_id)
    names, seeds = member_conditions(trial), seeds_of(trial, presentation.run)
    # A control has one member, which is at both places.
    index = int((place == "first") != (presentation.first_member == "a")) % len(names)
    task_name = task_of(trial)
    if task_name is None:
        raise UnknownSessionError
    return Planned(
        presentation=presentation,
        place=place,
        condition_name=names[index],
        condition=definition.sent[names[index]].resolved,
        seed=seeds[index],
        task=definition.tasks[task_name],
        training=block.role == "training",
        keep_text=definition.keep_text,
        language=participant.language,
    )


async def _refuse_out_of_turn(
    session: AsyncSession, presentation: Presentation, place: PlaceName
) -> None:
    unvoted = await session.scalar(
        select(func.min(Presentation.position))
        .outerjoin(Vote, Vote.presentation_id == Presentation.id)
        .where(Presentation.participant_id == presentation.participant_id, Vote.id.is_(None))
    )
    if unvoted != presentation.position:
        raise NotItsTurnError
    done = await places_done(session, presentation)
    if place in done:
        raise TypedError
    if place == "second" and ("first" not in done or await _first_is_stale(session, presentation)):
        raise NotItsTurnError


async def begin(session: AsyncSession, participant: Participant, planned: Planned) -> TypingSession:
    """Enters a session, as the place's next attempt; one still under way there becomes void.

    Raises `NotItsTurnError`, `TypedError` for what has changed since it was planned.
    """
    await locked(session, participant)
    await _refuse_out_of_turn(session, planned.presentation, planned.place)
    here = TypingSession.presentation_id == planned.presentation.id
    await session.execute(
        update(TypingSession)
        .where(here, TypingSession.place == planned.place, TypingSession.state == "typing")
        .values(state="void", reason="begun-again", ended_at=func.now())
    )
    attempts = await session.scalar(
        select(func.count()).where(here, TypingSession.place == planned.place)
    )
    row = TypingSession(
        presentation_id=planned.presentation.id,
        place=planned.place,
        attempt=(attempts or 0) + 1,
        state="typing",
        condition=planned.condition.model_dump(mode="json"),
        seed=planned.seed,
        task=planned.task.model_dump(mode="json"),
        language=planned.language,
    )
    session.add(row)
    await session.flush()
    return row


def _stale(presentation: Presentation) -> tuple[ColumnElement[bool], ...]:
    return (
        TypingSession.presentation_id == presentation.id,
        TypingSession.place == "first",
        TypingSession.state == "done",
        TypingSession.ended_at < func.now() - TOO_LONG_AGO,
    )


async def _first_is_stale(session: AsyncSession, presentation: Presentation) -> bool:
    found = await session.scalar(select(TypingSession.id).where(*_stale(presentation)))
    return found is not None


async def void_stale_first(session: AsyncSession, presentation: Presentation) -> None:
    """Makes a first session void that ended too long ago for a second to be compared with it."""
    second_begun = await session.scalar(
        select(TypingSession.id).where(
            TypingSession.presentation_id == presentation.id,
            TypingSession.place == "second",
            TypingSession.state != "void",
        )
    )
    if second_begun is None:
        await session.execute(
            update(TypingSession)
            .where(*_stale(presentation))
            .values(state="void", reason="too-long-ago")
        )


async def void_all_under_way(session: AsyncSession, reason: str) -> int:
    """Makes every session void that was under way when the server ended. Returns how many."""
    ended = await session.scalars(
        update(TypingSession)
        .where(TypingSession.state == "typing")
        .values(state="void", reason=reason, ended_at=func.now())
        .returning(TypingSession.id)
    )
    return len(list(ended))


async def is_typed(session: AsyncSession, presentation: Presentation) -> bool:
    """Whether both sessions of a trial are done, so that it can be voted on."""
    return await places_done(session, presentation) == set(get_args(PlaceName))
