"""A connection that died with the database is replaced before use: if it was not used just now.

Asking before each use costs every transaction a round trip. What dies within a
second of its last use fails in use, and is asked for again, as whatever was
under way at that moment.

SPDX-License-Identifier: Apache-2.0
"""

import time
from typing import Any

from sqlalchemy import event
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.ext.asyncio import AsyncEngine
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection

IDLE_S = 1.0
_USED_AT_S = "thinlab.used_at_s"


def ping_what_was_idle(engine: AsyncEngine) -> None:
    """Of all connections of an engine."""
    dialect = engine.sync_engine.dialect

    @event.listens_for(engine.sync_engine, "connect")
    @event.listens_for(engine.sync_engine, "checkin")
    def used(connection: Any, entry: ConnectionPoolEntry) -> None:  # noqa: ANN401 (the driver's)
        del connection
        entry.info[_USED_AT_S] = time.monotonic()

    @event.listens_for(engine.sync_engine, "checkout")
    def looked_at(
        connection: Any,  # noqa: ANN401 (the driver's)
        entry: ConnectionPoolEntry,
        proxy: PoolProxiedConnection,
    ) -> None:
        del proxy
        if time.monotonic() - entry.info.get(_USED_AT_S, 0.0) < IDLE_S:
            return
        try:
            dialect.do_ping(connection)
        except Exception as error:
            raise InvalidatePoolError from error
