"""A session's trials as one participant meets them: drawn under a lock, stored, never changed.

SPDX-License-Identifier: Apache-2.0
"""

import random
from collections.abc import Iterator

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab import tokens
from thinlab.database.schema import Allocation, Participant, Presentation, Recording, Vote
from thinlab.participation import places
from thinlab.participation.allocation import Drawn, draw_row, run_of
from thinlab.participation.kind import Kinds, Opened
from thinlab.participation.participant import locked
from thinlab.study import catalogue
from thinlab.study.catalogue import StoredStudy
from thinlab.study.definition import Block
from thinlab.study.scale import has_x
from thinlab.study.schedule import MemberName, covers_of, rows_of
from thinlab.study.trial import PlaceName, Trial, medium_of, runs_of

PLACES: tuple[PlaceName, PlaceName] = ("first", "second")
# Beside the open trial: what a page may fetch ahead, to go on where the network stops.
TRIALS_AHEAD = 3


class AllVotedError(Exception):
    """No trial is left for this participant."""


async def draw(
    session: AsyncSession, study: StoredStudy, participant: Participant, kinds: Kinds
) -> None:
    """Draws a participant's whole session, once.

    Holds the study's allocation lock until the transaction ends, so that two
    draws never see the same counts; of all versions of the study, since they
    share its places. Raises `NotReadyError`, `places.FullError`, `WithdrawnError`.
    """
    # A second request of the same page waits here, and so does a withdrawal.
    row = await locked(session, participant)
    if await is_drawn(session, row):
        return
    await places.lock(session, study.slug)
    # Who draws is there, however long they were silent: their place counts from now on.
    row.last_seen_at = await session.scalar(select(func.now())) or row.last_seen_at
    await session.flush()
    await _draw(session, study, row, kinds)


async def is_drawn(session: AsyncSession, participant: Participant) -> bool:
    """Whether a participant's session is drawn."""
    found = await session.scalar(
        select(Allocation.row).where(Allocation.participant_id == participant.id).limit(1)
    )
    return found is not None


async def _draw(
    session: AsyncSession, study: StoredStudy, participant: Participant, kinds: Kinds
) -> None:
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
            medium = medium_of(trial)
            shown = kinds[medium].places(block, trial, run, first_member, recordings)
            # Drawn for each trial anew: no order of the rows may tell which it is.
            x_place = chance.choice(PLACES) if has_x(block.scale) else None
            session.add(
                Presentation(
                    participant_id=participant.id,
                    block_id=block.id,
                    trial_id=trial.id,
                    position=position,
                    training=block.role == "training",
                    run=run,
                    first_member=first_member,
                    medium=medium,
                    first_recording_id=shown.first_recording_id,
                    second_recording_id=shown.second_recording_id,
                    trial_token=tokens.opaque(),
                    first_token=tokens.opaque(),
                    second_token=tokens.opaque() if shown.has_second else None,
                    x_place=x_place,
                    x_token=tokens.opaque() if x_place else None,
                )
            )
    await session.flush()


def _session_of(block: Block, drawn: Drawn) -> Iterator[tuple[Trial, int, MemberName]]:
    for place in rows_of(block)[drawn.row]:
        trial = block.trials[place.trial]
        yield trial, run_of(place.trial, drawn, runs_of(trial)), place.first_member


async def open_next(
    session: AsyncSession, study: StoredStudy, participant: Participant, kinds: Kinds
) -> list[Opened]:
    """The open trial and those that follow, in order. Raises `AllVotedError`.

    A trial of a kind that is not sent ahead comes alone, and ends the list of those before it.
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
        kind = kinds[presentation.medium]
        if not kind.is_sent_ahead and opened:
            break
        if len(opened) <= TRIALS_AHEAD:
            done = await kind.places_done(session, presentation)
            opened.append(Opened(presentation, block, place, duration_ms, done))
        if not kind.is_sent_ahead:
            break
    if not opened:
        raise AllVotedError
    return opened
