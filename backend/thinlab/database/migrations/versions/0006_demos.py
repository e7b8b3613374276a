"""Live demos: takes, what happened, polls and their votes.

SPDX-License-Identifier: Apache-2.0
"""

import sqlalchemy as sa

from thinlab.database.migrations import columns

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    _demos()
    _takes()
    _events()
    _polls()


def _demos() -> None:
    columns.make_table(
        "demo",
        columns.identity(),
        columns.text("title"),
        columns.json("settings"),
        columns.text("fate", default="running"),
        columns.now("began_at"),
        columns.instant("ended_at", nullable=True),
        columns.real("length_ms", nullable=True),
        columns.whole("size_bytes", default="0"),
        columns.text("build"),
        columns.uuid("share_key", nullable=True),
        columns.octets("share_hash", nullable=True),
        sa.UniqueConstraint("share_hash"),
        sa.CheckConstraint("fate in ('running', 'ended', 'broken_off')", "fate"),
        sa.CheckConstraint("(fate = 'running') = (ended_at is null)", "running_has_no_end"),
        sa.CheckConstraint("(share_key is null) = (share_hash is null)", "shared_or_not"),
    )


def _takes() -> None:
    columns.make_table(
        "demo_take",
        columns.reference("demo"),
        columns.whole("number"),
        columns.real("began_at_ms"),
        columns.real("ready_at_ms", "ended_at_ms", nullable=True),
        columns.text("host", "host_build", nullable=True),
        columns.json("settings"),
        columns.whole("seed"),
        columns.text("end", nullable=True),
        columns.json("result", nullable=True),
        sa.PrimaryKeyConstraint("demo_id", "number"),
    )


def _events() -> None:
    columns.make_table(
        "demo_event",
        columns.reference("demo"),
        columns.whole("number", "take"),
        columns.real("at_ms"),
        columns.text("kind", "who", "text"),
        columns.json("lanes"),
        columns.real("kernel_ms", nullable=True),
        sa.PrimaryKeyConstraint("demo_id", "number"),
        sa.CheckConstraint("who in ('presenter', 'server')", "who"),
    )


def _polls() -> None:
    columns.make_table(
        "demo_poll",
        columns.identity(),
        columns.reference("demo"),
        columns.whole("number"),
        columns.text("question"),
        columns.json("lane_order"),
        columns.real("opened_at_ms"),
        columns.real("closed_at_ms", "revealed_at_ms", nullable=True),
        sa.UniqueConstraint("demo_id", "number"),
    )
    columns.make_table(
        "demo_vote",
        columns.reference("demo_poll", column="poll_id"),
        columns.octets("listener_hash"),
        columns.text("choice"),
        columns.now("voted_at"),
        sa.PrimaryKeyConstraint("poll_id", "listener_hash"),
        sa.CheckConstraint("choice in ('A', 'B', 'C', 'D', 'no_difference')", "choice"),
    )


def downgrade() -> None:
    raise NotImplementedError("demos have no place in 0005")
