"""A session of an experiment, made again on a real host: the same bytes, or said not to be.

SPDX-License-Identifier: Apache-2.0
"""

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest
import pytest_asyncio

from tests.experiment.commands import SMALL, finished, start
from thinlab.experiment import rows as row_files
from thinlab.experiment.desk import again
from thinlab.experiment.desk.again import NotAgainError
from thinlab.experiment.desk.digest import CELLS, Cells, read
from thinlab.experiment.desk.look import look
from thinlab.experiment.desk.places import Places
from thinlab.experiment.host import lab_host
from thinlab.experiment.run_state import seen
from thinlab.settings import Settings

pytestmark = pytest.mark.processes
OPTIONS = ("--runs", "1", "--minutes", "1", "--workers", "1")


@pytest_asyncio.fixture(scope="module")
async def places(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Places:
    """With the small grid run by the command."""
    for file in (SMALL, SMALL.with_name("small-flows.yaml")):
        await finished(await start(cache, "run", str(file), *OPTIONS))
    own = tmp_path_factory.mktemp("own")
    made = Places(own / "none", cache / "experiments", own, "a build")
    look(made)
    return made


@pytest_asyncio.fixture(scope="module")
async def settings(places: Places) -> AsyncIterator[Settings]:
    """Of a server with a lab host."""
    assert places.names()
    told = replace(Settings.read(), lab=None)
    async with lab_host(told) as lab:
        yield replace(told, lab=lab)


def first_key(places: Places, name: str) -> str:
    cells = read(places.digest_folder(name) / CELLS, Cells)
    assert cells is not None
    return cells.cells[-1].sessions[0].key


async def test_it_is_byte_for_byte_what_was_run(places: Places, settings: Settings) -> None:
    run = seen(places.results_of("small"))
    assert run is not None
    assert (run.state.stage, run.state.wanted, run.state.done) == ("ended", 4, 4)
    key = first_key(places, "small")
    made = await again.make(settings, places, again.asked_of(places, "small", key))
    assert made.agrees is True
    assert made.host_build == made.recorded_build
    assert made.analysis_problem is None
    [row] = [
        one
        for one in row_files.read(places.results_of("small") / "small.parquet")
        if one["key"] == key
    ]
    folder = places.sessions / key
    for side in ("sender", "receiver"):
        content = (folder / f"lane-0-{side}.pcapng").read_bytes()
        assert sha256(content).hexdigest() == row[f"{side}_capture_sha256"]
    page = (folder / "analysis-0.html").read_text()
    for picture in ("Time-sequence", "Ladder", "Latency distribution"):
        assert f"<h2>{picture}</h2>" in page
    assert [path.name for path in places.sessions.glob(".*")] == []


async def test_captures_of_another_build_are_told_from_the_recorded(
    places: Places, settings: Settings
) -> None:
    asked = again.asked_of(places, "small", first_key(places, "small"))
    entry = asked.entry.model_copy(update={"sender_sha256": ["0" * 64]})
    other = replace(asked, host_build="another", entry=entry)
    made = await again.make(settings, places, other)
    assert made.agrees is False
    assert made.recorded_build == "another"
    unknown = replace(asked, entry=entry.model_copy(update={"sender_sha256": []}))
    assert (await again.make(settings, places, unknown)).agrees is None


async def test_flows_have_a_page_a_connection(places: Places, settings: Settings) -> None:
    name = json.loads((places.results_of("small-flows") / "run.json").read_text())["title"]
    assert name
    key = first_key(places, "small-flows")
    made = await again.make(settings, places, again.asked_of(places, "small-flows", key))
    assert made.agrees is True
    assert made.analysis_problem is None
    assert 1 < len(made.analyses) <= again.MOST_ANALYSES
    assert len({(one.lane, one.connection) for one in made.analyses}) == len(made.analyses)


async def test_a_file_that_asks_for_other_sessions_is_told_of(places: Places) -> None:
    key = first_key(places, "small")
    options = places.results_of("small") / "asked" / "options.json"
    before = options.read_text()
    options.write_text(before.replace("1.0", "2.0"))
    with pytest.raises(NotAgainError, match="other sessions now"):
        again.asked_of(places, "small", key)
    options.write_text(before)
    with pytest.raises(NotAgainError, match="have changed"):
        again.asked_of(places, "small", "0" * 32)


async def test_without_a_lab_host_of_its_own_a_server_says_so(places: Places) -> None:
    asked = again.asked_of(places, "small", first_key(places, "small"))
    with pytest.raises(NotAgainError, match="THINLAB_LAB"):
        await again.make(replace(Settings.read(), lab=None), places, asked)
