"""The recorder: makes what is missing, survives an agent that dies, stores nothing doubtful.

SPDX-License-Identifier: Apache-2.0
"""

import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import pytest_asyncio
from httpx import ASGITransport, AsyncClient
from sqlalchemy import func, select

from tests.made_up import Participant, sign_in
from tests.stand_in import StandIn, serving
from thinlab.database.schema import Recording, TrialRecording
from thinlab.lab import patience
from thinlab.lab.agent import Agent
from thinlab.recording.recorder import Recorder
from thinlab.study import catalogue, progress
from thinlab.study.catalogue import StoredStudy
from thinlab.study.overview import RecordingStatus, StudyOverview
from thinlab.web.app import make_app
from thinlab.web.services import Services


@dataclass
class Lab:
    """A recorder before a stand-in agent."""

    agent: StandIn
    services: Services
    study: StoredStudy

    @property
    def recorder(self) -> Recorder:
        return self.services.recorder

    async def record(self) -> StudyOverview:
        """Makes what is missing and waits for it."""
        await self.recorder.ask(self.study)
        await self.recorder.wait(self.study)
        async with self.services.database.transaction() as session:
            return await progress.overview(session, self.study, self.recorder, self.services.clips)

    async def in_use(self) -> dict[tuple[str, int, str], str]:
        """Keys of the recordings in use."""
        async with self.services.database.transaction() as session:
            recordings = await catalogue.recordings_of(session, self.study)
        return {place: recording.key for place, recording in recordings.items()}


@pytest_asyncio.fixture
async def lab(services: Services, tmp_path: Path) -> AsyncIterator[Lab]:
    agent = StandIn()  # type: ignore[abstract]  # the recorder opens no lanes
    async with serving(agent, tmp_path / "lab.sock") as address:
        client = Agent(address)
        recorder = Recorder(services.database, client, services.clips, services.store)
        async with services.database.transaction() as session:
            study = await catalogue.current(session, "demo")
        assert study is not None
        yield Lab(agent, replace(services, recorder=recorder), study)
        await recorder.close()
        await client.close()


def problems(overview: StudyOverview) -> set[str | None]:
    """What is said of the recordings that failed."""
    return {
        recording.problem
        for trial in overview.trials
        for recording in trial.recordings
        if recording.status is RecordingStatus.FAILED
    }


async def test_a_study_becomes_ready(lab: Lab) -> None:
    async with AsyncClient(
        transport=ASGITransport(make_app(lab.services, None)), base_url="http://thinlab.test"
    ) as browser:
        assert (await browser.get("/api/studies/demo")).json()["state"] == "preparing"
        refused = await browser.post(
            "/api/studies/demo/participants",
            json={"consent_version": "1", "join_key": "5f3f8f3e-6ad6-4c5f-9ab0-3a6ffbb0e2a5"},
        )
        assert refused.json()["type"] == "/problems/preparing"
        overview = await lab.record()
        assert overview.recordings_ready == overview.recordings_total == 5
        assert not overview.making
        assert (await browser.get("/api/studies/demo")).json()["state"] == "open"
        await (await Participant.join(browser)).take_all()
    assert lab.agent.sessions == 5
    for trial in overview.trials:
        for recording in trial.recordings:
            assert recording.result is not None
            assert recording.result.metrics.application.per_message.cdf


async def test_what_exists_is_not_made_again(lab: Lab) -> None:
    await lab.record()
    again = await lab.record()
    assert again.recordings_ready == 5
    assert lab.agent.sessions == 5


async def test_a_lost_cache_is_made_again_and_is_the_same(lab: Lab) -> None:
    await lab.record()
    before = await lab.in_use()
    shutil.rmtree(lab.services.store.folder)
    assert problems(await lab.record()) == set()
    assert await lab.in_use() == before
    assert lab.agent.sessions == 10


async def test_a_new_host_build_makes_new_recordings_beside_the_old(lab: Lab) -> None:
    await lab.record()
    before = await lab.in_use()
    lab.agent.build = "another"
    await lab.record()
    after = await lab.in_use()
    assert before.keys() == after.keys()
    assert not set(before.values()) & set(after.values())
    async with lab.services.database.transaction() as session:
        assert await session.scalar(select(func.count()).select_from(Recording)) == 10


async def test_an_agent_that_dies_is_waited_for(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "FIRST_PAUSE_S", 0.001)
    lab.agent.dies_in_next = 7
    overview = await lab.record()
    assert problems(overview) == set()
    assert overview.recordings_ready == 5
    assert lab.agent.sessions == 12


async def test_a_refusal_is_told_and_nothing_is_stored(lab: Lab) -> None:
    lab.agent.refusal = "linear_timeouts: this kernel has it not"
    overview = await lab.record()
    (problem,) = problems(overview)
    assert problem is not None
    assert "this kernel has it not" in problem
    assert overview.recordings_ready == 0
    assert not lab.services.store.folder.exists()
    lab.agent.refusal = None
    assert problems(await lab.record()) == set()


async def test_a_recording_of_another_length_is_refused(lab: Lab) -> None:
    lab.agent.cut_bytes = 2
    overview = await lab.record()
    assert len(problems(overview)) == 2
    assert all("bytes" in (problem or "") for problem in problems(overview))
    async with lab.services.database.transaction() as session:
        assert await session.scalar(select(func.count()).select_from(TrialRecording)) == 0


async def test_a_host_that_does_not_repeat_itself_is_found_out(lab: Lab) -> None:
    await lab.record()
    before = await lab.in_use()
    shutil.rmtree(lab.services.store.folder)
    lab.agent.salt = b"different"
    overview = await lab.record()
    assert await lab.in_use() == before
    assert "came out differently" in str(
        [lab.recorder.on_the_way(lab.study, trial.id, "a")[1] for trial in overview.trials]
    )


async def test_the_researcher_can_ask_for_it(lab: Lab) -> None:
    async with AsyncClient(
        transport=ASGITransport(make_app(lab.services, None)), base_url="http://thinlab.test"
    ) as browser:
        await sign_in(browser, lab.services)
        asked = await browser.post("/api/researcher/studies/demo/record")
        assert asked.status_code == 202
        assert asked.json()["queued"] == 5
        await lab.recorder.wait(lab.study)
        study = (await browser.get("/api/researcher/studies/demo")).json()
        first = study["trials"][0]["recordings"][0]
        audio = await browser.get(f"/api/researcher/recordings/{first['id']}/audio")
        assert audio.content[:4] == b"RIFF"
        for side in ("sender", "receiver"):
            path = f"/api/researcher/recordings/{first['id']}/captures/{side}.pcapng"
            assert (await browser.get(path)).content == side.encode()
        assert (await browser.get("/api/researcher/recordings/999/audio")).status_code == 404
