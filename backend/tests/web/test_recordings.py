"""The researcher's recordings over HTTP: asked for, listened to, looked at, taken home.

SPDX-License-Identifier: Apache-2.0
"""

import shutil

import pytest
from httpx import AsyncClient
from sqlalchemy import select

from tests.made_up import Participant, made_up_result, noise, sign_in, study_definition
from thinlab.clips import wav
from thinlab.database.schema import Recording, RecordingJob
from thinlab.recording import at_start
from thinlab.study.catalogue import StoredStudy
from thinlab.web.serve import load
from thinlab.web.services import Services

PATHS = (
    "/api/researcher/studies/demo/recordings",
    "/api/researcher/recordings/1/audio",
    "/api/researcher/recordings/1/result",
    "/api/researcher/recordings/1/waveform",
    "/api/researcher/recordings/1/captures/sender.pcapng",
)


async def recordings(services: Services) -> list[Recording]:
    """All of them."""
    async with services.database.transaction() as session:
        return list(await session.scalars(select(Recording).order_by(Recording.id)))


async def test_a_recording_can_be_heard_seen_and_taken_home(
    browser: AsyncClient, services: Services
) -> None:
    await sign_in(browser, services)
    seen = (await browser.get("/api/researcher/studies/demo/recordings")).json()
    assert seen["counts"] == {"total": 5, "ready": 5, "under_way": 0, "failed": 0}
    assert [trial["id"] for trial in seen["trials"]] == ["speech", "song", "control"]
    assert [len(trial["runs"][0]["members"]) for trial in seen["trials"]] == [2, 2, 1]
    for row in await recordings(services):
        at = f"/api/researcher/recordings/{row.id}"
        audio = await browser.get(f"{at}/audio")
        assert audio.content == wav.encode(noise(row.key))
        part = await browser.get(f"{at}/audio", headers={"Range": "bytes=100-199"})
        assert part.status_code == 206
        assert part.content == audio.content[100:200]
        shape = (await browser.get(f"{at}/waveform", params={"buckets": 40})).json()
        assert len(shape["lowest"]) == 40
        assert shape["duration_ms"] == row.duration_ms
        assert all(low <= high for low, high in zip(shape["lowest"], shape["highest"], strict=True))
        told = made_up_result(row.key).model_dump(mode="json")
        assert (await browser.get(f"{at}/result")).json() == told
        for side in ("sender", "receiver"):
            capture = await browser.get(f"{at}/captures/{side}.pcapng")
            assert capture.content == f"{side} {row.key}".encode()


async def test_pressing_record_asks_for_what_is_missing(
    browser: AsyncClient, services: Services
) -> None:
    await load(services.database, [study_definition(), study_definition(slug="fresh")])
    await sign_in(browser, services)
    for _ in range(2):
        asked = await browser.post("/api/researcher/studies/fresh/record")
        assert asked.status_code == 202
        assert asked.json() == {"under_way": 5}
    assert services.recorder.is_woken
    seen = (await browser.get("/api/researcher/studies/fresh/recordings")).json()
    assert seen["counts"] == {"total": 5, "ready": 0, "under_way": 5, "failed": 0}
    assert seen["time_left_s"] is None
    async with services.database.transaction() as session:
        assert len((await session.scalars(select(RecordingJob))).all()) == 5


@pytest.mark.parametrize("path", PATHS)
async def test_nobody_else_gets_anything(browser: AsyncClient, path: str) -> None:
    assert (await browser.get(path)).status_code == 401


async def test_what_is_not_there_is_said(browser: AsyncClient, services: Services) -> None:
    await sign_in(browser, services)
    for path in ("audio", "result", "waveform", "captures/sender.pcapng"):
        answer = await browser.get(f"/api/researcher/recordings/9999/{path}")
        assert answer.status_code == 404
        assert answer.json()["type"] == "/problems/no-such-recording"
    none = "/api/researcher/studies/none"
    for number in ("0", "-1", str(2**63), "1" + "0" * 30):
        for path in ("audio", "result", "waveform", "captures/sender.pcapng"):
            answer = await browser.get(f"/api/researcher/recordings/{number}/{path}")
            assert answer.status_code == 422, (number, path)
    assert (await browser.get(f"{none}/recordings")).status_code == 404
    assert (await browser.post(f"{none}/record")).status_code == 404
    one = (await recordings(services))[0].id
    at = f"/api/researcher/recordings/{one}"
    for path in ("captures/emulator.pcapng", "waveform?buckets=0", "waveform?buckets=100000"):
        assert (await browser.get(f"{at}/{path}")).status_code == 422, path


async def test_a_file_that_a_participant_misses_is_made_again(
    browser: AsyncClient, services: Services
) -> None:
    trial = await (person := await Participant.join(browser)).open_trial()
    for row in await recordings(services):
        (services.store.folder / row.key / "recording.wav").unlink()
    missing = await person.hear(trial["first"]["recording_token"])
    assert missing.status_code == 503
    assert missing.json()["type"] == "/problems/recording-missing"
    assert missing.headers["retry-after"]
    assert services.recorder.is_woken
    async with services.database.transaction() as session:
        assert [one.state for one in await session.scalars(select(RecordingJob))] == ["queued"]


async def test_what_was_lost_while_the_server_was_down_is_noticed_at_start(
    browser: AsyncClient, services: Services, study: StoredStudy
) -> None:
    lost = (await recordings(services))[0]
    shutil.rmtree(services.store.folder / lost.key)
    assert (await browser.get("/api/studies/demo")).json()["state"] == "open"
    here = services
    await at_start.supply_all(here.database, here.clips, here.store, here.recorder, [study], None)
    assert (await browser.get("/api/studies/demo")).json()["state"] == "preparing"
    async with services.database.transaction() as session:
        jobs = [(one.clip, one.seed) for one in await session.scalars(select(RecordingJob))]
    assert jobs == [("speech", 1)] * 2


async def test_a_damaged_file_is_found_when_record_is_pressed(
    browser: AsyncClient, services: Services
) -> None:
    await sign_in(browser, services)
    row = (await recordings(services))[0]
    file = services.store.folder / row.key / "recording.wav"
    file.write_bytes(file.read_bytes()[:-1] + b"x")
    # Both members of the pair, so that they come from one host.
    asked = await browser.post("/api/researcher/studies/demo/record")
    assert asked.json() == {"under_way": 2}
    counts = (await browser.get("/api/researcher/studies/demo/recordings")).json()["counts"]
    assert counts == {"total": 5, "ready": 3, "under_way": 2, "failed": 0}
