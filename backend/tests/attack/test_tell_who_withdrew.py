"""Reads the whole database after a withdrawal, or after the retention, and looks for who it was.

An invitation may bear a name. Whoever has its row must not find the participant's by it: not by a
number, a hash, or an instant that both rows hold. On a database of its own, for strangers have none
to read.

SPDX-License-Identifier: Apache-2.0
"""

import uuid
from datetime import datetime, timedelta
from typing import Any

import httpx
from sqlalchemy import Table, func, select, update

from tests.attack.aim import Instance
from tests.made_up import Participant
from thinlab import tokens
from thinlab.database.engine import Database
from thinlab.database.schema import Base, Invitation
from thinlab.database.schema import Participant as ParticipantRow
from thinlab.participation import invitation, withdrawal

NAME = "Kari Nordmann"
Cells = dict[str, set[Any]]


async def _cells(database: Database) -> Cells:
    """Every table's instants, hashes and keys."""
    found: Cells = {}
    async with database.transaction() as session:
        for table in Base.metadata.sorted_tables:
            rows = (await session.execute(select(table))).all()
            cells = [cell for row in rows for cell in row]
            found[table.name] = {cell for cell in cells if isinstance(cell, datetime)} | {
                cell for cell in cells if isinstance(cell, bytes | uuid.UUID)
            }
    return found


async def _texts(database: Database) -> str:
    async with database.transaction() as session:
        tables: list[Table] = Base.metadata.sorted_tables
        return repr([(await session.execute(select(table))).all() for table in tables])


async def _takes_part(own: Instance, visitor: httpx.AsyncClient) -> tuple[Participant, str]:
    """Somebody comes by an invitation that bears their name, and goes to the end."""
    assert own.inside is not None
    async with own.inside.database.transaction() as session:
        (token,) = await invitation.create(session, own.study, count=1, label=NAME)
    somebody = await Participant.join(visitor, own.study, invitation=token)
    await somebody.take_all()
    return somebody, token


async def test_after_a_withdrawal(own: Instance, visitor: httpx.AsyncClient) -> None:
    assert own.inside is not None
    database = own.inside.database
    # Others, too: it must be theirs alone that goes.
    await (await Participant.join(visitor, own.study)).take_all()
    somebody, token = await _takes_part(own, visitor)
    left = await visitor.delete("/api/participation", headers=somebody.headers)
    assert left.status_code == httpx.codes.NO_CONTENT
    cells = await _cells(database)
    shared = {
        name: cells["invitation"] & others for name, others in cells.items() if name != "invitation"
    }
    assert {name: both for name, both in shared.items() if both} == {}
    assert NAME not in await _texts(database)
    # Nor may the link be used once more.
    again = await visitor.post(
        f"/api/studies/{own.study}/participants",
        json={"consent_version": "1", "join_key": str(uuid.uuid4()), "invitation": token},
    )
    assert again.status_code == httpx.codes.FORBIDDEN


async def test_after_the_retention(own: Instance, visitor: httpx.AsyncClient) -> None:
    assert own.inside is not None
    database = own.inside.database
    somebody, token = await _takes_part(own, visitor)
    gone, gone_token = await _takes_part(own, visitor)
    await visitor.delete("/api/participation", headers=gone.headers)
    async with database.transaction() as session:
        kept = await session.scalar(select(ParticipantRow.join_key).limit(1))
        study = Base.metadata.tables["study"]
        with_retention = study.c.definition.op("||")({"retention_days": 30})
        await session.execute(update(study).values(definition=with_retention))
        month = timedelta(days=31)
        await session.execute(update(ParticipantRow).values(joined_at=func.now() - month))
        await session.execute(update(Invitation).values(created_at=func.now() - month))
    async with database.transaction() as session:
        await withdrawal.erase_links(session)
    texts = await _texts(database)
    hashes = [tokens.token_hash(one) for one in (token, gone_token, somebody.token, gone.token)]
    for trace in (NAME, *(repr(one) for one in hashes), repr(kept)):
        assert trace not in texts
