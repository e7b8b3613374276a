"""The real agent in real time, as a process of its own.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.running.thinlab_process import PATIENCE_S
from thinlab.lab.agent import Agent, AgentAwayError

NEEDED = ("THINLAB_AGENT", "THINLAB_KERNEL", "THINLAB_GUEST", "THINLAB_TERMINAL")


@contextmanager
def real_agent(folder: Path, *options: str) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Starts it, its socket and log in `folder`; the process and its address."""
    missing = [name for name in NEEDED if not os.environ.get(name)]
    assert not missing, f"{', '.join(missing)}: not set; `make test` builds the parts and sets them"
    address = f"unix:{folder}/lab.sock"
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [
                os.environ["THINLAB_AGENT"],
                *("boot", "--clock", "real", *options, "--listen", address),
                *("--kernel", os.environ["THINLAB_KERNEL"]),
                *("--guest", os.environ["THINLAB_GUEST"]),
                *("--terminal", os.environ["THINLAB_TERMINAL"]),
            ],
            stderr=log,
            stdout=log,
            start_new_session=True,
        )
    try:
        yield process, address
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


async def until_it_answers(address: str, process: subprocess.Popen[bytes] | None = None) -> None:
    """Returns once an agent that is starting serves; `process`, where given, has to be it."""
    asking = Agent(address)
    async with asyncio.timeout(PATIENCE_S):
        while True:
            assert process is None or process.poll() is None, "the agent ended"
            try:
                await asking.describe()
                break
            except AgentAwayError:
                await asyncio.sleep(0.1)
    await asking.close()
