"""What was measured is told of the recordings that were presented, in the order of their places."""

from httpx import AsyncClient
from sqlalchemy import select

from tests.monitoring.watched import careful, put_watched, take_part
from thinlab.contract.columns import SESSION_COLUMNS, flatten
from thinlab.database.schema import Presentation, Recording
from thinlab.trials.listening.measured import DELAY_METRICS, measured
from thinlab.web.services import Services


async def test_of_each_place_the_metrics_of_its_own_recording(
    browser: AsyncClient, services: Services
) -> None:
    await put_watched(services)
    await take_part(browser, services.database, careful)
    async with services.database.transaction() as session:
        found = await measured(session, "watched")
        presented = list(await session.scalars(select(Presentation)))
        recordings = {row.id: row for row in await session.scalars(select(Recording))}
        nothing = await measured(session, "demo")
    assert found.keys() == {one.id for one in presented}
    assert nothing == {}
    for one in presented:
        places = found[one.id]
        ids = [one.first_recording_id, one.second_recording_id]
        assert len(places) == 2
        for place, id_ in zip(places, ids, strict=True):
            assert id_ is not None
            whole = flatten(SESSION_COLUMNS, recordings[id_].result)
            assert place == {metric.name: whole[metric.name] for metric in DELAY_METRICS}
    pair = next(one for one in presented if one.trial_id == "speech")
    first, second = found[pair.id]
    assert first != second
