"""The columns of which migrations make tables, each kind said once.

What is here made the schemas of before and never changes; what a new migration needs besides is
added. Constraints without a name get theirs by the convention of `schema.Base`.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB

Column = sa.Column[Any]


class _Kind:
    """Columns of one type; they have to be filled unless it is said otherwise."""

    def __init__(self, type_: sa.types.TypeEngine[Any]) -> None:
        self._type = type_

    def __call__(
        self, name: str, *, nullable: bool = False, default: str | sa.TextClause | None = None
    ) -> Column:
        return sa.Column(name, self._type, nullable=nullable, server_default=default)


text = _Kind(sa.String())
octets = _Kind(sa.LargeBinary())
whole = _Kind(sa.BigInteger())
real = _Kind(sa.Double())
flag = _Kind(sa.Boolean())
instant = _Kind(sa.DateTime(timezone=True))
uuid = _Kind(sa.Uuid())
json = _Kind(JSONB())


def identity() -> Column:
    """The number that the database gives a row."""
    return sa.Column("id", sa.BigInteger(), sa.Identity(always=True), primary_key=True)


def reference(table: str, *, column: str | None = None, nullable: bool = False) -> Column:
    """Which row of another table this belongs to: `TABLE_id`, or called otherwise."""
    name = column or f"{table}_id"
    return sa.Column(name, sa.BigInteger(), sa.ForeignKey(f"{table}.id"), nullable=nullable)


def now(name: str) -> Column:
    """When the row was entered, by the clock of the database."""
    return instant(name, default=sa.text("now()"))
