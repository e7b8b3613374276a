"""Planned power is what bots get who take whole studies over HTTP.

`backend/power-bots` sends enough of them for three points; the short form sends few.
"""

import math
import os

import pytest
from scipy import stats
from sqlalchemy import select

from tests.applications import app_over
from tests.bots.planted import Planted, pair, plant
from thinlab.analysis.asked import Asked
from thinlab.analysis.hypotheses.judged import hypotheses
from thinlab.analysis.plan import plan_of
from thinlab.analysis.simulated.declared_power import DeclaredPlanner
from thinlab.analysis.simulated.power import Assumed
from thinlab.bots.crowd import Plan
from thinlab.database.schema import Participant
from thinlab.trials.registry import KINDS, bot_parts
from thinlab.web.services import Services

pytestmark = pytest.mark.long
STUDIES = int(os.environ.get("THINLAB_STUDIES", "12"))
PARTICIPANTS = 16
# Of middling power, where a deviation would show most.
SHARE = 0.7
SHOWN = {"difference", "small_difference"}
ANALYSIS = {
    "hypothesis": "Modified is better.",
    "hypotheses": [
        {"id": "changes", "compares": "pooled", "conditions": ["plain", "modified"]}
        | {"trials": ["pair-1", "pair-2"], "smallest_effect": 0.25}
    ],
}
# Bots are alike, and so are all recordings of a condition.
ALIKE = Assumed(recordings=0.0, participants=0.0)


async def test_bots_get_the_planned_power(services: Services) -> None:
    server = app_over(services)
    study = await plant(services, [pair(1, runs=3), pair(2, runs=3)], analysis=ANALYSIS)
    field = Planted(server, services, study)
    utilities = {"plain": 0.0, "modified": math.log(SHARE / (1 - SHARE))}
    for number in range(STUDIES):
        crowd = Plan({"honest": 1.0}, PARTICIPANTS, seed=number, parts=bot_parts())
        await field.let_loose(crowd, utilities)
    async with services.database.transaction() as session:
        people = list(
            await session.scalars(
                select(Participant.pseudonym)
                .where(Participant.study_id == study.id, Participant.kind == "bot")
                .order_by(Participant.id)
            )
        )
        votes, _ = await Asked(study, KINDS, frozenset(), frozenset({"bot"})).votes(session)
    assert len(people) == STUDIES * PARTICIPANTS
    plan = plan_of(study.definition)
    found = 0
    for start in range(0, len(people), PARTICIPANTS):
        mine = set(people[start : start + PARTICIPANTS])
        (one,), _ = hypotheses(plan, [vote for vote in votes if vote.participant in mine])
        found += one.verdict in SHOWN
    planned = DeclaredPlanner(study.definition, 4000, 1, ALIKE).power(
        {"changes": SHARE - 0.5}, PARTICIPANTS
    )
    power = planned.each["changes"].difference.share
    print(f"planned {100 * power:.1f} %, bots {100 * found / STUDIES:.1f} % of {STUDIES} studies")
    assert 0.2 < power < 0.95, "an effect that tells nothing"
    assert stats.binomtest(found, STUDIES, power).pvalue > 0.001
    if STUDIES >= 1000:
        assert abs(found / STUDIES - power) < 0.03
