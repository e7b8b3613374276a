"""A Dask worker's way to its lab host: what every task that runs a session begins with.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.lab.agent import Agent
from thinlab.lab.patience import patiently
from thinlab.settings import SettingError, Settings
from thinlab.tls.trust import Trust


class WorkerError(Exception):
    """A worker has no host, or another one than the work began on."""


def describe_host(lab: str | None) -> bytes:
    """What the host is, as a `HostDescription` in bytes, which Dask can carry.

    Raises `AgentAwayError` and `WorkerError`.
    """

    async def ask() -> pb.HostDescription:
        agent = _agent(lab)
        try:
            return await patiently(agent.describe)
        finally:
            await agent.close()

    return asyncio.run(ask()).SerializeToString()


@asynccontextmanager
async def host_of_build(lab: str | None, build: str) -> AsyncIterator[Agent]:
    """The host at `lab`, or the worker's own, of the build that the work began on.

    Raises `AgentAwayError` and `WorkerError`.
    """
    agent = _agent(lab)
    try:
        host = await patiently(agent.describe)
        if host.build != build:
            raise WorkerError(
                f"the host at {agent.address} is of build {host.build}, the first one asked is "
                f"of {build}; start the same lab-agent, kernel and guest on every worker"
            )
        yield agent
    finally:
        await agent.close()


def analyser_here() -> Path:
    """This worker's own lab-agent, which reads captures. Raises `WorkerError`."""
    try:
        return Settings.read().need("agent")
    except SettingError as error:
        raise WorkerError(f"{error} (where the worker is started)") from error


def _agent(lab: str | None) -> Agent:
    """By this worker's own certificates. Raises `WorkerError`."""
    try:
        return Agent(address_of_host(lab), Trust.of(Settings.read()))
    except SettingError as error:
        raise WorkerError(f"{error} (where the worker is started)") from error


def address_of_host(lab: str | None) -> str:
    """The address given, or that of the worker's environment. Raises `WorkerError`."""
    address = lab or os.environ.get("THINLAB_LAB")
    if not address:
        raise WorkerError(
            "this worker has no lab host: start `lab-agent boot --clock virtual` beside it and "
            "set THINLAB_LAB to the address that it prints"
        )
    return address
