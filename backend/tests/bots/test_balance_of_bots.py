"""Balance over completed sessions, with many that leave and many that come at one moment.

Within one, because a stop rule keeps the study open until the places of those who left are taken
again. Without one, whoever leaves last leaves a gap.
"""

from collections import Counter
from datetime import timedelta

import pytest
from sqlalchemy import func, update

from tests.applications import app_over
from tests.balance import Cells, cells_of
from tests.bots.planted import Planted, pair, plant
from thinlab.bots.bot import End
from thinlab.bots.crowd import Crowd, Plan
from thinlab.database.schema import Participant
from thinlab.participation import places
from thinlab.trials.registry import bot_parts
from thinlab.web.services import Services

SOUNDS_ALIKE = {"plain": 0.0, "modified": 0.0}


class Arrivals(Planted):
    """Bots that come in waves; between waves, who left is found to be gone."""

    async def wave(self, plan: Plan) -> Crowd:
        """Sends bots, to whom all sounds alike."""
        return await self.let_loose(plan, SOUNDS_ALIKE)

    async def an_hour_passes(self) -> None:
        """Whoever has not completed was last seen too long ago."""
        ago = func.now() - places.ABANDONED_AFTER - timedelta(minutes=1)
        async with self.services.database.transaction() as session:
            await session.execute(
                update(Participant)
                .where(Participant.completed_at.is_(None))
                .values(last_seen_at=ago)
                .execution_options(synchronize_session=False)
            )

    async def cells(self) -> Cells:
        """Over completed sessions."""
        return await cells_of(self.services.database, Participant.completed_at.is_not(None))


def spread(cells: Cells, trials: int) -> int:
    """The most minus the least used cell, of all that there could be."""
    used = [
        cells[(f"pair-{trial}", position, first)]
        for trial in range(1, trials + 1)
        for position in range(1, trials + 1)
        for first in "ab"
    ]
    return max(used) - min(used)


@pytest.mark.parametrize(("trials", "people", "completed"), [(4, 60, 41), (3, 100, 70)])
async def test_balance_with_thirty_percent_abandonment(
    services: Services, trials: int, people: int, completed: int
) -> None:
    server = app_over(services)
    study = await plant(
        services, [pair(number) for number in range(1, trials + 1)], stop={"completed": completed}
    )
    arrivals = Arrivals(server, services, study)
    mix = {"honest": 0.7, "abandoning": 0.3}
    ends: Counter[End] = Counter()
    # In four waves; places of those who left are filled by who comes later.
    for number in range(4):
        crowd = await arrivals.wave(
            Plan(mix, people // 4, seed=number, parts=bot_parts(), at_once=10)
        )
        ends += Counter(one.end for one in crowd.outcomes)
        await arrivals.an_hour_passes()
    while ends[End.COMPLETE] < completed:
        crowd = await arrivals.wave(
            Plan({"honest": 1.0}, 20, seed=99, parts=bot_parts(), at_once=10)
        )
        ends += Counter(one.end for one in crowd.outcomes)
    assert ends[End.ABANDONED] >= people * 3 // 20
    assert ends[End.COMPLETE] == completed
    cells = await arrivals.cells()
    assert sum(cells.values()) == completed * trials
    assert spread(cells, trials) <= 1


async def test_a_hundred_at_the_same_moment(services: Services) -> None:
    server = app_over(services)
    study = await plant(services, [pair(1), pair(2), pair(3)], stop={"completed": 60})
    arrivals = Arrivals(server, services, study)
    crowd = await arrivals.wave(Plan({"honest": 1.0}, 100, seed=1, parts=bot_parts()))
    ends = Counter(one.end for one in crowd.outcomes)
    assert ends == {End.COMPLETE: 60, End.FULL: 40}
    assert spread(await arrivals.cells(), 3) == 0
