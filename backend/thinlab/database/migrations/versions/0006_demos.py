"""Live demos: takes, what happened, polls and their votes.

SPDX-License-Identifier: Apache-2.0
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)
NOW = sa.text("now()")


def upgrade() -> None:
    _demos()
    _takes()
    _events()
    _polls()


def _demos() -> None:
    op.create_table(
        "demo",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("settings", postgresql.JSONB(), nullable=False),
        sa.Column("fate", sa.String(), nullable=False, server_default="running"),
        sa.Column("began_at", TIME, nullable=False, server_default=NOW),
        sa.Column("ended_at", TIME),
        sa.Column("length_ms", sa.Double()),
        sa.Column("size_bytes", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("build", sa.String(), nullable=False),
        sa.Column("share_key", postgresql.UUID(as_uuid=True)),
        sa.Column("share_hash", sa.LargeBinary()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_demo")),
        sa.UniqueConstraint("share_hash", name=op.f("uq_demo_share_hash")),
        sa.CheckConstraint("fate in ('running', 'ended', 'broken_off')", name=op.f("ck_demo_fate")),
        sa.CheckConstraint(
            "(fate = 'running') = (ended_at is null)", name=op.f("ck_demo_running_has_no_end")
        ),
        sa.CheckConstraint(
            "(share_key is null) = (share_hash is null)", name=op.f("ck_demo_shared_or_not")
        ),
    )


def _takes() -> None:
    op.create_table(
        "demo_take",
        sa.Column("demo_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("began_at_ms", sa.Double(), nullable=False),
        sa.Column("ready_at_ms", sa.Double()),
        sa.Column("ended_at_ms", sa.Double()),
        sa.Column("host", sa.String()),
        sa.Column("host_build", sa.String()),
        sa.Column("settings", postgresql.JSONB(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("end", sa.String()),
        sa.Column("result", postgresql.JSONB()),
        sa.PrimaryKeyConstraint("demo_id", "number", name=op.f("pk_demo_take")),
        sa.ForeignKeyConstraint(["demo_id"], ["demo.id"], name=op.f("fk_demo_take_demo_id")),
    )


def _events() -> None:
    op.create_table(
        "demo_event",
        sa.Column("demo_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("take", sa.BigInteger(), nullable=False),
        sa.Column("at_ms", sa.Double(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("who", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("lanes", postgresql.JSONB(), nullable=False),
        sa.Column("kernel_ms", sa.Double()),
        sa.PrimaryKeyConstraint("demo_id", "number", name=op.f("pk_demo_event")),
        sa.ForeignKeyConstraint(["demo_id"], ["demo.id"], name=op.f("fk_demo_event_demo_id")),
        sa.CheckConstraint("who in ('presenter', 'server')", name=op.f("ck_demo_event_who")),
    )


def _polls() -> None:
    op.create_table(
        "demo_poll",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("demo_id", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("question", sa.String(), nullable=False),
        sa.Column("lane_order", postgresql.JSONB(), nullable=False),
        sa.Column("opened_at_ms", sa.Double(), nullable=False),
        sa.Column("closed_at_ms", sa.Double()),
        sa.Column("revealed_at_ms", sa.Double()),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_demo_poll")),
        sa.UniqueConstraint("demo_id", "number", name=op.f("uq_demo_poll_demo_id")),
        sa.ForeignKeyConstraint(["demo_id"], ["demo.id"], name=op.f("fk_demo_poll_demo_id")),
    )
    op.create_table(
        "demo_vote",
        sa.Column("poll_id", sa.BigInteger(), nullable=False),
        sa.Column("listener_hash", sa.LargeBinary(), nullable=False),
        sa.Column("choice", sa.String(), nullable=False),
        sa.Column("voted_at", TIME, nullable=False, server_default=NOW),
        sa.PrimaryKeyConstraint("poll_id", "listener_hash", name=op.f("pk_demo_vote")),
        sa.ForeignKeyConstraint(["poll_id"], ["demo_poll.id"], name=op.f("fk_demo_vote_poll_id")),
        sa.CheckConstraint(
            "choice in ('A', 'B', 'C', 'D', 'no_difference')", name=op.f("ck_demo_vote_choice")
        ),
    )


def downgrade() -> None:
    raise NotImplementedError("demos have no place in 0005")
