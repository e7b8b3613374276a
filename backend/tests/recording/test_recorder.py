"""The recorder: makes what was asked for on Dask workers, and stores nothing doubtful.

The workers are processes; the agent that they ask is a stand-in, for what a
real one cannot be made to do on demand. `test_recording_for_real.py` has one.

SPDX-License-Identifier: Apache-2.0
"""

import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import dask
import numpy as np
import pytest
import pytest_asyncio
from distributed import LocalCluster
from sqlalchemy import delete, func, select

from tests.made_up import block, in_two_modes, made_up_clips, study_definition
from tests.stand_in import StandIn, serving
from thinlab.clips import wav
from thinlab.database.schema import Recording, RecordingJob, TrialRecording
from thinlab.lab.team import Workers
from thinlab.recording import overview, registry, trial_recordings
from thinlab.recording.overview import MemberRecording, RecordingStatus, StudyRecordings
from thinlab.recording.recorder import Recorder
from thinlab.study import catalogue
from thinlab.study.catalogue import StoredStudy
from thinlab.study.definition import StudyDefinition
from thinlab.web.services import Services


@pytest_asyncio.fixture(scope="module")
async def scheduler() -> AsyncIterator[str]:
    """The address of a Dask cluster of two processes."""
    async with LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        asynchronous=True,
        dashboard_address="127.0.0.1:0",
    ) as cluster:
        yield cluster.scheduler_address


@dataclass
class Lab:
    """A recorder before a stand-in agent."""

    agent: StandIn
    services: Services
    workers: Workers
    predictions: bool = True

    async def load(self, definition: StudyDefinition) -> StoredStudy:
        """Makes this the current version of its study."""
        async with self.services.database.transaction() as session:
            return await catalogue.load(session, definition)

    async def demo(self) -> StoredStudy:
        """The study that is always there."""
        async with self.services.database.transaction() as session:
            study = await catalogue.current(session, "demo")
        assert study is not None
        return study

    async def ask(self, study: StoredStudy, host_build: str | None = None) -> int:
        """As pressing Record does; returns how many are on their way."""
        here = self.services
        async with here.database.transaction() as session:
            return await trial_recordings.ask_for_missing(
                session, study, here.clips, here.store, host_build
            )

    async def make(self) -> None:
        """Makes all that was asked for."""
        here = self.services
        recorder = Recorder(
            here.database,
            here.clips,
            here.store,
            self.workers,
            predictions=self.predictions,
        )
        await recorder.make_all()

    async def look(self, study: StoredStudy) -> StudyRecordings:
        """What the researcher sees."""
        async with self.services.database.transaction() as session:
            return await overview.of_study(session, study, self.services.clips)

    async def record(self, study: StoredStudy, host_build: str | None = None) -> StudyRecordings:
        """Asks, makes and looks."""
        await self.ask(study, host_build)
        await self.make()
        return await self.look(study)

    async def in_use(self, study: StoredStudy) -> dict[tuple[str, int, str], str]:
        """Keys of the recordings in use."""
        async with self.services.database.transaction() as session:
            recordings = await catalogue.recordings_of(session, study)
        return {place: recording.key for place, recording in recordings.items()}


@pytest_asyncio.fixture
async def lab(services: Services, scheduler: str, tmp_path: Path) -> AsyncIterator[Lab]:
    agent = StandIn()  # type: ignore[abstract]  # nobody asks for a live run
    async with serving(agent, tmp_path / "lab.sock") as address:
        yield Lab(agent, services, Workers(lab=address, scheduler=scheduler))


def members(seen: StudyRecordings) -> list[MemberRecording]:
    """All recordings of a study."""
    return [member for trial in seen.trials for run in trial.runs for member in run.members]


def problems(seen: StudyRecordings) -> set[tuple[str | None, str | None]]:
    """What is said of the recordings that failed, with the remedy."""
    return {
        (member.problem, member.remedy)
        for member in members(seen)
        if member.status is RecordingStatus.FAILED
    }


def counts(seen: StudyRecordings) -> tuple[int, int, int, int]:
    """Total, ready, under way, failed."""
    return (
        seen.counts.total,
        seen.counts.ready,
        seen.counts.under_way,
        seen.counts.failed,
    )


