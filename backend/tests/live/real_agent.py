"""The real agent in real time, as a process of its own.

SPDX-License-Identifier: Apache-2.0
"""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.running.thinlab_process import PATIENCE_S

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
