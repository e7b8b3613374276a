"""Errors of the database that tell what went wrong, and nothing of what was to be stored.

Errors are logged, with all that led to them; what was to be stored may be a vote. PostgreSQL names
the values of a refused row in an error's detail, asyncpg those that it cannot send in the error's
own words, and SQLAlchemy, asked not to (`hide_parameters`), repeats both.

SPDX-License-Identifier: Apache-2.0
"""

import re
from collections.abc import Iterator
from typing import Any

import asyncpg
from sqlalchemy import event
from sqlalchemy.engine import ExceptionContext
from sqlalchemy.ext.asyncio import AsyncEngine

# What follows is the detail with its values; the first line has the names of table and constraint.
_DETAIL = re.compile(r"\n(?:DETAIL|HINT):.*", re.DOTALL)
# Of asyncpg, about a value that does not fit its column's type.
_ARGUMENT = re.compile(r"(invalid input for query argument \$\d+)(?:.|\n)*")
# Of PostgreSQL, about a text that is no number, date or UUID.
_QUOTED = re.compile(r'(invalid input (?:syntax|value) for [^:]*): ".*"', re.DOTALL)


def keep_values_out(engine: AsyncEngine) -> None:
    """From now on, errors of this engine name no values."""
    event.listen(engine.sync_engine, "handle_error", _hide)


def without_values(words: str) -> str:
    """What an error says, but for the values."""
    words = _QUOTED.sub(r"\1", _ARGUMENT.sub(r"\1", words))
    return _DETAIL.sub("", words)


def _hide(context: ExceptionContext) -> None:
    for error in _chain(context.sqlalchemy_exception, context.original_exception):
        error.args = tuple(
            without_values(part) if isinstance(part, str) else part for part in error.args
        )
        if isinstance(error, asyncpg.PostgresError):
            # It makes its words anew of these.
            vars(error).update(detail=None, hint=None, context=None, internal_query=None)


def _chain(*errors: BaseException | None) -> Iterator[Any]:
    """Each error, and those behind it."""
    seen: set[int] = set()
    waiting = list(errors)
    while waiting:
        error = waiting.pop()
        if error is None or id(error) in seen:
            continue
        seen.add(id(error))
        yield error
        waiting += [error.__cause__, error.__context__]
