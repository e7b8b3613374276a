"""Which errors mean that the database is away, and not that a query was wrong.

SPDX-License-Identifier: Apache-2.0
"""

from traceback import walk_tb

import asyncpg
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError


def is_database_loss(error: BaseException) -> bool:
    """True for a database that is away, restarting or shutting down; false for a wrong query."""
    if isinstance(error, InterfaceError | OperationalError | PoolTimeoutError):
        return True
    if isinstance(error, DBAPIError):
        return error.connection_invalidated or _is_away(error.orig)
    return _is_away(error) or (isinstance(error, OSError) and _is_of_the_driver(error))


def _is_away(error: BaseException | None) -> bool:
    # Class 57: operator intervention (shutdown, crash recovery); class 08: connection.
    state = getattr(error, "sqlstate", None) or ""
    return state[:2] in {"57", "08"} or isinstance(error, asyncpg.InterfaceError)


def _is_of_the_driver(error: BaseException | None) -> bool:
    """Whether it came through asyncpg: a connection is none of a file, nor of anybody else's."""
    while error is not None:
        for frame, _ in walk_tb(error.__traceback__):
            if frame.f_globals.get("__name__", "").split(".")[0] == asyncpg.__name__:
                return True
        # What has taken too long was cancelled there, and told here.
        error = error.__cause__ or error.__context__
    return False
