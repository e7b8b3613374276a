"""From a study file to an export row, with a real host: kernel, lane, stream, capture, playout.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import csv
import hashlib
import io
import json
import os
import re
import shutil
import struct
import uuid
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
import pytest_asyncio
from httpx import AsyncClient

from tests.made_up import PASSWORD, Participant
from tests.running.thinlab_process import PATIENCE_S, ThinlabProcess, free_port
from thinlab.settings import CHECKOUT

pytestmark = pytest.mark.alone

NEEDED = ("THINLAB_AGENT", "THINLAB_KERNEL", "THINLAB_GUEST", "THINLAB_CLIPS")
PERFECT = """
slug: perfect
title: Nothing is lost
description: A path that loses nothing.
consent: { version: "1", paragraphs: [Fine.] }
record: at_start
sound_check: sound_check
conditions:
  plain: &perfect { mode: off, path: { rtt_ms: 130 } }
  modified: { <<: *perfect, mode: linear_timeouts }
blocks:
  - id: trials
    scale: { kind: preference, question: "Which?", answers: { first: This, second: That } }
    trials:
      - { kind: pair, id: speech, clip: speech, conditions: [plain, modified], seed: 1 }
"""

# Nobody records it until they are asked to.
LATER = """
slug: later
title: Recorded on demand
description: In many runs.
consent: { version: "1", paragraphs: [Fine.] }
sound_check: sound_check
conditions:
  plain: &lossy { mode: off, path: { rtt_ms: 130, forward: { loss_share: 0.02 } } }
  modified: { <<: *lossy, mode: bundling }
blocks:
  - id: trials
    scale: { kind: preference, question: "Which?", answers: { first: This, second: That } }
    trials:
      - { kind: pair, id: many, clip: speech_a, conditions: [plain, modified], runs: 8, seed: 1 }
"""
LATER_RECORDINGS = 16


@pytest.fixture(scope="module")
def host_environment() -> dict[str, str]:
    """Where the real parts are."""
    missing = [name for name in NEEDED if not os.environ.get(name)]
    assert not missing, f"{', '.join(missing)}: not set; `make test` builds the parts and sets them"
    return {name: os.environ[name] for name in NEEDED}


@pytest_asyncio.fixture(scope="module")
async def thinlab(
    host_environment: dict[str, str], data_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[ThinlabProcess]:
    """A run whose agent was killed twice while it recorded."""
    folder = tmp_path_factory.mktemp("real")
    (folder / "index.html").write_text("<!doctype html>page")
    survey = folder / "survey"
    survey.mkdir()
    shutil.copy(CHECKOUT / "survey" / "demo.yaml", survey)
    (survey / "perfect.yaml").write_text(PERFECT)
    (survey / "later.yaml").write_text(LATER)
    process = ThinlabProcess(
        {
            **host_environment,
            "THINLAB_DATA": str(data_folder / uuid.uuid4().hex),
            "THINLAB_RECORDINGS": str(folder / "recordings"),
            "THINLAB_SURVEY": str(survey),
            "THINLAB_PAGES": str(folder),
            "THINLAB_DATABASE_URL": "",
            "THINLAB_LAB": "",
        },
        free_port(),
    )
    await process.spawn()
    try:
        await process.line("Recording the studies' clips")
        for _ in range(2):
            await kill_agent_at_work(process)
        await process.line("Ctrl-C stops|The lab host ended")
        yield process
    finally:
        await process.stop()


async def kill_agent_at_work(thinlab: ThinlabProcess) -> None:
    """Kills the agent while one of its guests runs, and sees that no guest survives it."""
    guests: list[psutil.Process] = []
    async with asyncio.timeout(PATIENCE_S):
        while not guests:
            await asyncio.sleep(0.01)
            with suppress(LookupError, psutil.Error):
                agent = thinlab.child("lab-agent boot")
                guests = agent.children(recursive=True)
                if guests:
                    agent.kill()
    _, alive = await asyncio.to_thread(psutil.wait_procs, guests, PATIENCE_S)
    assert alive == []


@pytest_asyncio.fixture(scope="module")
async def researcher(thinlab: ThinlabProcess) -> AsyncIterator[AsyncClient]:
    """The researcher's browser, once both studies are recorded."""
    async with AsyncClient(base_url=thinlab.address, timeout=60) as browser:
        async with asyncio.timeout(PATIENCE_S):
            while not (setup := re.search(r"#setup=(\S+)", "".join(thinlab.lines))):
                await thinlab.line("")
        body = {"setup_token": setup[1], "password": PASSWORD}
        assert (await browser.post("/api/researcher/password", json=body)).status_code == 204
        for slug in ("demo", "perfect"):
            await all_ready(browser, slug)
        yield browser


