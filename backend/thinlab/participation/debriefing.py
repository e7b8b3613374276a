"""A participant's own trials, told openly: what was what, what they said, what its packets met.

Nothing of it is told before the session is complete; see `debrief.py`.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.contract.generated.results import FeltMetrics, TraceMetrics
from thinlab.database.schema import Presentation, Vote
from thinlab.participation.kind import Kinds
from thinlab.participation.messages import Stage
from thinlab.participation.participant import Progress
from thinlab.study import study_state
from thinlab.study.definition import Block
from thinlab.study.text import said
from thinlab.study.trial import ControlTrial, TrappingTrial, Trial, member_conditions


class NotToldError(Exception):
    """This study tells nobody."""


class NotYetError(Exception):
    """Not before the session is complete, or the study closed."""


@dataclass(frozen=True)
class Side:
    """One recording or typed session, and what happened to it on its way."""

    name: str
    packets: int | None
    """None of a reference: it was not sent."""
    lost_packets: int
    """Both ways, for typing: keys go there, echoes come back."""
    late_share: float | None
    """Of the messages: later than the quickest by more than 150 ms."""
    longest_stall_ms: float | None


@dataclass(frozen=True)
class Told:
    """One trial."""

    position: int
    medium: str
    one_twice: bool
    """Whether both were the same."""
    first: Side
    second: Side | None
    answer: str
    """The words of the button that was pressed."""


async def told(session: AsyncSession, progress: Progress, kinds: Kinds) -> list[Told]:
    """Every trial but training and traps. Raises `NotToldError`, `NotYetError`."""
    debrief = progress.study.definition.debrief
    if debrief is None:
        raise NotToldError
    if progress.due.stage is not Stage.COMPLETE:
        raise NotYetError
    if debrief.when == "closed" and not (await study_state.of(session, progress.study)).closed:
        raise NotYetError
    rows = await session.execute(
        select(Presentation, Vote)
        .join(Vote, Vote.presentation_id == Presentation.id)
        .where(
            Presentation.participant_id == progress.participant.id,
            Presentation.training.is_(False),
        )
        .order_by(Presentation.position)
    )
    found = []
    for presentation, vote in rows:
        block, trial = progress.study.definition.trial(presentation.trial_id)
        if isinstance(trial, TrappingTrial):
            continue
        language = progress.participant.language
        names = [said(debrief.names[name], language) for name in _in_order(presentation, trial)]
        undergone = await kinds[presentation.medium].undergone(session, presentation)
        sides = [
            _side(_of_both(names, number), one.ways, one.felt)
            for number, one in enumerate(undergone)
        ]
        found.append(
            Told(
                position=presentation.position,
                medium=presentation.medium,
                one_twice=isinstance(trial, ControlTrial),
                first=sides[0],
                second=sides[1] if len(sides) > 1 else None,
                answer=_answer(block, vote, language),
            )
        )
    return found


def _in_order(presentation: Presentation, trial: Trial) -> tuple[str, ...]:
    """The conditions as they were presented: one of a control, and of what is judged alone."""
    names = member_conditions(trial)
    return names if presentation.first_member == "a" else names[::-1]


def _of_both(names: Sequence[str], number: int) -> str:
    return names[number % len(names)]


def _side(name: str, ways: Sequence[TraceMetrics | None], felt: FeltMetrics | None) -> Side:
    there = [way for way in ways if way is not None]
    return Side(
        name=name,
        packets=sum(way.packets for way in there) if ways else None,
        lost_packets=sum(way.lost_packets_forward for way in there),
        late_share=None if felt is None else felt.share_later_than_150_ms,
        longest_stall_ms=None if felt is None else felt.longest_stall_ms,
    )


def _answer(block: Block, vote: Vote, language: str) -> str:
    return said(block.scale.answered(vote.choice, vote.score), language)
