"""`thinlab backup` beside a server that takes votes, `thinlab restore` where nothing is.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import os
import re
import subprocess
import sys
import uuid
from pathlib import Path

from httpx import AsyncClient

from tests.backup.exports import all_exports
from tests.made_up import PASSWORD
from tests.running.test_run import Voter, researcher_of
from tests.running.thinlab_process import PATIENCE_S, ThinlabProcess, free_port


async def command(environment: dict[str, str], *words: str) -> tuple[int, str]:
    """Runs `thinlab …`; how it ended, and what it said."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "thinlab", *words),
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    said, _ = await asyncio.wait_for(process.communicate(), PATIENCE_S)
    assert process.returncode is not None
    return process.returncode, said.decode()


def votes_in(said: str) -> int:
    found = re.search(r"\((\d+) votes\)", said)
    assert found, said
    return int(found[1])


async def test_a_backup_is_made_beside_voters_and_restored_elsewhere(
    thinlab: ThinlabProcess, data_folder: Path, tmp_path: Path
) -> None:
    # Not beside the pages: the server reads all that lies there.
    busy, rest = (data_folder / f"{name}-{uuid.uuid4().hex}.tar.zst" for name in ("busy", "rest"))
    async with researcher_of(thinlab) as browser:
        voters = [Voter(browser) for _ in range(12)]
        voting = asyncio.gather(*(voter.run() for voter in voters))
        async with asyncio.timeout(PATIENCE_S):
            while sum(len(voter.acknowledged) for voter in voters) < 6:
                if voting.done():
                    # Raises what a voter has met.
                    await voting
                await asyncio.sleep(0.01)
        code, said = await command(thinlab.environment, "backup", str(busy))
        assert code == 0, said
        assert 6 <= votes_in(said) <= 36
        await voting
        before = await all_exports(browser, ("demo",))
    # Another may not be filled while somebody is there.
    code, said = await command(thinlab.environment, "restore", str(busy))
    assert (code, "is not empty" in said or "running already" in said) == (1, True), said
    assert await thinlab.stop() == 0
    code, said = await command(thinlab.environment, "backup", str(rest))
    assert code == 0, said
    assert votes_in(said) == 36

    elsewhere = thinlab.environment | {
        "THINLAB_DATA": str(data_folder / uuid.uuid4().hex),
        "THINLAB_RECORDINGS": str(tmp_path / "elsewhere"),
    }
    code, said = await command(elsewhere, "restore", str(rest))
    assert (code, votes_in(said)) == (0, 36), said
    code, said = await command(elsewhere, "restore", str(rest))
    assert (code, "not empty" in said) == (1, True), said
    again = ThinlabProcess(elsewhere, free_port())
    try:
        await again.start()
        async with AsyncClient(base_url=again.address, timeout=20) as browser:
            await browser.post("/api/researcher/session", json={"password": PASSWORD})
            assert await all_exports(browser, ("demo",)) == before
    finally:
        await again.stop()
