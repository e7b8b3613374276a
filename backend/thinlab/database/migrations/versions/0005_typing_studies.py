"""Trials to be typed: their sessions, their keystrokes, and how noticeable a difference was.

SPDX-License-Identifier: Apache-2.0
"""

import sqlalchemy as sa
from alembic import op

from thinlab.database.migrations import columns

revision = "0005"
down_revision = "0004"

STAMPS = (
    "released",
    "backend_received",
    "agent_received",
    "pty_written",
    "key_written",
    "key_sent",
    "key_arrived",
    "key_delivered",
    "echo_written",
    "echo_sent",
    "echo_arrived",
    "echo_delivered",
    "screen",
    "agent_forwarded",
    "backend_forwarded",
    "painted",
)


def upgrade() -> None:
    _participants()
    _presentations_and_votes()
    _typing_sessions()
    _keystrokes()


def _participants() -> None:
    columns.add(
        "participant",
        columns.instant("connection_checked_at", nullable=True),
        columns.whole("connection_tries", nullable=True),
        columns.flag("connection_passed", nullable=True),
        columns.text("connection_transport", nullable=True),
        columns.real(
            "connection_rtt_ms", "connection_jitter_ms", "connection_lost_share", nullable=True
        ),
    )


def _presentations_and_votes() -> None:
    columns.add_filled("presentation", columns.text("medium", default="heard"))
    op.alter_column("presentation", "first_recording_id", nullable=True)
    op.create_check_constraint(
        op.f("ck_presentation_medium"), "presentation", "medium in ('heard', 'typed')"
    )
    op.drop_constraint(op.f("ck_presentation_second_has_a_token"), "presentation")
    op.create_check_constraint(
        op.f("ck_presentation_second_has_a_token"),
        "presentation",
        "medium = 'typed' or (second_recording_id is null) = (second_token is null)",
    )
    op.create_check_constraint(
        op.f("ck_presentation_heard_has_recordings"),
        "presentation",
        "case medium when 'heard' then first_recording_id is not null "
        "else first_recording_id is null and second_recording_id is null "
        "and second_token is not null end",
    )
    columns.add("vote", columns.whole("noticeable", nullable=True))
    op.create_check_constraint(op.f("ck_vote_noticeable"), "vote", "noticeable between 1 and 4")


def _typing_sessions() -> None:
    columns.make_table(
        "typing_session",
        columns.identity(),
        columns.reference("presentation"),
        columns.text("place"),
        columns.whole("attempt"),
        columns.text("state", default="typing"),
        columns.text("reason", nullable=True),
        columns.json("condition"),
        columns.whole("seed"),
        columns.json("task"),
        columns.text("language"),
        columns.now("opened_at"),
        columns.instant("ready_at", "ended_at", nullable=True),
        columns.text(
            "end",
            "host",
            "host_build",
            "agent_version",
            "kernel_release",
            "transport",
            nullable=True,
        ),
        columns.whole("reconnects", nullable=True),
        columns.real(
            "link_rtt_p50_ms",
            "link_rtt_p95_ms",
            "link_jitter_ms",
            "clock_uncertainty_ms",
            nullable=True,
        ),
        columns.flag("emulator_trustworthy", nullable=True),
        columns.text("final_text", nullable=True),
        columns.json("measures", "result", nullable=True),
        sa.UniqueConstraint("presentation_id", "place", "attempt"),
        sa.CheckConstraint("place in ('first', 'second')", "place"),
        sa.CheckConstraint("state in ('typing', 'done', 'void')", "state"),
        sa.CheckConstraint(
            "(state = 'void') = (reason is not null)",
            "void_has_a_reason",
        ),
    )
    op.create_index(
        "one_session_a_place",
        "typing_session",
        ["presentation_id", "place"],
        unique=True,
        postgresql_where=sa.text("state <> 'void'"),
    )


def _keystrokes() -> None:
    columns.make_table(
        "keystroke",
        columns.reference("typing_session", column="session_id"),
        columns.whole("number"),
        columns.text("kind"),
        columns.flag("repeat"),
        columns.text("data", nullable=True),
        columns.whole("pressed_us"),
        columns.whole(*(f"{name}_us" for name in STAMPS), nullable=True),
        columns.whole("screen", "key_transmissions", "echo_transmissions", nullable=True),
        columns.text("key_recovery", "echo_recovery", nullable=True),
        sa.PrimaryKeyConstraint("session_id", "number"),
    )


def downgrade() -> None:
    raise NotImplementedError("typing sessions have no place in 0004")
