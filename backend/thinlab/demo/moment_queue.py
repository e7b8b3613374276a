"""Moments on their way from the takes to those who watch, made ready in a thread, in order.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pydantic_core import to_json

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.demo.clock import TakeClock
from thinlab.demo.deflated import deflated
from thinlab.demo.moment import moment_of

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ReadyMoment:
    """A moment as it is sent."""

    at_ms: float
    take: int
    text: str
    last_minute: list[dict[str, Any] | None] | None
    """The lanes' figures of the last minute; none where the moment has none."""

    @classmethod
    def of(cls, moment: pb.DemoMoment, clock: TakeClock, take: int) -> "ReadyMoment":
        """Converted, serialised and compressed: all that needs time."""
        told = moment_of(moment, clock, take)
        text = to_json(told, inf_nan_mode="null").decode()
        # It is remembered for those who send it.
        deflated(text.encode())
        lanes = told["lanes"]
        figures = any("last_minute" in lane for lane in lanes)
        last_minute = [lane.get("last_minute") for lane in lanes] if figures else None
        return cls(told["at_ms"], take, text, last_minute)


class MomentQueue:
    """One demo's. The loop does none of the work: keys and sound pass through it, too."""

    def __init__(self, ready: Callable[[ReadyMoment], None]) -> None:
        """`ready` is told of each."""
        self._ready = ready
        self._waiting: asyncio.Queue[tuple[pb.DemoMoment, TakeClock, int]] = asyncio.Queue()
        self._working = asyncio.create_task(self._work())

    def put(self, moment: pb.DemoMoment, clock: TakeClock, take: int) -> None:
        """The next one. Never waits."""
        self._waiting.put_nowait((moment, clock, take))

    async def _work(self) -> None:
        while True:
            moment, clock, take = await self._waiting.get()
            try:
                self._ready(await asyncio.to_thread(ReadyMoment.of, moment, clock, take))
            except Exception:
                log.exception("a moment is lost")
            finally:
                self._waiting.task_done()

    async def close(self) -> None:
        """Returns when all that came is told."""
        await self._waiting.join()
        self._working.cancel()
        with suppress(asyncio.CancelledError):
            await self._working
