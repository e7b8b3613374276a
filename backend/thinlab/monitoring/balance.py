"""Whether allocation kept its promise: cells trial × side × position among completed sessions.

SPDX-License-Identifier: Apache-2.0
"""

from pydantic import BaseModel, Field
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Participant, Presentation
from thinlab.study.blocks.registry import kind_of, length_of
from thinlab.study.catalogue import StoredStudy
from thinlab.study.definition import Block
from thinlab.study.page import page_size
from thinlab.study.schedule import rows_of
from thinlab.study.trial import member_conditions


class BalanceRow(BaseModel):
    """One trial with one of its members first."""

    trial_id: str
    first_condition: str = Field(description="The condition of what is heard first.")
    completed: list[int] = Field(
        description="Completed sessions by the position in the block, of the trial or its page."
    )


class BlockBalance(BaseModel):
    """The cells of one block."""

    block_id: str
    first_position: int = Field(description="Of the block, counted over all blocks from 1.")
    rows: list[BalanceRow]
    apart: int = Field(
        description="Largest difference between cells that should be equal. A trial of one "
        "recording has one cell where others have two: those are compared among themselves."
    )


async def of_study(session: AsyncSession, study: StoredStudy, kind: str) -> list[BlockBalance]:
    """The cells of every block of this version of a study."""
    counting = select(Participant.id).where(
        Participant.study_id == study.id,
        Participant.kind == kind,
        Participant.completed_at.is_not(None),
        Participant.withdrawn_at.is_(None),
        ~Participant.left_out,
    )
    rows = await session.execute(
        select(
            Presentation.trial_id,
            Presentation.first_member,
            Presentation.position,
            func.count(),
        )
        .where(Presentation.participant_id.in_(counting))
        .group_by(Presentation.trial_id, Presentation.first_member, Presentation.position)
    )
    counted = {(trial_id, first, position): n for trial_id, first, position, n in rows}
    found = []
    first_position = 1
    for block in study.definition.blocks:
        # What hangs on the answers was never to be in balance.
        if not kind_of(block).chosen_by_answers:
            found.append(_block(block, first_position, counted))
        first_position += length_of(block)
    return found


def _block(
    block: Block, first_position: int, counted: dict[tuple[str, str, int], int]
) -> BlockBalance:
    # Cells that no row of the schedule holds stay empty by design, and say nothing of balance.
    # Within a page the order is by chance, so that pages have positions.
    size = page_size(block)
    pages = len(block.trials) // size
    planned = {
        (place.trial, place.first_member, at // size)
        for row in rows_of(block)
        for at, place in enumerate(row)
    }
    rows = []
    comparable: dict[int, list[int]] = {}
    for index, trial in enumerate(block.trials):
        conditions = member_conditions(trial)
        for member, condition in zip("ab", conditions, strict=False):
            if not any((index, member, at) in planned for at in range(pages)):
                continue
            completed = [
                sum(
                    counted.get((trial.id, member, first_position + at * size + on_page), 0)
                    for on_page in range(size)
                )
                for at in range(pages)
            ]
            rows.append(
                BalanceRow(trial_id=trial.id, first_condition=condition, completed=completed)
            )
            cells = [n for at, n in enumerate(completed) if (index, member, at) in planned]
            comparable.setdefault(len(conditions), []).extend(cells)
    return BlockBalance(
        block_id=block.id,
        first_position=first_position,
        rows=rows,
        apart=max(max(cells) - min(cells) for cells in comparable.values()),
    )
