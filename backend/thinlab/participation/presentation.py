"""A session's trials as one participant meets them: drawn under a lock, stored, never changed.

SPDX-License-Identifier: Apache-2.0
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass

from sqlalchemy import case, func, or_, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab import tokens
from thinlab.database.schema import Allocation, Participant, Presentation, Recording, Vote
from thinlab.participation import heard, places, typing_session
from thinlab.participation.allocation import Drawn, draw_row, run_of
from thinlab.participation.participant import locked
from thinlab.study import catalogue
from thinlab.study.catalogue import StoredStudy
from thinlab.study.definition import Block
from thinlab.study.scale import is_paired
from thinlab.study.schedule import MemberName, covers_of, rows_of
from thinlab.study.trial import Trial, member_conditions, runs_of, task_of

# First key of the advisory lock; the second is the study. Any number will do.
ALLOCATION_LOCK = 20_080

# Beside the open trial: what a page may fetch ahead, to go on where the network stops.
TRIALS_AHEAD = 3


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
    """What the participant's page needs to present a trial."""

    presentation: Presentation
    block: Block
    place_in_block: int
    """0 for the block's first trial."""
    duration_ms: int | None
    """Of a trial's recordings; none where something is typed."""
    typed: frozenset[str] = frozenset()
    """Of a trial to be typed: the places, `first` and `second`, whose session is done."""


async def draw(session: AsyncSession, study: StoredStudy, participant: Participant) -> None:
    """Draws a participant's whole session, once.

    Holds the study's allocation lock until the transaction ends, so that two
    draws never see the same counts; of all versions of the study, since they
    share its places. Raises `NotReadyError`, `places.FullError`, `WithdrawnError`.
    """
    # A second request of the same page waits here, and so does a withdrawal.
    row = await locked(session, participant)
    if await is_drawn(session, row):
        return
    await session.execute(
        select(func.pg_advisory_xact_lock(ALLOCATION_LOCK, func.hashtext(study.slug)))
    )
    # Who draws is there, however long they were silent: their place counts from now on.
    row.last_seen_at = await session.scalar(select(func.now())) or row.last_seen_at
    await session.flush()
    await _draw(session, study, row)


async def is_drawn(session: AsyncSession, participant: Participant) -> bool:
    """Whether a participant's session is drawn."""
    found = await session.scalar(
        select(Allocation.row).where(Allocation.participant_id == participant.id).limit(1)
    )
    return found is not None


async def _draw(session: AsyncSession, study: StoredStudy, participant: Participant) -> None:
    # Places are bounded by what the study's file says now.
    full = await places.is_full(
        session,
        await catalogue.current(session, study.slug) or study,
        kind=participant.kind,
        language=participant.language,
        but=participant.id,
    )
    if full and participant.kind != "preview":
        raise places.FullError
    recordings = await catalogue.recording_ids_of(session, study)
    held = await places.rounds_held(session, study.id, participant.kind)
    chance = random.SystemRandom()
    # Drawn one by one, by a version of Thinlab that did so: the rest is drawn now.
    before = set(
        await session.scalars(
            select(Presentation.trial_id).where(Presentation.participant_id == participant.id)
        )
    )
    position = len(before)
    for block in study.definition.blocks:
        drawn = draw_row(covers_of(block), held.get(block.id, {}), chance)
        session.add(
            Allocation(
                participant_id=participant.id, block_id=block.id, row=drawn.row, round=drawn.round
            )
        )
        for trial, run, first_member in _session_of(block, drawn):
            if trial.id in before:
                continue
            position += 1
            typed = task_of(trial) is not None
            first, second = (
                (None, None) if typed else _members(block, trial, run, first_member, recordings)
            )
            session.add(
                Presentation(
                    participant_id=participant.id,
                    block_id=block.id,
                    trial_id=trial.id,
                    position=position,
                    training=block.role == "training",
                    run=run,
                    first_member=first_member,
                    medium="typed" if typed else "heard",
                    first_recording_id=first,
                    second_recording_id=second,
                    trial_token=tokens.opaque(),
                    first_token=tokens.opaque(),
                    second_token=tokens.opaque() if typed or second is not None else None,
                )
            )
    await session.flush()


def _session_of(block: Block, drawn: Drawn) -> Iterator[tuple[Trial, int, MemberName]]:
    for place in rows_of(block)[drawn.row]:
        trial = block.trials[place.trial]
        yield trial, run_of(place.trial, drawn, runs_of(trial)), place.first_member


def _members(
    block: Block,
    trial: Trial,
    run: int,
    first_member: MemberName,
    recordings: dict[tuple[str, int, str], int],
) -> tuple[int, int | None]:
    """The first and the second recording of a presentation; no second where one is judged alone."""
    a = recordings.get((trial.id, run, "a"))
    b = recordings.get((trial.id, run, "b"))
    if a is None or (b is None and len(member_conditions(trial)) > 1):
        raise NotReadyError
    if b is not None:
        return (a, b) if first_member == "a" else (b, a)
    # One recording in a trial of two: both places get it, under two tokens.
    return (a, a) if is_paired(block.scale) else (a, None)


async def open_next(
    session: AsyncSession, study: StoredStudy, participant: Participant
) -> list[Opened]:
    """The open trial and those that follow, in order. Raises `AllVotedError`.

    What is typed cannot be fetched ahead: such a trial comes alone, and ends
    the list of those before it.
    """
    rows = await session.execute(
        select(Presentation, Recording.duration_ms, Vote.id.is_not(None))
        .outerjoin(Recording, Recording.id == Presentation.first_recording_id)
        .outerjoin(Vote, Vote.presentation_id == Presentation.id)
        .where(Presentation.participant_id == participant.id)
        .order_by(Presentation.position)
    )
    blocks = {block.id: block for block in study.definition.blocks}
    places_in: dict[str, int] = {}
    opened: list[Opened] = []
    for presentation, duration_ms, voted in rows:
        place = places_in.get(presentation.block_id, 0)
        places_in[presentation.block_id] = place + 1
        if voted:
            continue
        block = blocks[presentation.block_id]
        if presentation.medium == "typed":
            if not opened:
                await typing_session.void_stale_first(session, presentation)
                typed = await typing_session.places_done(session, presentation)
                opened.append(Opened(presentation, block, place, None, typed))
            break
        if len(opened) <= TRIALS_AHEAD:
            opened.append(Opened(presentation, block, place, duration_ms))
    if not opened:
        raise AllVotedError
    return opened


async def recording_key_of(
    session: AsyncSession, participant: Participant, recording_token: str
) -> str:
    """The key of the recording behind a token of one of this participant's unvoted trials.

    Notes that it was fetched. Raises `UnknownTokenError` for a forged token or
    another's, `VotedError` for a trial that has its vote, `WithdrawnError`.
    """
    row = (
        await session.execute(
            select(
                Recording.key,
                Vote.id.is_not(None),
                Presentation.id,
                case((Presentation.first_token == recording_token, "first"), else_="second"),
            )
            .select_from(Presentation)
            .join(
                Recording,
                or_(
                    (Presentation.first_token == recording_token)
                    & (Recording.id == Presentation.first_recording_id),
                    (Presentation.second_token == recording_token)
                    & (Recording.id == Presentation.second_recording_id),
                ),
            )
            .outerjoin(Vote, Vote.presentation_id == Presentation.id)
            .where(Presentation.participant_id == participant.id)
        )
    ).one_or_none()
    if row is None:
        raise UnknownTokenError
    key, voted, presentation_id, place = row
    if voted:
        raise VotedError
    await heard.fetched(session, participant, presentation_id, place)
    return str(key)
