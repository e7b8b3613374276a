"""The hosts in real time that terminals run on: looked after, and used evenly.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.lab.agent import THIS_MACHINE, Agent, AgentAwayError, AgentRefusedError
from thinlab.tls.trust import Trust

log = logging.getLogger(__name__)

# Often enough to know, before somebody is let in, whether the guests keep up.
LOOK_PAUSE_S = 1.0
# Where an agent's clock is this machine's own.
HERE = ("unix:", "127.0.0.1:", "localhost:", "[::1]:")


class NoHostError(Exception):
    """No host runs terminals at this moment; the text says why."""


@dataclass
class LiveHost:
    """One agent, and how it is."""

    agent: Agent
    description: pb.HostDescription | None = None
    problem: str | None = "it has not been asked yet"
    """Why nothing can be typed there."""
    clock_problem: str | None = "it has not been asked yet"
    """Why nothing can be run there for people at all."""
    sessions: int = 0

    @property
    def shares_clock(self) -> bool:
        """Whether the agent's clock is the server's."""
        return self.agent.address.removeprefix("tls://").startswith(HERE)


class LiveHosts:
    """A pool of them."""

    def __init__(self, addresses: Sequence[str], trust: Trust = THIS_MACHINE) -> None:
        """Raises `SettingError` for an address that must not, or cannot, be spoken to."""
        for address in addresses:
            trust.papers(address, "the live lab-agent")
        self._addresses = addresses
        self._trust = trust
        self._hosts: list[LiveHost] = []

    @property
    def problem(self) -> str | None:
        """Why nothing can be typed now; none where it can."""
        if not self._addresses:
            return (
                "There is no lab host in real time. Set THINLAB_LIVE_LAB to the address of one "
                "(lab-agent boot --clock real), or start everything with make run."
            )
        problems = [f"{host.agent.address}: {host.problem}" for host in self._hosts if host.problem]
        if len(problems) < len(self._hosts):
            return None
        if not problems:
            return "The lab hosts in real time have not been asked yet."
        return f"No lab host in real time answers as it should: {'; '.join(problems)}."

    def known(self) -> Sequence[LiveHost]:
        """All of them, well or not."""
        return tuple(self._hosts)

    async def look(self) -> None:
        """Asks every host how it is."""
        if not self._hosts:
            # gRPC ties a channel to the running loop.
            self._hosts = [LiveHost(Agent(address, self._trust)) for address in self._addresses]
        await asyncio.gather(*(self._ask(host) for host in self._hosts))

    async def keep_looking(self) -> None:
        """Asks again every few seconds, until cancelled."""
        while True:
            await self.look()
            await asyncio.sleep(LOOK_PAUSE_S)

    async def _ask(self, host: LiveHost) -> None:
        try:
            described = await host.agent.describe()
        except (AgentAwayError, AgentRefusedError) as error:
            problem: str | None = str(error)
            host.clock_problem = problem
        else:
            host.description = described
            host.clock_problem = _clock_problem_of(described)
            problem = host.clock_problem or _terminal_problem_of(described)
        if problem is not None and problem != host.problem:
            log.warning("the live lab at %s: %s", host.agent.address, problem)
        host.problem = problem

    def take(self) -> LiveHost:
        """The host with the fewest sessions; to be given back. Raises `NoHostError`."""
        well = [host for host in self._hosts if host.problem is None]
        if not well:
            raise NoHostError(self.problem)
        host = min(well, key=lambda one: one.sessions)
        host.sessions += 1
        return host

    def for_demo(self) -> LiveHost:
        """A host that keeps guests for demos. Raises `NoHostError`.

        Not counted among its sessions: those have guests of their own.
        """
        for host in self._hosts:
            if host.clock_problem is None and host.description and host.description.demo_guests:
                return host
        raise NoHostError(self._demo_problem())

    def _demo_problem(self) -> str:
        if not self._addresses:
            return str(self.problem)
        told = "; ".join(
            f"{host.agent.address}: {host.clock_problem or 'it keeps no guests for demos'}"
            for host in self._hosts
        )
        return f"No lab host runs demos: {told or 'they have not been asked yet'}."

    def behind_ms(self) -> float:
        """How long the slowest guest took to answer lately, or has owed an answer."""
        answers_ns = [
            host.description.guest_answer_ns
            for host in self._hosts
            if host.problem is None and host.description is not None
        ]
        return max(answers_ns, default=0) / 1e6

    @property
    def demo_guests(self) -> int:
        """How many demos could run at a time."""
        return sum(
            host.description.demo_guests
            for host in self._hosts
            if host.clock_problem is None and host.description is not None
        )

    def give_back(self, host: LiveHost) -> None:
        """A session is over."""
        host.sessions -= 1

    async def close(self) -> None:
        """Closes the connections."""
        for host in self._hosts:
            await host.agent.close()


def _clock_problem_of(described: pb.HostDescription) -> str | None:
    if described.clock != pb.CLOCK_REAL_TIME:
        return "its clock is virtual; start it with `--clock real`"
    return None


def _terminal_problem_of(described: pb.HostDescription) -> str | None:
    if not described.terminal.available:
        return described.terminal.reason or "it has no terminals; give it `--terminal`"
    return None
