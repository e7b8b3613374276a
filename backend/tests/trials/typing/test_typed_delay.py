"""What was measured is told of the sessions that count, in the order of their places."""

import pytest
from httpx import AsyncClient
from sqlalchemy import select

from tests import made_up_typing
from tests.made_up import typing_definition
from thinlab.contract.columns import MetricColumn
from thinlab.database.schema import Presentation, TypingSession
from thinlab.study import catalogue
from thinlab.trials.typing.measured import DELAY_METRICS, measured
from thinlab.web.services import Services


async def test_of_each_place_the_metrics_of_the_session_that_counts(
    browser: AsyncClient, services: Services
) -> None:
    async with services.database.transaction() as session:
        await catalogue.load(session, typing_definition())
    typist = await made_up_typing.join(browser, services)
    trial = await typist.open_trial()
    token = trial["first"]["session_token"]
    await made_up_typing.type_session(services, typist, token, void="hidden")
    async with services.database.transaction() as session:
        assert await measured(session, "typing") == {}
    await made_up_typing.take_all(services, typist, "second")
    async with services.database.transaction() as session:
        found = await measured(session, "typing")
        presented = list(await session.scalars(select(Presentation)))
        done = {
            (row.presentation_id, row.place): row
            for row in await session.scalars(
                select(TypingSession).where(TypingSession.state == "done")
            )
        }
    assert found.keys() == {one.id for one in presented}
    for presentation, places in found.items():
        for name, place in zip(("first", "second"), places, strict=True):
            row = done[presentation, name]
            assert row.measures is not None
            assert place["echo_p99_ms"] == row.measures["echo"]["p99_ms"]
            assert place["bursts_keys_max"] == row.measures["bursts"]["keys_max"]


@pytest.mark.parametrize("metric", DELAY_METRICS, ids=lambda metric: metric.name)
def test_every_metric_has_words_to_be_shown_by(metric: MetricColumn) -> None:
    assert metric.meaning
    assert all(part.strip() for part in metric.title.split(","))
