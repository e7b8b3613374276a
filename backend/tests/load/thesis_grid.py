"""How long chapter 4.1 of the thesis takes: `make bench ONLY=papers-bench`.

SPDX-License-Identifier: Apache-2.0
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.load.figures import rows

EXPERIMENTS = Path(__file__).parents[2] / "experiments"
# Retransmissions against loss, RTT and IAT: figures 4.1 to 4.3, tables 4.1 to 4.3.
GRID = ("loss-sweep", "loss-steps", "rtt-sweep", "iat-sweep")


def main() -> None:
    """Runs it in a cache of its own; the command's progress goes to standard error."""
    files = [str(EXPERIMENTS / f"{name}.yaml") for name in GRID]
    with tempfile.TemporaryDirectory(prefix="thinlab-thesis-grid-") as cache:
        begun = time.monotonic()
        ran = subprocess.run(
            [sys.executable, "-m", "thinlab", "experiment", "all", *files],
            env={**os.environ, "THINLAB_CACHE": cache, "THINLAB_LAB": ""},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        minutes = (time.monotonic() - begun) / 60
    sys.stderr.write(ran.stdout)
    sessions = sum(int(number) for number in re.findall(r"(\d+) sessions run", ran.stdout))
    how = (
        f"{sessions} sessions of 30 virtual minutes, along loss, RTT and IAT; both captures of "
        f"each analysed, tables and figures; {os.cpu_count()} workers"
    )
    print(json.dumps(rows([("thesis_grid_minutes", minutes, "min", how)])))


if __name__ == "__main__":
    main()
