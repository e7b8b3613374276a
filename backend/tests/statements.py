"""What is asked of the database meanwhile.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event

from thinlab.database.engine import Database


@contextmanager
def noted(database: Database) -> Iterator[list[str]]:
    """Every statement, in order, as it is sent."""
    asked: list[str] = []

    def note(*arguments: Any) -> None:  # noqa: ANN401 (SQLAlchemy's own)
        asked.append(arguments[2])

    engine = database.engine.sync_engine
    event.listen(engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        event.remove(engine, "before_cursor_execute", note)
