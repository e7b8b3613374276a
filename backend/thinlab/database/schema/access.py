"""The installation's own secrets, who is signed in, and what was done.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint
from sqlalchemy.orm import Mapped, mapped_column

from thinlab.database.schema.base import Base, now_by_database, numbered_by_database, one_of


class ServerSecret(Base):
    """One row: what this installation keeps to itself."""

    __tablename__ = "server_secret"
    __table_args__ = (CheckConstraint("id = 1", "one_row"),)

    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    participant_key: Mapped[bytes]
    password_hash: Mapped[str | None]


class WebSession(Base):
    """A signed-in browser of the researcher, or of a presenter."""

    __tablename__ = "web_session"
    __table_args__ = (one_of("role", "researcher", "presenter"),)

    token_hash: Mapped[bytes] = mapped_column(primary_key=True)
    role: Mapped[str]
    created_at: Mapped[datetime] = now_by_database()
    used_at: Mapped[datetime] = now_by_database()
    expires_at: Mapped[datetime]


class AccessToken(Base):
    """A token that was printed, for one of two purposes; a new one takes the old one's place."""

    __tablename__ = "access_token"
    __table_args__ = (one_of("purpose", "setup", "presenter"),)

    purpose: Mapped[str] = mapped_column(primary_key=True)
    token_hash: Mapped[bytes]
    made_at: Mapped[datetime] = now_by_database()
    expires_at: Mapped[datetime]


class AuditEntry(Base):
    """Something of weight that was done; never changed, never deleted."""

    __tablename__ = "audit_entry"
    __table_args__ = (one_of("by", "researcher", "presenter", "operator", "stranger"),)

    id: Mapped[int] = numbered_by_database()
    at: Mapped[datetime] = now_by_database()
    act: Mapped[str]
    by: Mapped[str]
    study: Mapped[str | None]
    details: Mapped[dict[str, Any]]
