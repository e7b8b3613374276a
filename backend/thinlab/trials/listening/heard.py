"""Whether a vote can have been heard: recordings were fetched, and time has passed to play them.

A page that is none of ours says that it played what it likes. What the server sees for itself is
when each recording was first fetched, and when the vote comes. A page fetches trials ahead and may
send several votes at once, when the network is back; so what counts is no trial alone: of all that
was fetched since any moment, nobody can have heard more than fits into the time since.

Where the study asks for a share of each recording, time is not enough: the page tells which parts
it played, and what it played again counts once.

Lenient: clocks differ, and what a page plays may begin before the last byte of it is here.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import String, bindparam, case, func, or_, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Participant, Presentation, Recording, RecordingFetch, Vote
from thinlab.participation.coverage import covered_ms
from thinlab.participation.kind import NotDoneError
from thinlab.participation.messages import Account
from thinlab.participation.participant import locked
from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.heard_share import FIRST_RULE_S
from thinlab.trials.listening.messages import HeardAccount, Passage

LENIENCY = 0.9
# Of each recording: fades at a switch, and the page's own rounding.
SLACK_MS = 100


# Both are put together once, and not for each vote and each fetch.

# Of those voted on, and of one more: how much of them was fetched, and when.
_FETCHED = (
    select(
        Presentation.id,
        Presentation.block_id,
        Presentation.second_token.is_not(None).label("paired"),
        Presentation.x_token.is_not(None).label("x"),
        Recording.duration_ms,
        func.max(RecordingFetch.at).label("at"),
        func.count(RecordingFetch.place).label("places"),
    )
    .join(Recording, Recording.id == Presentation.first_recording_id)
    .outerjoin(RecordingFetch, RecordingFetch.presentation_id == Presentation.id)
    .outerjoin(Vote, Vote.presentation_id == Presentation.id)
    .where(
        Presentation.participant_id == bindparam("participant_id"),
        Vote.id.is_not(None) | (Presentation.id == bindparam("presentation_id")),
    )
    .group_by(Presentation.id, Recording.duration_ms)
)
_TOKEN = bindparam("token", type_=String)
_RECORDING_OF = (
    select(
        Recording.key,
        Vote.id.is_not(None),
        Presentation.id,
        case(
            (Presentation.first_token == _TOKEN, "first"),
            (Presentation.second_token == _TOKEN, "second"),
            else_="x",
        ),
    )
    .select_from(Presentation)
    .join(
        Recording,
        or_(
            (Presentation.first_token == _TOKEN)
            & (Recording.id == Presentation.first_recording_id),
            (Presentation.second_token == _TOKEN)
            & (Recording.id == Presentation.second_recording_id),
            (Presentation.x_token == _TOKEN)
            & (
                Recording.id
                == case(
                    (Presentation.x_place == "first", Presentation.first_recording_id),
                    else_=Presentation.second_recording_id,
                )
            ),
        ),
    )
    .outerjoin(Vote, Vote.presentation_id == Presentation.id)
    .where(Presentation.participant_id == bindparam("participant_id"))
)


class UnknownTokenError(Exception):
    """No recording of this participant has this token."""


class VotedError(Exception):
    """The trial has its vote: its tokens are dead."""


@dataclass(frozen=True)
class Fetched:
    """A trial whose recordings are at the page."""

    at: datetime
    """When the last of them was fetched first."""
    takes_s: float
    """Hearing them, at least."""


def lack_s(trials: Iterable[Fetched], now: datetime) -> float:
    """How much longer hearing all of these takes, at least; 0 or less if they can have been."""
    lack, sum_s = 0.0, 0.0
    for trial in sorted(trials, key=lambda one: one.at, reverse=True):
        sum_s += trial.takes_s
        lack = max(lack, sum_s - (now - trial.at).total_seconds())
    return lack


async def fetched(
    session: AsyncSession, participant: Participant, presentation_id: int, place: str
) -> None:
    """Notes that a page fetches a recording; the first time counts. Raises `WithdrawnError`."""
    if await session.get(RecordingFetch, (presentation_id, place)) is not None:
        return
    # A withdrawal beside this one takes the presentation away.
    await locked(session, participant)
    await session.execute(
        insert(RecordingFetch)
        .values(presentation_id=presentation_id, place=place)
        .on_conflict_do_nothing()
    )


async def check(
    session: AsyncSession,
    presentation: Presentation,
    definition: StudyDefinition,
    account: Account,
    *,
    timed: bool,
) -> None:
    """Raises `NotDoneError`: never fetched, or, only if `timed`, too soon or too little of it."""
    rows = await session.execute(
        _FETCHED,
        {"participant_id": presentation.participant_id, "presentation_id": presentation.id},
    )
    blocks = {block.id: block for block in definition.blocks}
    trials: list[Fetched] = []
    for row in rows:
        presented = 1 + row.paired + row.x
        if row.places < presented:
            if row.id == presentation.id:
                raise NotDoneError(
                    "not-heard",
                    "A recording of this trial was never fetched.",
                    "Open the trials again, and fetch and hear each recording.",
                    field="trial_token",
                )
            # Voted on before anybody noted what was fetched.
            continue
        each_s = must_hear_s(blocks[row.block_id], row.duration_ms / 1000)
        trials.append(Fetched(row.at, LENIENCY * each_s * presented))
    now = await session.scalar(select(func.now()))
    if timed and now is not None and (wait_s := lack_s(trials, now)) > 0:
        raise NotDoneError(
            "too-soon",
            "This vote arrived before its recordings could have been heard.",
            "Hear each recording, and send the vote again.",
            wait_s=wait_s,
        )
    if timed:
        await _check_parts(session, presentation, blocks[presentation.block_id], account)


async def _check_parts(
    session: AsyncSession, presentation: Presentation, block: Block, account: Account
) -> None:
    share = block.heard_share_at_least
    if share is None or not isinstance(account, HeardAccount):
        return
    told = [account.covered_first]
    if presentation.second_token is not None:
        told.append(account.covered_second)
    if presentation.x_token is not None:
        told.append(account.covered_x)
    recording = await session.get_one(Recording, presentation.first_recording_id)
    least_ms = share * recording.duration_ms - SLACK_MS
    if any(_covered_ms(parts, recording.duration_ms) < least_ms for parts in told):
        raise NotDoneError(
            "not-heard",
            "Too little of a recording was heard.",
            f"Hear at least {share * 100:g} % of each recording, in different parts, and say in "
            "`account` which parts were.",
            field="account",
        )


def _covered_ms(parts: list[Passage] | None, duration_ms: int) -> int:
    return covered_ms([(part.from_ms, part.to_ms) for part in parts or []], duration_ms)


def must_hear_s(block: Block, duration_s: float) -> float:
    """What a page asks of each recording before it takes an answer, at least.

    It does the same in frontend/src/player/listening.ts.
    """
    if block.playback == "in_turn":
        return duration_s
    if block.heard_share_at_least is None:
        return min(duration_s, FIRST_RULE_S)
    return block.heard_share_at_least * duration_s


async def recording_key_of(
    session: AsyncSession, participant: Participant, recording_token: str
) -> str:
    """The key of the recording behind a token of one of this participant's unvoted trials.

    Notes that it was fetched. Raises `UnknownTokenError` for a forged token or
    another's, `VotedError` for a trial that has its vote, `WithdrawnError`.
    """
    row = (
        await session.execute(
            _RECORDING_OF, {"participant_id": participant.id, "token": recording_token}
        )
    ).one_or_none()
    if row is None:
        raise UnknownTokenError
    key, voted, presentation_id, place = row
    if voted:
        raise VotedError
    await fetched(session, participant, presentation_id, place)
    return str(key)
