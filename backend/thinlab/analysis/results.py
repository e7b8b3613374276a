"""A study's results from the database: which votes count, and what they say.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable
from functools import partial

from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.analysis.asked import Asked
from thinlab.analysis.kept import Kept, Reading, reading
from thinlab.analysis.registry import RESULT_KINDS, StudyResults
from thinlab.analysis.study import analyse

_KEPT: Kept[StudyResults] = Kept()


async def of_study(session: AsyncSession, asked: Asked) -> StudyResults:
    """What the votes say. Holds the transaction while it works: a server takes two steps."""
    return await (await read(session, asked)).worked_out()


async def read(session: AsyncSession, asked: Asked) -> Reading[StudyResults]:
    """The votes, and what each kind of result needs beside them."""
    needed = {kind.name: await kind.needed(session, asked) for kind in RESULT_KINDS}
    fingerprints = (kind.fingerprint(needed[kind.name]) for kind in RESULT_KINDS)

    async def votes() -> Callable[[], StudyResults]:
        found, left_out = await asked.votes(session)
        return partial(analyse, asked.plan, found, left_out, needed)

    return await reading(_KEPT, (*await asked.fingerprint(session), *fingerprints), votes)
