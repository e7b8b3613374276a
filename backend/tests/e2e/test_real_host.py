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
from tests.running.test_run import free_port
from tests.running.thinlab_process import PATIENCE_S, ThinlabProcess
from thinlab.settings import CHECKOUT

NEEDED = ("THINLAB_AGENT", "THINLAB_KERNEL", "THINLAB_GUEST", "THINLAB_CLIPS")
# Two pairs and a control, as in the demo study, and one pair over a perfect path.
RECORDINGS = 7

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
        async with asyncio.timeout(PATIENCE_S * 2):
            while True:
                studies = (await browser.get("/api/researcher/studies")).json()
                if sum(study["recordings_ready"] for study in studies) == RECORDINGS:
                    break
                for study in studies:
                    overview = (
                        await browser.get(f"/api/researcher/studies/{study['slug']}")
                    ).json()
                    for one in recordings_of(overview):
                        assert one["status"] != "failed", one["problem"]
                await asyncio.sleep(0.2)
        yield browser


def recordings_of(overview: dict[str, Any]) -> list[dict[str, Any]]:
    """All recordings of a study."""
    return [recording for trial in overview["trials"] for recording in trial["recordings"]]


async def overview(researcher: AsyncClient, slug: str) -> dict[str, Any]:
    """A study as its researcher sees it."""
    found: dict[str, Any] = (await researcher.get(f"/api/researcher/studies/{slug}")).json()
    return found


async def test_an_agent_killed_at_work_costs_nothing(researcher: AsyncClient) -> None:
    for slug in ("demo", "perfect"):
        for recording in recordings_of(await overview(researcher, slug)):
            assert recording["status"] == "ready"
            assert recording["problem"] is None


async def test_a_path_that_loses_nothing_gives_identical_recordings(
    researcher: AsyncClient,
) -> None:
    (trial,) = (await overview(researcher, "perfect"))["trials"]
    assert trial["same_audio"] is True
    for recording in trial["recordings"]:
        assert recording["result"]["metrics"]["lost_packets_forward"] == 0
        assert recording["result"]["metrics"]["retransmitted_bytes"] == 0


async def test_members_of_a_pair_are_alike_and_lossy(researcher: AsyncClient) -> None:
    for trial in (await overview(researcher, "demo"))["trials"]:
        assert len({recording["duration_ms"] for recording in trial["recordings"]}) == 1
        assert trial["same_audio"] is (trial["kind"] == "control")
        for recording in trial["recordings"]:
            metrics = recording["result"]["metrics"]
            assert metrics["lost_packets_forward"] > 0
            check = recording["result"]["check"]["forward"]
            lost = check["sent_packets"] - check["received_packets"]
            assert lost == check["dropped_packets"]
            assert metrics["application"]["per_message"]["cdf"]


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


async def test_the_same_seed_gives_the_same_bytes(
    researcher: AsyncClient, thinlab: ThinlabProcess
) -> None:
    """Files deleted and made again: the recorder refuses any that differ from the first."""
    before = recordings_of(await overview(researcher, "demo"))
    shutil.rmtree(thinlab.environment["THINLAB_RECORDINGS"])
    assert (await researcher.post("/api/researcher/studies/demo/record")).status_code == 202
    async with asyncio.timeout(PATIENCE_S):
        while (await overview(researcher, "demo"))["making"]:
            await asyncio.sleep(0.1)
    after = recordings_of(await overview(researcher, "demo"))
    assert [one["problem"] for one in after] == [None] * 5
    assert [one["id"] for one in after] == [one["id"] for one in before]
