"""A bot's line to the server: insists until there is an answer, through the weather it has.

As the page does: a request that got no answer, or "not now" (503), is sent again after a moment
that doubles up to a limit. Every request of the contract is harmless to repeat. The weather adds
what networks do: requests that never leave, answers that never arrive, requests that arrive twice.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

UNAVAILABLE = {429, 502, 503, 504}
FIRST_WAIT_S = 0.4
LONGEST_WAIT_S = 8.0

Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True)
class Weather:
    """How often something happens to a request, as shares of all."""

    lost_before: float = 0.0
    """It never leaves the device."""
    lost_after: float = 0.0
    """It arrives, but its answer does not."""
    doubled: float = 0.0
    """It arrives twice, at the same moment."""


STEADY = Weather()


class RefusedError(Exception):
    """The server's last word on a request."""

    def __init__(self, status: int, problem: dict[str, Any]) -> None:
        super().__init__(f"{status}: {problem.get('detail') or problem.get('title')}")
        self.status = status
        self.problem = problem

    @property
    def kind(self) -> str:
        """The end of the problem's type, such as `full`."""
        return str(self.problem.get("type", "")).rsplit("/", 1)[-1].rsplit(":", 1)[-1]


@dataclass(frozen=True)
class Answered:
    """One request that was answered: for whoever measures."""

    method: str
    path: str
    status: int
    seconds: float


@dataclass
class Tally:
    """What happened on the way."""

    requests: int = 0
    lost: int = 0
    """Sent again because no answer came."""
    turned_away: int = 0
    """Sent again because the server said "not now"."""


@dataclass
class Line:
    """One device's connection."""

    client: httpx.AsyncClient
    weather: Weather = STEADY
    chance: random.Random = field(default_factory=random.Random)
    sleep: Sleep = asyncio.sleep
    watch: Callable[[Answered], None] | None = None
    tally: Tally = field(default_factory=Tally)

    async def ask(
        self,
        method: str,
        path: str,
        *,
        token: str | None = None,
        body: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
    ) -> httpx.Response:
        """The answer, as soon as one arrives. Raises `RefusedError`."""
        sent = dict(headers or {})
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        wait_s = FIRST_WAIT_S
        while True:
            answer = await self._send(method, path, body, sent)
            if answer is not None and answer.status_code not in UNAVAILABLE:
                if answer.is_success:
                    return answer
                raise RefusedError(answer.status_code, _problem(answer))
            if answer is None:
                self.tally.lost += 1
            else:
                self.tally.turned_away += 1
            await self.sleep(wait_s * self.chance.uniform(0.5, 1.0))
            wait_s = min(2 * wait_s, LONGEST_WAIT_S)

    async def _send(
        self, method: str, path: str, body: dict[str, Any] | None, headers: dict[str, str]
    ) -> httpx.Response | None:
        """One try; none when no answer arrived."""
        luck = self.chance.random()
        if luck < self.weather.lost_before:
            return None
        luck -= self.weather.lost_before
        try:
            if luck < self.weather.doubled:
                answer, _ = await asyncio.gather(
                    self._once(method, path, body, headers), self._once(method, path, body, headers)
                )
                return answer
            answer = await self._once(method, path, body, headers)
        except httpx.TransportError:
            return None
        return None if luck - self.weather.doubled < self.weather.lost_after else answer

    async def _once(
        self, method: str, path: str, body: dict[str, Any] | None, headers: dict[str, str]
    ) -> httpx.Response:
        self.tally.requests += 1
        started = asyncio.get_running_loop().time()
        answer = await self.client.request(method, path, json=body, headers=headers)
        if self.watch is not None:
            seconds = asyncio.get_running_loop().time() - started
            self.watch(Answered(method, path, answer.status_code, seconds))
        return answer


def _problem(answer: httpx.Response) -> dict[str, Any]:
    try:
        problem = answer.json()
    except ValueError:
        problem = None
    return problem if isinstance(problem, dict) else {"title": answer.text[:200]}