async def all_ready(researcher: AsyncClient, slug: str) -> dict[str, Any]:
    """Waits until a study is recorded."""
    async with asyncio.timeout(PATIENCE_S * 2):
        while True:
            seen = await recordings(researcher, slug)
            counts = seen["counts"]
            assert counts["failed"] == 0, [one["problem"] for one in members_of(seen)]
            if counts["ready"] == counts["total"] and counts["under_way"] == 0:
                return seen
            await asyncio.sleep(0.1)


def members_of(seen: dict[str, Any]) -> list[dict[str, Any]]:
    """All recordings of a study."""
    return [
        member for trial in seen["trials"] for run in trial["runs"] for member in run["members"]
    ]


async def recordings(researcher: AsyncClient, slug: str) -> dict[str, Any]:
    """A study's recordings as its researcher sees them."""
    answer = await researcher.get(f"/api/researcher/studies/{slug}/recordings")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


async def result_of(researcher: AsyncClient, member: dict[str, Any]) -> dict[str, Any]:
    """All that was measured."""
    found: dict[str, Any] = (
        await researcher.get(f"/api/researcher/recordings/{member['id']}/result")
    ).json()
    return found


async def test_an_agent_killed_at_work_costs_nothing(researcher: AsyncClient) -> None:
    for slug in ("demo", "perfect"):
        for member in members_of(await recordings(researcher, slug)):
            assert member["status"] == "ready"
            assert member["problem"] is None


async def test_a_path_that_loses_nothing_gives_identical_recordings(
    researcher: AsyncClient,
) -> None:
    seen = await recordings(researcher, "perfect")
    assert seen["trials"][0]["runs"][0]["same_audio"] is True
    for member in members_of(seen):
        metrics = (await result_of(researcher, member))["metrics"]
        assert metrics["lost_packets_forward"] == 0
        assert metrics["retransmitted_bytes"] == 0


async def test_members_of_a_pair_are_alike_and_lossy(researcher: AsyncClient) -> None:
    for trial in (await recordings(researcher, "demo"))["trials"]:
        (run,) = trial["runs"]
        assert len({member["duration_ms"] for member in run["members"]}) == 1
        assert run["same_audio"] is (None if trial["kind"] == "control" else False)
        for member in run["members"]:
            result = await result_of(researcher, member)
            metrics = result["metrics"]
            assert metrics["lost_packets_forward"] > 0
            check = result["check"]["forward"]
            lost = check["sent_packets"] - check["received_packets"]
            assert lost == check["dropped_packets"]
            assert metrics["application"]["per_message"]["cdf"]


async def test_the_waveform_is_that_of_the_file(researcher: AsyncClient) -> None:
    member = members_of(await recordings(researcher, "perfect"))[0]
    at = f"/api/researcher/recordings/{member['id']}"
    shape = (await researcher.get(f"{at}/waveform", params={"buckets": 500})).json()
    samples = (await researcher.get(f"{at}/audio")).content[44:]
    values = struct.unpack(f"<{len(samples) // 2}h", samples)
    assert len(shape["lowest"]) == len(shape["highest"]) <= 500
    assert max(shape["highest"]) == pytest.approx(max(values) / 32768, abs=1e-3)
    assert min(shape["lowest"]) == pytest.approx(min(values) / 32768, abs=1e-3)


