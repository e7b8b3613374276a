"""Who runs sessions: Dask workers of this machine, or those of a scheduler elsewhere.

SPDX-License-Identifier: Apache-2.0
"""

import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from distributed import Client, Nanny, Scheduler, SpecCluster, Worker
from distributed.security import Security

from thinlab.tls.authority import Issued, issue_once
from thinlab.tls.trust import Trust

HERE = "127.0.0.1"


@dataclass(frozen=True)
class Workers:
    """Who runs the sessions."""

    lab: str | None
    """The host's address for all workers; none: each worker has a host of its own."""
    count: int = 0
    """Local workers; 0: one a core."""
    scheduler: str | None = None
    """Address of a Dask scheduler that has workers already."""
    trust: Trust = field(default_factory=Trust)
    """By what this machine and the scheduler's know each other."""


@asynccontextmanager
async def dask_client(workers: Workers) -> AsyncIterator[Client]:
    """A client of the workers; local ones live as long as the block.

    Raises `OSError` when nothing answers at the scheduler's address, and `SettingError`.
    """
    if workers.scheduler is not None:
        papers = workers.trust.papers(workers.scheduler, "the Dask scheduler")
        security = None if papers is None else _security(papers.read())
        async with Client(workers.scheduler, security=security, asynchronous=True) as client:
            yield client
        return
    security = _security_of_our_own()
    async with (
        _cluster(workers.count or len(os.sched_getaffinity(0)), security) as cluster,
        Client(cluster, asynchronous=True) as client,
    ):
        yield client


def _security_of_our_own() -> Security:
    """Certificates of an authority that is gone, for those who work here.

    Loopback is open to whoever has an account on this machine.
    """
    return _security(issue_once(HERE))


class _WithoutPages:
    """Dask's nodes show themselves over HTTP to whoever asks, and no setting keeps them from it."""

    def start_http_server(self, *_: object, **__: object) -> None:
        """Nothing listens."""


class _Scheduler(_WithoutPages, Scheduler):
    """One that only its workers and clients can speak to."""


class _Worker(_WithoutPages, Worker):
    """One that only its scheduler, its nanny and other workers can speak to."""


def _cluster(count: int, security: Security) -> SpecCluster:
    """A scheduler in this process, and workers that are processes."""
    own = {"host": HERE, "protocol": "tls", "security": security}
    worker = {
        "cls": Nanny,
        "options": own | {"worker_class": _Worker, "nthreads": 1, "silence_logs": logging.ERROR},
    }
    return SpecCluster(
        scheduler={"cls": _Scheduler, "options": own | {"port": 0}},
        workers=dict.fromkeys(range(count), worker),
        security=security,
        asynchronous=True,
        silence_logs=logging.ERROR,
    )


def _security(issued: Issued) -> Security:
    """Who gives a scheduler work runs programs on its workers, and the other way round."""
    certificate, key = issued.certificate.decode(), issued.key.decode()
    roles = ("client", "scheduler", "worker")
    return Security(
        require_encryption=True,
        # As texts: files would have to stay as long as workers may be started again, and a
        # process that is killed would leave them.
        tls_ca_file=issued.authority.decode(),
        **{f"tls_{role}_cert": certificate for role in roles},
        **{f"tls_{role}_key": key for role in roles},
    )
