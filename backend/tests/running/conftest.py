"""`thinlab run` on data of its own, over a lab that answers as told.

SPDX-License-Identifier: Apache-2.0
"""

import subprocess
import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from tests.running.thinlab_process import ThinlabProcess, environment, free_port
from tests.stand_in import StandIn, serving
from thinlab.running import embedded_postgres
from thinlab.settings import Settings


@pytest.fixture(scope="session")
def fresh_cluster(data_folder: Path) -> Path:
    """A database cluster that no server has run on."""
    settings = Settings.read({"THINLAB_DATA": str(data_folder / "fresh")})
    return embedded_postgres.prepare(settings).cluster


@pytest_asyncio.fixture
async def thinlab(
    data_folder: Path, fresh_cluster: Path, tmp_path: Path
) -> AsyncIterator[ThinlabProcess]:
    """A run on fresh data, not started yet."""
    agent = StandIn()  # type: ignore[abstract]  # nobody asks for a live run
    data = data_folder / uuid.uuid4().hex
    data.mkdir()
    # As the first of many starts would make it, only faster.
    subprocess.run(["cp", "-a", fresh_cluster, data], check=True)
    async with serving(agent, tmp_path / "lab.sock") as lab:
        process = ThinlabProcess(environment(data, tmp_path, lab), free_port())
        yield process
        await process.stop()