async def test_what_is_asked_for_is_made(lab: Lab) -> None:
    demo = await lab.demo()
    assert counts(await lab.look(demo)) == (5, 0, 0, 0)
    assert await lab.ask(demo) == 5
    before = await lab.look(demo)
    assert counts(before) == (5, 0, 5, 0)
    assert {member.status for member in members(before)} == {RecordingStatus.QUEUED}
    await lab.make()
    seen = await lab.look(demo)
    assert counts(seen) == (5, 5, 0, 0)
    assert seen.progress_share == 1.0
    assert seen.time_left_s is None
    assert lab.agent.sessions == 5
    for member in members(seen):
        assert member.id is not None
        assert member.figures is not None
        assert member.host_build == "stand-in"
        (predicted,) = member.predicted
        assert predicted.measure == "visqol_speech"
        assert predicted.score is None
        assert predicted.reason == "shorter than 3 s"
    assert seen.predictions_missing == 0


async def test_a_reference_is_made_without_a_host_and_looks_like_any_other(lab: Lab) -> None:
    """Beside what is sent, in the same pair: nothing that a browser gets tells them apart."""
    references: dict[str, dict[str, Any]] = {
        "original": {"reference": "unprocessed"},
        "noisy": {"reference": "mnru", "q_db": 10},
        "low": {"reference": "low_pass_3500"},
    }
    trials = [
        {"kind": "pair", "id": name, "clip": "speech", "seed": 1, "conditions": ["plain", name]}
        for name in references
    ]
    conditions = in_two_modes("all", loss_share=0.02) | references
    study = await lab.load(
        study_definition(slug="references", conditions=conditions, blocks=[block(trials)])
    )
    seen = await lab.record(study)
    assert (counts(seen), problems(seen)) == ((6, 6, 0, 0), set())
    assert lab.agent.sessions == 1
    sent = [member for member in members(seen) if member.condition.name == "plain"]
    made = [member for member in members(seen) if member.condition.name != "plain"]
    assert all(member.figures is not None for member in sent)
    assert all(member.figures is None and member.predicted for member in made)
    here, ids = lab.services, [member.id for member in made]
    async with here.database.transaction() as session:
        rows = (await session.scalars(select(Recording))).all()
        assert [await registry.result_of(session, id_ or 0) for id_ in ids] == [None] * 3
    assert len({row.duration_ms for row in rows}) == 1
    assert len({row.host_build for row in rows}) == 1
    headers = {
        (len(audio), audio[: wav.HEADER_BYTES])
        for audio in ((here.store.folder / row.key / "recording.wav").read_bytes() for row in rows)
    }
    assert len(headers) == 1
    clip = here.clips.samples("speech")
    (original,) = (row for row in rows if row.condition == references["original"] | {"q_db": None})
    assert await here.store.samples(original.key) == clip
    # Nothing is left to be made, and a lost one is made again, the same.
    before = await lab.in_use(study)
    assert await lab.ask(study) == 0
    shutil.rmtree(here.store.folder / before["noisy", 0, "b"])
    assert problems(await lab.record(study)) == set()
    assert await lab.in_use(study) == before


async def test_what_a_recorder_that_died_had_not_put_to_use_is_used(lab: Lab) -> None:
    demo = await lab.demo()
    await lab.record(demo)
    used = await lab.in_use(demo)
    async with lab.services.database.transaction() as session:
        await session.execute(delete(TrialRecording).where(TrialRecording.study_id == demo.id))
    await lab.make()
    assert await lab.in_use(demo) == used


async def test_pressing_twice_and_two_studies_make_nothing_twice(lab: Lab) -> None:
    demo = await lab.demo()
    same = await lab.load(study_definition(slug="another"))
    assert [await lab.ask(demo), await lab.ask(demo), await lab.ask(same)] == [5, 5, 5]
    await lab.make()
    assert lab.agent.sessions == 5
    assert counts(await lab.look(same)) == (5, 5, 0, 0)
    assert (await lab.in_use(demo)) == (await lab.in_use(same))
    assert await lab.ask(demo) == 0
    await lab.make()
    assert lab.agent.sessions == 5


