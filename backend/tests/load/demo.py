"""Bench: a demo over the real lab: how long a switch takes, and what a room full of pages costs.

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path

from tests.load import demo_switches, room
from tests.load.demo_stack import demo_stack


async def measure(folder: Path, pages: int, *, switches: bool) -> list[dict[str, object]]:
    """Starts everything, switches, and lets people in."""
    async with demo_stack(folder) as stack:
        found = []
        if switches:
            found += demo_switches.figures(await demo_switches.switch(stack.console))
        return found + room.figures(await room.fill(stack, pages), pages)


def main() -> None:
    """Prints the figures as a JSON array."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=room.PAGES)
    parser.add_argument("--room-only", action="store_true", help="no switches")
    chosen = parser.parse_args()
    if not os.environ.get("THINLAB_TERMINAL"):
        sys.exit("✗ THINLAB_TERMINAL: not set; `make bench` builds the parts and sets it")
    with tempfile.TemporaryDirectory(prefix="thinlab-demo-") as name:
        # Started by root, the database has a user of its own, who must be able to pass.
        Path(name).chmod(0o711)
        print(
            json.dumps(
                asyncio.run(measure(Path(name), chosen.pages, switches=not chosen.room_only))
            )
        )


if __name__ == "__main__":
    main()
