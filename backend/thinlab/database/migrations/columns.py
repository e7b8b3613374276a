"""The columns of which migrations make tables, each kind said once.

What is here made the schemas of before and never changes; what a new migration needs besides is
added. Constraints without a name get theirs by the convention of `schema.Base`.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

Column = sa.Column[Any]


class _Kind:
    """Columns of one type; they have to be filled unless it is said otherwise."""

    def __init__(self, type_: sa.types.TypeEngine[Any]) -> None:
        self._type = type_

    def __call__(
        self, *names: str, nullable: bool = False, default: str | sa.TextClause | None = None
    ) -> list[Column]:
        return [
            sa.Column(name, self._type, nullable=nullable, server_default=default) for name in names
        ]


text = _Kind(sa.String())
octets = _Kind(sa.LargeBinary())
whole = _Kind(sa.BigInteger())
real = _Kind(sa.Double())
flag = _Kind(sa.Boolean())
instant = _Kind(sa.DateTime(timezone=True))
uuid = _Kind(sa.Uuid())
json = _Kind(JSONB())


def identity() -> list[Column]:
    """The number that the database gives a row."""
    return [sa.Column("id", sa.BigInteger(), sa.Identity(always=True), primary_key=True)]


def reference(table: str, *, column: str | None = None, nullable: bool = False) -> list[Column]:
    """Which row of another table this belongs to: `TABLE_id`, or called otherwise."""
    name = column or f"{table}_id"
    return [sa.Column(name, sa.BigInteger(), sa.ForeignKey(f"{table}.id"), nullable=nullable)]


def now(name: str) -> list[Column]:
    """When the row was entered, by the clock of the database."""
    return instant(name, default=sa.text("now()"))


def make_table(name: str, *parts: list[Column] | sa.Constraint) -> None:
    """Makes a table of columns, in this order, and constraints."""
    items: list[Column | sa.Constraint] = []
    for part in parts:
        items += part if isinstance(part, list) else [part]
    op.create_table(name, *items)


def add(table: str, *parts: list[Column]) -> None:
    """Adds columns to a table."""
    for part in parts:
        for column in part:
            op.add_column(table, column)


def add_filled(table: str, part: list[Column]) -> None:
    """Adds columns whose default is for the rows of before, and for no row to come."""
    add(table, part)
    for column in part:
        op.alter_column(table, column.name, server_default=None)
