"""`thinlab experiment …` as a program of its own, in a cache of the test's.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import os
import sys
from pathlib import Path

SMALL = Path(__file__).parent / "small.yaml"
PATIENCE_S = 120.0
NEEDED = ("THINLAB_AGENT", "THINLAB_KERNEL", "THINLAB_GUEST")


def need_parts() -> None:
    """Fails where the lab is not built."""
    missing = [name for name in NEEDED if not os.environ.get(name)]
    assert not missing, f"{', '.join(missing)}: not set; `make test` builds the parts and sets them"


async def start(cache: Path, *arguments: str, **environment: str) -> asyncio.subprocess.Process:
    """The command on its own, with both streams captured."""
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "thinlab", "experiment", *arguments),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "THINLAB_CACHE": str(cache), "THINLAB_LAB": "", **environment},
    )


async def finished(process: asyncio.subprocess.Process, code: int = 0) -> tuple[str, str]:
    """What a command has said that ends with the code."""
    async with asyncio.timeout(PATIENCE_S):
        out, errors = await process.communicate()
    assert process.returncode == code, (out + errors).decode()
    return out.decode(), errors.decode()


def kept(cache: Path) -> dict[str, float]:
    """The sessions that are there, and when they were written."""
    return {
        file.stem: file.stat().st_mtime_ns
        for file in (cache / "experiments" / "sessions").glob("??/*.json")
    }
