"""Trying again while an agent is away.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from thinlab.lab.agent import AgentAwayError

T = TypeVar("T")

log = logging.getLogger(__name__)

# A host that dies is started again within a second; a minute of tries outlasts that by far.
TRIES = 30
FIRST_PAUSE_S = 0.2
LONGEST_PAUSE_S = 2.0


async def patiently(attempt: Callable[[], Awaitable[T]]) -> T:
    """Repeats the attempt while the agent is away. Raises `AgentAwayError` in the end."""
    pause_s = FIRST_PAUSE_S
    for _ in range(TRIES - 1):
        try:
            return await attempt()
        except AgentAwayError as error:
            log.info("trying again in %.1f s: %s", pause_s, error)
            await asyncio.sleep(pause_s)
            pause_s = min(pause_s * 2, LONGEST_PAUSE_S)
    return await attempt()
