"""Typing sessions and their keys.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import datetime
from typing import Any

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from thinlab.database.schema.base import Base, now_by_database, numbered_by_database, one_of
from thinlab.database.schema.presentation import Presentation


class TypingSession(Base):
    """One session of a trial to be typed, from its lane opened to its measures.

    `typing`: under way. `done`: counts. `void`: something came between, the
    `reason` says what; the place is offered again, as the next attempt.
    """

    __tablename__ = "typing_session"
    __table_args__ = (
        UniqueConstraint("presentation_id", "place", "attempt"),
        Index(
            "one_session_a_place",
            "presentation_id",
            "place",
            unique=True,
            postgresql_where=text("state <> 'void'"),
        ),
        one_of("place", "first", "second"),
        one_of("state", "typing", "done", "void"),
        CheckConstraint("(state = 'void') = (reason is not null)", "void_has_a_reason"),
    )

    id: Mapped[int] = numbered_by_database()
    presentation_id: Mapped[int] = mapped_column(ForeignKey(Presentation.id))
    place: Mapped[str]
    attempt: Mapped[int]
    state: Mapped[str] = mapped_column(server_default="typing")
    reason: Mapped[str | None]
    condition: Mapped[dict[str, Any]]
    seed: Mapped[int]
    task: Mapped[dict[str, Any]]
    language: Mapped[str]
    opened_at: Mapped[datetime] = now_by_database()
    ready_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    end: Mapped[str | None]
    host: Mapped[str | None]
    host_build: Mapped[str | None]
    agent_version: Mapped[str | None]
    kernel_release: Mapped[str | None]
    transport: Mapped[str | None]
    reconnects: Mapped[int | None]
    link_rtt_p50_ms: Mapped[float | None]
    link_rtt_p95_ms: Mapped[float | None]
    link_jitter_ms: Mapped[float | None]
    clock_uncertainty_ms: Mapped[float | None]
    emulator_trustworthy: Mapped[bool | None]
    host_wait_max_ms: Mapped[float | None]
    final_text: Mapped[str | None]
    measures: Mapped[dict[str, Any] | None]
    result: Mapped[dict[str, Any] | None]


class Keystroke(Base):
    """One key on its way from the finger to the glyph.

    `pressed_us`: since the terminal was ready. Every other stamp: since the key
    was pressed, on one clock line; none where the step was not seen.
    """

    __tablename__ = "keystroke"

    session_id: Mapped[int] = mapped_column(ForeignKey(TypingSession.id), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    repeat: Mapped[bool]
    data: Mapped[str | None]
    pressed_us: Mapped[int]
    released_us: Mapped[int | None]
    backend_received_us: Mapped[int | None]
    agent_received_us: Mapped[int | None]
    pty_written_us: Mapped[int | None]
    key_written_us: Mapped[int | None]
    key_sent_us: Mapped[int | None]
    key_arrived_us: Mapped[int | None]
    key_delivered_us: Mapped[int | None]
    echo_written_us: Mapped[int | None]
    echo_sent_us: Mapped[int | None]
    echo_arrived_us: Mapped[int | None]
    echo_delivered_us: Mapped[int | None]
    screen_us: Mapped[int | None]
    agent_forwarded_us: Mapped[int | None]
    backend_forwarded_us: Mapped[int | None]
    painted_us: Mapped[int | None]
    screen: Mapped[int | None]
    key_transmissions: Mapped[int | None]
    echo_transmissions: Mapped[int | None]
    key_recovery: Mapped[str | None]
    echo_recovery: Mapped[str | None]