async def test_a_prediction_follows_the_recording_where_it_is_wanted(
    lab: Lab, tmp_path: Path
) -> None:
    """Labelled with measure and version; without it the recording is ready all the same."""
    clips = made_up_clips(tmp_path)
    tone = wav.encode(sweep(seconds=3))
    (tmp_path / "speech.wav").write_bytes(tone)
    entry = clips.manifest["speech"].model_copy(update={"sha256": sha256(tone).hexdigest()})
    lab.services = replace(
        lab.services, clips=replace(clips, manifest={**clips.manifest, "speech": entry})
    )
    trial = {"kind": "control", "id": "one", "clip": "speech", "condition": "plain", "seed": 1}
    study = await lab.load(study_definition(slug="predicted", blocks=[block([trial])]))
    lab.predictions = False
    seen = await lab.record(study)
    assert counts(seen) == (1, 1, 0, 0)
    assert (members(seen)[0].predicted, seen.predictions_missing) == ([], 1)
    lab.predictions = True
    await lab.make()
    seen = await lab.look(study)
    ((predicted,), missing) = (members(seen)[0].predicted, seen.predictions_missing)
    assert missing == 0
    assert predicted.measure == "visqol_speech"
    assert predicted.version.startswith("visqol-python ")
    assert predicted.score is not None
    assert 1 <= predicted.score <= 5
    assert lab.agent.sessions == 1


def sweep(seconds: int) -> bytes:
    """A tone that rises, and sounds all the time."""
    at = np.arange(seconds * wav.SAMPLE_RATE_HZ) / wav.SAMPLE_RATE_HZ
    tone = 0.5 * np.sin(2 * np.pi * (200 + 300 * at) * at)
    samples: bytes = (tone * 32_767).astype("<i2").tobytes()
    return samples


@pytest.mark.parametrize(("matched", "sessions"), [(True, 6), (False, 6)])
async def test_runs_have_seeds_of_their_own(lab: Lab, matched: bool, sessions: int) -> None:
    trial = {"kind": "pair", "id": "speech", "clip": "speech", "seed": 10, "runs": 3}
    trial |= {"conditions": ["plain", "modified"], "matched": matched}
    study = await lab.load(study_definition(slug="runs", blocks=[block([trial])]))
    seen = await lab.record(study)
    assert lab.agent.sessions == sessions
    seeds = [[member.seed for member in run.members] for run in seen.trials[0].runs]
    assert seeds == ([[10, 10], [11, 11], [12, 12]] if matched else [[10, 11], [12, 13], [14, 15]])
    assert len(set((await lab.in_use(study)).values())) == 6
    assert [run.same_audio for run in seen.trials[0].runs] == [False] * 3


async def test_a_lost_or_damaged_cache_is_made_again_and_is_the_same(lab: Lab) -> None:
    demo = await lab.demo()
    await lab.record(demo)
    before = await lab.in_use(demo)
    damaged = lab.services.store.folder / before["speech", 0, "a"] / "recording.wav"
    damaged.write_bytes(damaged.read_bytes()[:-2] + b"xx")
    assert problems(await lab.record(demo)) == set()
    assert lab.agent.sessions == 6
    shutil.rmtree(lab.services.store.folder)
    assert problems(await lab.record(demo)) == set()
    assert await lab.in_use(demo) == before
    assert lab.agent.sessions == 11


async def test_a_study_keeps_its_recordings_on_a_new_host(lab: Lab) -> None:
    """The sound must not change under its participants."""
    study = await lab.load(study_definition(slug="kept", record="on_demand"))
    await lab.record(study)
    before = await lab.in_use(study)
    lab.agent.build = "another"
    await lab.record(study)
    assert await lab.in_use(study) == before
    # One member lost: both come from the new host.
    shutil.rmtree(lab.services.store.folder / before["speech", 0, "a"])
    await lab.record(study)
    after = await lab.in_use(study)
    changed = {place for place in after if after[place] != before[place]}
    assert changed == {("speech", 0, "a"), ("speech", 0, "b")}


async def test_a_study_that_records_at_start_follows_the_host(lab: Lab) -> None:
    study = await lab.load(study_definition(slug="eager", record="at_start"))
    await lab.record(study)
    before = await lab.in_use(study)
    lab.agent.build = "another"
    await lab.record(study, host_build="another")
    after = await lab.in_use(study)
    assert before.keys() == after.keys()
    assert not set(before.values()) & set(after.values())
    async with lab.services.database.transaction() as session:
        assert await session.scalar(select(func.count()).select_from(Recording)) == 10


