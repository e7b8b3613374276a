"""Who runs sessions: Dask workers of this machine, or those of a scheduler elsewhere.

SPDX-License-Identifier: Apache-2.0
"""

import logging
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from distributed import Client, LocalCluster
from distributed.security import Security

from thinlab.tls.trust import Trust


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
        security = _security(workers)
        async with Client(workers.scheduler, security=security, asynchronous=True) as client:
            yield client
        return
    async with (
        LocalCluster(
            n_workers=workers.count or len(os.sched_getaffinity(0)),
            threads_per_worker=1,
            processes=True,
            asynchronous=True,
            # Any free port of this machine: the usual one may be another cluster's.
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.ERROR,
        ) as cluster,
        Client(cluster, asynchronous=True) as client,
    ):
        yield client


def _security(workers: Workers) -> Security | None:
    """Who gives a scheduler work runs programs on its workers, and the other way round."""
    papers = workers.trust.papers(workers.scheduler or "", "the Dask scheduler")
    if papers is None:
        return None
    return Security(
        require_encryption=True,
        tls_ca_file=str(papers.authority),
        tls_client_cert=str(papers.certificate),
        tls_client_key=str(papers.key),
    )
