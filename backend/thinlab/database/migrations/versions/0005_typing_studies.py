"""Trials to be typed: their sessions, their keystrokes, and how noticeable a difference was.

SPDX-License-Identifier: Apache-2.0
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)
NOW = sa.text("now()")
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
    for column in (
        sa.Column("connection_checked_at", TIME),
        sa.Column("connection_tries", sa.BigInteger()),
        sa.Column("connection_passed", sa.Boolean()),
        sa.Column("connection_transport", sa.String()),
        sa.Column("connection_rtt_ms", sa.Double()),
        sa.Column("connection_jitter_ms", sa.Double()),
        sa.Column("connection_lost_share", sa.Double()),
    ):
        op.add_column("participant", column)


def _presentations_and_votes() -> None:
    op.add_column(
        "presentation", sa.Column("medium", sa.String(), nullable=False, server_default="heard")
    )
    op.alter_column("presentation", "medium", server_default=None)
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
    op.add_column("vote", sa.Column("noticeable", sa.BigInteger()))
    op.create_check_constraint(op.f("ck_vote_noticeable"), "vote", "noticeable between 1 and 4")


def _typing_sessions() -> None:
    op.create_table(
        "typing_session",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("presentation_id", sa.BigInteger(), nullable=False),
        sa.Column("place", sa.String(), nullable=False),
        sa.Column("attempt", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(), nullable=False, server_default="typing"),
        sa.Column("reason", sa.String()),
        sa.Column("condition", postgresql.JSONB(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("task", postgresql.JSONB(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("opened_at", TIME, nullable=False, server_default=NOW),
        sa.Column("ready_at", TIME),
        sa.Column("ended_at", TIME),
        sa.Column("end", sa.String()),
        sa.Column("host", sa.String()),
        sa.Column("host_build", sa.String()),
        sa.Column("agent_version", sa.String()),
        sa.Column("kernel_release", sa.String()),
        sa.Column("transport", sa.String()),
        sa.Column("reconnects", sa.BigInteger()),
        sa.Column("link_rtt_p50_ms", sa.Double()),
        sa.Column("link_rtt_p95_ms", sa.Double()),
        sa.Column("link_jitter_ms", sa.Double()),
        sa.Column("clock_uncertainty_ms", sa.Double()),
        sa.Column("emulator_trustworthy", sa.Boolean()),
        sa.Column("final_text", sa.String()),
        sa.Column("measures", postgresql.JSONB()),
        sa.Column("result", postgresql.JSONB()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_typing_session")),
        sa.UniqueConstraint(
            "presentation_id", "place", "attempt", name=op.f("uq_typing_session_presentation_id")
        ),
        sa.ForeignKeyConstraint(
            ["presentation_id"],
            ["presentation.id"],
            name=op.f("fk_typing_session_presentation_id"),
        ),
        sa.CheckConstraint("place in ('first', 'second')", name=op.f("ck_typing_session_place")),
        sa.CheckConstraint(
            "state in ('typing', 'done', 'void')", name=op.f("ck_typing_session_state")
        ),
        sa.CheckConstraint(
            "(state = 'void') = (reason is not null)",
            name=op.f("ck_typing_session_void_has_a_reason"),
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
    op.create_table(
        "keystroke",
        sa.Column("session_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("repeat", sa.Boolean(), nullable=False),
        sa.Column("data", sa.String()),
        sa.Column("pressed_us", sa.BigInteger(), nullable=False),
        *(sa.Column(f"{name}_us", sa.BigInteger()) for name in STAMPS),
        sa.Column("screen", sa.BigInteger()),
        sa.Column("key_transmissions", sa.BigInteger()),
        sa.Column("echo_transmissions", sa.BigInteger()),
        sa.Column("key_recovery", sa.String()),
        sa.Column("echo_recovery", sa.String()),
        sa.PrimaryKeyConstraint("session_id", "number", name=op.f("pk_keystroke")),
        sa.ForeignKeyConstraint(
            ["session_id"], ["typing_session.id"], name=op.f("fk_keystroke_session_id")
        ),
    )


def downgrade() -> None:
    raise NotImplementedError("typing sessions have no place in 0004")