async def test_a_changed_study_finds_what_was_made(lab: Lab) -> None:
    """A new text is a new version: nobody has to press Record for it."""
    await lab.record(await lab.demo())
    here = lab.services
    changed = await lab.load(study_definition(title="Another title"))
    async with here.database.transaction() as session:
        await trial_recordings.supply(session, changed, here.clips, here.store)
    assert counts(await lab.look(changed)) == (5, 5, 0, 0)
    assert lab.agent.sessions == 5


async def test_an_agent_that_dies_is_waited_for(lab: Lab) -> None:
    lab.agent.dies_in_next = 3
    seen = await lab.record(await lab.demo())
    assert counts(seen) == (5, 5, 0, 0)
    assert lab.agent.sessions == 8


async def test_a_refusal_is_told_with_its_remedy_and_can_be_asked_again(lab: Lab) -> None:
    demo = await lab.demo()
    lab.agent.refusal = "linear_timeouts: this kernel has it not"
    seen = await lab.record(demo)
    ((problem, remedy),) = problems(seen)
    assert problem is not None
    assert remedy is not None
    assert "this kernel has it not" in problem
    assert "press Record again" in remedy
    assert counts(seen) == (5, 0, 0, 5)
    assert not lab.services.store.folder.exists()
    lab.agent.refusal = None
    assert counts(await lab.record(demo)) == (5, 5, 0, 0)


async def test_a_recording_of_another_length_is_refused(lab: Lab) -> None:
    lab.agent.cut_bytes = 2
    seen = await lab.record(await lab.demo())
    assert counts(seen) == (5, 0, 0, 5)
    assert all("bytes" in (problem or "") for problem, _ in problems(seen))
    async with lab.services.database.transaction() as session:
        assert await session.scalar(select(func.count()).select_from(TrialRecording)) == 0


async def test_a_host_that_does_not_repeat_itself_is_found_out(lab: Lab) -> None:
    demo = await lab.demo()
    await lab.record(demo)
    shutil.rmtree(lab.services.store.folder)
    lab.agent.salt = b"different"
    seen = await lab.record(demo)
    # Nothing lies under a key that is not what was heard under it before.
    assert not lab.services.store.folder.exists()
    assert await lab.in_use(demo) == {}
    assert all("came out differently" in (problem or "") for problem, _ in problems(seen))
    assert counts(seen)[3] == 5


async def test_what_a_dead_recorder_had_under_way_is_made(lab: Lab) -> None:
    demo = await lab.demo()
    await lab.ask(demo)
    async with lab.services.database.transaction() as session:
        for row in await session.scalars(select(RecordingJob)):
            row.state, row.share = "making", 0.7
    await lab.make()
    assert counts(await lab.look(demo)) == (5, 5, 0, 0)


async def test_workers_elsewhere_have_hosts_of_their_own(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given only a scheduler's address, each worker asks the host that its own setting names."""
    assert lab.workers.lab is not None
    monkeypatch.setenv("THINLAB_LAB", lab.workers.lab)
    async with LocalCluster(
        n_workers=1, processes=True, asynchronous=True, dashboard_address="127.0.0.1:0"
    ) as cluster:
        lab.workers = Workers(lab=None, scheduler=cluster.scheduler_address)
        assert counts(await lab.record(await lab.demo())) == (5, 5, 0, 0)
    assert lab.agent.sessions == 5


@pytest.mark.parametrize(
    ("workers", "says"),
    [
        (Workers(lab=None, scheduler="tcp://127.0.0.1:1"), "THINLAB_DASK_SCHEDULER"),
        (Workers(lab=None, scheduler=None, count=1), "THINLAB_LAB"),
    ],
)
async def test_where_nobody_can_record_it_is_said_why(
    lab: Lab, workers: Workers, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("THINLAB_LAB", raising=False)
    lab.workers = workers
    with dask.config.set({"distributed.comm.timeouts.connect": "1s"}):
        seen = await lab.record(await lab.demo())
    ((problem, remedy),) = problems(seen)
    assert says in f"{problem} {remedy}"
    assert counts(seen) == (5, 0, 0, 5)
