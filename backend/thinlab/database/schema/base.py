"""What all tables share.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, CheckConstraint, DateTime, Double, Identity, MetaData, func
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """Types and constraint names shared by all tables."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map = {  # noqa: RUF012 (SQLAlchemy's way to declare it)
        int: BigInteger,
        float: Double,
        datetime: DateTime(timezone=True),
        dict[str, Any]: JSONB,
        list[dict[str, Any]]: JSONB,
    }


def numbered_by_database() -> Mapped[int]:
    """The row's number, which the database gives it."""
    return mapped_column(Identity(always=True), primary_key=True)


def now_by_database() -> Mapped[datetime]:
    """When the row was entered, by the clock of the database."""
    return mapped_column(server_default=func.now())


def one_of(column: str, *values: str) -> CheckConstraint:
    """That a column holds one of these, under the column's name."""
    listed = ", ".join(f"'{value}'" for value in values)
    return CheckConstraint(f"{column} in ({listed})", column)