async def test_a_backend_killed_while_it_records_goes_on_and_makes_nothing_twice(
    researcher: AsyncClient, thinlab: ThinlabProcess
) -> None:
    asked = await researcher.post("/api/researcher/studies/later/record")
    assert asked.status_code == 202
    assert asked.json()["under_way"] == LATER_RECORDINGS
    async with asyncio.timeout(PATIENCE_S):
        while (seen := await recordings(researcher, "later"))["counts"]["ready"] < 2:
            await asyncio.sleep(0.05)
    web = thinlab.child("thinlab serve")
    family = [web, *web.children(recursive=True)]
    assert any("record" in process.cmdline() for process in family)
    web.kill()
    _, alive = await asyncio.to_thread(psutil.wait_procs, family, PATIENCE_S)
    assert alive == []
    store = Path(thinlab.environment["THINLAB_RECORDINGS"])
    before = written(store)
    await thinlab.line("The web server is back")
    seen = await all_ready(researcher, "later")
    after = written(store)
    assert {file: after[file] for file in before} == before
    assert len(after) > len(before), "it was done before it was killed"
    assert len({member["id"] for member in members_of(seen)}) == LATER_RECORDINGS


def written(store: Path) -> dict[Path, int]:
    """The recordings that are there, and when they were written."""
    # What a killed process did not finish has no name yet, and is removed.
    finished = (file for file in store.glob("*/result.json") if file.parent.name[0] != ".")
    return {file: file.stat().st_mtime_ns for file in finished}


async def test_each_vote_is_joined_with_the_trace_of_what_was_heard(
    researcher: AsyncClient, thinlab: ThinlabProcess, tmp_path: Path
) -> None:
    async with AsyncClient(base_url=thinlab.address, timeout=60) as browser:
        person = await Participant.join(browser)
        heard = []
        for choice in ("first", "second", "no_difference"):
            trial = await person.open_trial()
            sums = [
                hashlib.sha256((await person.hear(trial[place]["recording_token"])).content)
                for place in ("first", "second")
            ]
            heard.append([one.hexdigest() for one in sums])
            assert (await person.vote(trial["trial_token"], choice=choice)).status_code == 201
        assert (await person.progress())["completion_code"]
    export = await researcher.get("/api/researcher/studies/demo/export.csv")
    rows = list(csv.DictReader(io.StringIO(export.text, newline="")))
    assert [row["choice"] for row in rows] == ["first", "second", "no_difference"]
    for row, sums_heard in zip(rows, heard, strict=True):
        for place, expected in zip(("first", "second"), sums_heard, strict=True):
            assert row[f"{place}_recording_sha256"] == expected
            await check_against_captures(researcher, row, place, tmp_path, thinlab)


async def check_against_captures(
    researcher: AsyncClient,
    row: dict[str, str],
    place: str,
    folder: Path,
    thinlab: ThinlabProcess,
) -> None:
    """Analyses the two captures anew and compares with what the export says."""
    files = []
    for side in ("sender", "receiver"):
        path = f"/api/researcher/recordings/{row[f'{place}_recording']}/captures/{side}.pcapng"
        file = folder / f"{side}.pcapng"
        file.write_bytes((await researcher.get(path)).content)
        files.append(str(file))
    process = await asyncio.create_subprocess_exec(
        *(thinlab.environment["THINLAB_AGENT"], "analyze", "--json", *files),
        stdout=asyncio.subprocess.PIPE,
    )
    out, _ = await process.communicate()
    assert process.returncode == 0
    metrics = json.loads(out)["metrics"]
    for name in ("packets", "payload_bytes", "retransmitted_bytes", "lost_packets_forward"):
        assert int(row[f"{place}_{name}"]) == int(metrics[name]), name
    per_byte = metrics["application"]["per_byte"]
    for name in ("min_us", "p50_us", "p99_us", "max_us"):
        assert float(row[f"{place}_application_per_byte_{name}"]) == float(per_byte[name]), name


def delete_recordings(folder: Path) -> None:
    """All of them; the folder stays, which is handed to the user that records."""
    for recording in folder.iterdir():
        shutil.rmtree(recording)


async def test_the_same_seed_gives_the_same_bytes(
    researcher: AsyncClient, thinlab: ThinlabProcess
) -> None:
    """Files deleted and made again: the recorder refuses any that differ from the first."""
    before = members_of(await recordings(researcher, "demo"))
    delete_recordings(Path(thinlab.environment["THINLAB_RECORDINGS"]))
    assert (await researcher.post("/api/researcher/studies/demo/record")).status_code == 202
    after = members_of(await all_ready(researcher, "demo"))
    assert [one["id"] for one in after] == [one["id"] for one in before]
