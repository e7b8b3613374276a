"""How long a presenter's switch takes to the kernel, from the console's WebSocket.

One of two lanes' mechanisms are switched on and off a hundred times. The clock starts when the
command has arrived in the backend and stops when the kernel had taken all of it; both by this
machine's clock. The agent's own bench has the same without the backend.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import time
from dataclasses import dataclass

from tests.demo.conftest import SETTINGS
from tests.demo.pages import ConsolePage
from tests.load.figures import percentile

SWITCHES = 100
# As a presenter who is in a hurry; every third falls into another place of the agent's turn.
PAUSE_S = 0.13


@dataclass
class Switched:
    """All of them, sorted."""

    kernel_ms: list[float]
    answer_ms: list[float]
    """From the console's own sending to its `done`."""


async def switch(console: ConsolePage) -> Switched:
    """One lane, on and off."""
    off, on = SETTINGS["lanes"]
    found = Switched([], [])
    for number in range(SWITCHES):
        await asyncio.sleep(PAUSE_S)
        began_s = time.perf_counter()
        done = await console.do("set_lane", lane=0, to=(on, off)[number % 2])
        assert done["type"] == "done", done
        found.answer_ms.append((time.perf_counter() - began_s) * 1000)
        found.kernel_ms.append(done["kernel_ms"])
    assert console.last("state")["take"] == 1, "the take broke off"
    found.kernel_ms.sort()
    found.answer_ms.sort()
    return found


def figures(found: Switched) -> list[dict[str, object]]:
    """For `make bench`."""
    how = (
        f"{SWITCHES} switches of all mechanisms of one of two lanes that play speech (130 ms, 2 % "
        "loss), from the command's arrival at the backend to the kernel; p90 "
        f"{percentile(found.kernel_ms, 0.9):.1f} ms; the console had its answer after "
        f"{percentile(found.answer_ms, 0.5):.0f} ms (p50), {found.answer_ms[-1]:.0f} ms (longest)"
    )
    values = {
        "console_to_kernel_p50_ms": percentile(found.kernel_ms, 0.5),
        "console_to_kernel_max_ms": found.kernel_ms[-1],
    }
    return [
        {"name": name, "value": round(value, 2), "unit": "ms", "how": how}
        for name, value in values.items()
    ]
