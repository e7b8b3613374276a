"""A session's trials as one participant meets them: drawn under a lock, stored, never changed.

SPDX-License-Identifier: Apache-2.0
"""

import random
from collections.abc import Iterator, Sequence
from typing import cast

from sqlalchemy import Row, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab import tokens
from thinlab.database.schema import Allocation, Participant, Presentation, Recording, Vote
from thinlab.participation import places
from thinlab.participation.allocation import draw_row
from thinlab.participation.kind import Kinds, Opened, Recordings
from thinlab.participation.participant import locked
from thinlab.study import catalogue
from thinlab.study.blocks.kind import Taken, Turn
from thinlab.study.blocks.registry import kind_of
from thinlab.study.catalogue import StoredStudy
from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.page import is_open_reference, page_size
from thinlab.study.schedule import MemberName, covers_of
from thinlab.study.session_page import page_at
from thinlab.study.trial import PlaceName, medium_of

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
        kind = kind_of(block)
        turns = kind.at_start(study.definition, block, drawn, participant.pseudonym)
        for turn in _within_pages(block, turns, chance):
            if block.trials[turn.trial].id in before:
                continue
            position += 1
            x_place = _x_place(study.definition, block, turn, chance)
            session.add(_presented(participant, block, turn, position, kinds, recordings, x_place))
        # Positions of those that will be chosen by what is answered.
        position += kind.length(block) - len(turns)
    await session.flush()


async def draw_next(
    session: AsyncSession, study: StoredStudy, voted: Presentation, kinds: Kinds
) -> None:
    """Draws what follows a trial that has got its vote, where that hangs on the answers.

    In the vote's transaction, of a participant whose row is locked: so a vote and what follows it
    are stored together or not at all, and nobody's second request sees the one without the other.
    Raises `NotReadyError`.
    """
    block, _ = study.definition.trial(voted.trial_id)
    kind = kind_of(block)
    if not kind.chosen_by_answers:
        return
    participant = await session.get_one(Participant, voted.participant_id)
    rows = (
        await session.execute(
            select(Presentation, Vote)
            .join(Vote, Vote.presentation_id == Presentation.id)
            .where(Presentation.participant_id == participant.id, Presentation.block_id == block.id)
            .order_by(Presentation.position)
        )
    ).all()
    turn = kind.after(study.definition, block, participant.pseudonym, taken(block, rows))
    if turn is None:
        return
    recordings = await catalogue.recording_ids_of(session, study)
    position = rows[-1].Presentation.position + 1
    x_place = _x_place(study.definition, block, turn, random.SystemRandom())
    session.add(_presented(participant, block, turn, position, kinds, recordings, x_place))
    await session.flush()


def taken(block: Block, rows: Sequence[Row[Presentation, Vote]]) -> list[Taken]:
    """A participant's presentations of a block with their votes, as kinds of blocks take them."""
    places = {trial.id: place for place, trial in enumerate(block.trials)}
    return [
        Taken(
            Turn(places[shown.trial_id], shown.run, cast("MemberName", shown.first_member)),
            vote.choice,
            vote.score,
        )
        for shown, vote in rows
    ]


def _x_place(
    definition: StudyDefinition, block: Block, turn: Turn, chance: random.Random
) -> PlaceName | None:
    # The reference that a page names is its hidden one, once more.
    if is_open_reference(definition, block, block.trials[turn.trial]):
        return "first"
    # Drawn for each trial anew: no order of the rows may tell which it is.
    return chance.choice(PLACES) if block.scale.has_x else None


def _presented(
    participant: Participant,
    block: Block,
    turn: Turn,
    position: int,
    kinds: Kinds,
    recordings: Recordings,
    x_place: PlaceName | None,
) -> Presentation:
    trial = block.trials[turn.trial]
    medium = medium_of(trial)
    shown = kinds[medium].places(block, trial, turn.run, turn.first_member, recordings)
    return Presentation(
        participant_id=participant.id,
        block_id=block.id,
        trial_id=trial.id,
        position=position,
        training=block.role == "training",
        run=turn.run,
        first_member=turn.first_member,
        medium=medium,
        first_recording_id=shown.first_recording_id,
        second_recording_id=shown.second_recording_id,
        trial_token=tokens.opaque(),
        first_token=tokens.opaque(),
        second_token=tokens.opaque() if shown.has_second else None,
        x_place=x_place,
        x_token=tokens.opaque() if x_place else None,
    )


def _within_pages(block: Block, turns: Sequence[Turn], chance: random.Random) -> Iterator[Turn]:
    """A page's sounds in an order by chance: no two participants need to have the same."""
    size = page_size(block)
    for start in range(0, len(turns), size):
        yield from chance.sample(turns[start : start + size], size)


async def open_next(
    session: AsyncSession, study: StoredStudy, participant: Participant, kinds: Kinds
) -> list[Opened]:
    """The open trial and those that follow, in order. Raises `AllVotedError`.

    A trial of a kind that is not sent ahead comes alone, and ends the list of those before it; and
    so does one after which the next is chosen by the answers.
    """
    rows = await session.execute(
        select(Presentation, Recording.duration_ms, Vote.id.is_not(None))
        .outerjoin(Recording, Recording.id == Presentation.first_recording_id)
        .outerjoin(Vote, Vote.presentation_id == Presentation.id)
        .where(Presentation.participant_id == participant.id)
        .order_by(Presentation.position)
    )
    blocks = {block.id: block for block in study.definition.blocks}
    pages_in: dict[str, set[int]] = {}
    opened: list[Opened] = []
    for number, (presentation, duration_ms, voted) in enumerate(rows, start=1):
        if presentation.position != number:
            # What comes between is chosen by answers that are not there yet.
            break
        page = page_at(study.definition, presentation.position)
        of_block = pages_in.setdefault(presentation.block_id, set())
        of_block.add(page)
        if voted:
            continue
        if opened and opened[-1].page == page:
            opened[-1].others.append(presentation)
            continue
        block = blocks[presentation.block_id]
        kind = kinds[presentation.medium]
        if not kind.is_sent_ahead and opened:
            break
        # What is left out has to be left out whole.
        if len(opened) > TRIALS_AHEAD:
            break
        done = await kind.places_done(session, presentation)
        opened.append(Opened(presentation, block, page, len(of_block) - 1, duration_ms, done))
        if not kind.is_sent_ahead:
            break
    if not opened:
        raise AllVotedError
    return opened
