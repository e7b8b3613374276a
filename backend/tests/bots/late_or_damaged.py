"""`survey/late-or-damaged.yaml` on a real Thinlab: recorded by the real host, and taken by bots.

Each study is a copy of the file under an address of its own, so that as many studies as are wanted
have the same recordings, which are made once.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import os
import re
import sys
import uuid
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from httpx import AsyncClient

from tests.made_up import PASSWORD
from tests.running.thinlab_process import ThinlabProcess, free_port
from thinlab.settings import CHECKOUT

FILE = CHECKOUT / "survey" / "late-or-damaged.yaml"
NEEDED = ("THINLAB_AGENT", "THINLAB_KERNEL", "THINLAB_GUEST", "THINLAB_CLIPS")
# A hundred recordings of eight seconds, beside whatever else the machine does.
RECORDED_WITHIN_S = 900


@dataclass(frozen=True)
class RealStudies:
    """A running Thinlab with these studies, recorded."""

    address: str
    desk: AsyncClient
    """The researcher's, signed in."""

    async def send(self, slug: str, worth: float, count: int, seed: int) -> str:
        """The bots' command; what it says."""
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "thinlab", "bots", "run", "--url", self.address),
            *("--study", slug, "--count", str(count), "--seed", str(seed), "--worth", str(worth)),
            env={**os.environ, "THINLAB_PASSWORD": PASSWORD},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        said, _ = await process.communicate()
        assert process.returncode == 0, said.decode()
        return said.decode()

    async def weighed(self, slug: str) -> dict[str, dict[str, Any]]:
        """What the results page shows of the bots' votes over two metrics, by block."""
        found = await self.desk.get(f"/api/researcher/studies/{slug}/delay", params={"kind": "bot"})
        assert found.status_code == 200, found.text
        return {one["block"]: one["weighed"] for one in found.json()["blocks"] if one["weighed"]}


@asynccontextmanager
async def real_studies(
    slugs: Sequence[str], data: Path, folder: Path
) -> AsyncIterator[RealStudies]:
    """`data`: a folder that PostgreSQL's own user can enter; `folder`: for all else."""
    missing = [name for name in NEEDED if not os.environ.get(name)]
    assert not missing, f"{', '.join(missing)}: not set; `make test` builds the parts and sets them"
    (folder / "index.html").write_text("<!doctype html>page")
    survey = folder / "survey"
    survey.mkdir()
    said = FILE.read_text()
    for slug in slugs:
        (survey / f"{slug}.yaml").write_text(said.replace("slug: late-or-damaged", f"slug: {slug}"))
    thinlab = ThinlabProcess(
        {
            **{name: os.environ[name] for name in NEEDED},
            "THINLAB_DATA": str(data / uuid.uuid4().hex),
            "THINLAB_RECORDINGS": str(folder / "recordings"),
            "THINLAB_SURVEY": str(survey),
            "THINLAB_PAGES": os.environ.get("THINLAB_PAGES") or str(folder),
            "THINLAB_DATABASE_URL": "",
            "THINLAB_LAB": "",
        },
        free_port(),
    )
    await thinlab.start()
    try:
        async with AsyncClient(base_url=thinlab.address, timeout=120) as desk:
            setup = re.search(r"#setup=(\S+)", "".join(thinlab.lines))
            assert setup is not None, thinlab.lines
            body = {"setup_token": setup[1], "password": PASSWORD}
            assert (await desk.post("/api/researcher/password", json=body)).status_code == 204
            for slug in slugs:
                await _record(desk, slug)
            yield RealStudies(thinlab.address, desk)
    finally:
        await thinlab.stop()


async def _record(desk: AsyncClient, slug: str) -> None:
    at = f"/api/researcher/studies/{slug}"
    asked = await desk.post(f"{at}/record")
    assert asked.status_code == 202, asked.text
    async with asyncio.timeout(RECORDED_WITHIN_S):
        while True:
            counts = (await desk.get(f"{at}/recordings")).json()["counts"]
            assert counts["failed"] == 0, counts
            if counts["ready"] == counts["total"] and counts["under_way"] == 0:
                return
            await asyncio.sleep(0.5)
