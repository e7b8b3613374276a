"""The embedded host of a local experiment: a `lab-agent boot` that lives as long as the run.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from thinlab.running.child import Child, Recipe
from thinlab.settings import Settings


@asynccontextmanager
async def lab_host(settings: Settings) -> AsyncIterator[str]:
    """Address of a host in virtual time: THINLAB_LAB's, or one booted for the purpose.

    An agent that dies is started again. Raises `SettingError`.
    """
    if settings.lab is not None:
        yield settings.lab
        return
    with tempfile.TemporaryDirectory(prefix="thinlab-experiment-") as folder:
        child = Child(_recipe(settings, Path(folder)), lambda _: None)
        keeping = asyncio.create_task(child.keep())
        try:
            yield f"unix:{_socket(Path(folder))}"
        finally:
            await child.stop()
            await keeping


def _socket(folder: Path) -> Path:
    return folder / "lab.sock"


def _recipe(settings: Settings, folder: Path) -> Recipe:
    async def clear() -> None:
        await asyncio.to_thread(_socket(folder).unlink, missing_ok=True)

    return Recipe(
        name="The lab host",
        command=[
            str(settings.need("agent")),
            *("boot", "--clock", "virtual", "--listen", f"unix:{_socket(folder)}"),
            *("--kernel", str(settings.need("kernel"))),
            *("--guest", str(settings.need("guest"))),
        ],
        log=folder / "lab-agent.log",
        prepare=clear,
    )
