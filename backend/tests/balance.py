"""How evenly presentations are spread over trial × position × first member.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter

from sqlalchemy import ColumnElement, select

from thinlab.database.engine import Database
from thinlab.database.schema import Participant, Presentation

Cells = Counter[tuple[str, int, str]]


async def cells_of(database: Database, *whose: ColumnElement[bool]) -> Cells:
    """The presentations of those participants of whom all this is true."""
    async with database.transaction() as session:
        rows = await session.execute(
            select(Presentation.trial_id, Presentation.position, Presentation.first_member)
            .join(Participant, Participant.id == Presentation.participant_id)
            .where(*whose)
        )
        return Counter((trial, position, member) for trial, position, member in rows)
