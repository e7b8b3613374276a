"""Which errors mean that the database is away, and not that a query was wrong.

SPDX-License-Identifier: Apache-2.0
"""

import asyncpg
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError


def is_database_loss(error: BaseException) -> bool:
    """True for a database that is away, restarting or shutting down; false for a wrong query."""
    if isinstance(error, InterfaceError | OperationalError | PoolTimeoutError):
        return True
    if isinstance(error, DBAPIError):
        return error.connection_invalidated or _is_away(error.orig)
    return isinstance(error, OSError) or _is_away(error)


def _is_away(error: BaseException | None) -> bool:
    # Class 57: operator intervention (shutdown, crash recovery); class 08: connection.
    state = getattr(error, "sqlstate", None) or ""
    return state[:2] in {"57", "08"} or isinstance(error, asyncpg.InterfaceError)
