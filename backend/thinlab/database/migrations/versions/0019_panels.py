"""Who came from a panel, and what the panel is told of them.

SPDX-License-Identifier: Apache-2.0
"""

import sqlalchemy as sa
from alembic import op

from thinlab.database.migrations import columns

revision = "0019"
down_revision = "0018"

REPORTED = ("complete", "screened_out", "declined", "timed_out", "full")


def upgrade() -> None:
    columns.make_table(
        "panel_seat",
        columns.identity(),
        columns.text("slug"),
        columns.octets("panel_hash", nullable=True),
        columns.text("panel_participant", "panel_session", "panel_batch", nullable=True),
        columns.reference("participant", nullable=True),
        columns.now("came_at"),
        columns.instant("reserved_until", nullable=True),
        columns.text("outcome", nullable=True),
        columns.instant("outcome_at", nullable=True),
        sa.CheckConstraint(_one_of(*REPORTED, "withdrawn"), "outcome"),
        sa.UniqueConstraint("participant_id"),
        sa.UniqueConstraint("slug", "panel_hash"),
    )
    op.create_index(
        "reserved_seats",
        "panel_seat",
        ["reserved_until"],
        postgresql_where=sa.text("outcome is null"),
    )
    columns.make_table(
        "panel_return",
        columns.text("slug", "outcome"),
        columns.text("code", "url", nullable=True),
        sa.CheckConstraint(_one_of(*REPORTED), "outcome"),
        sa.PrimaryKeyConstraint("slug", "outcome"),
    )


def _one_of(*outcomes: str) -> str:
    listed = ", ".join(f"'{outcome}'" for outcome in outcomes)
    return f"outcome in ({listed})"


def downgrade() -> None:
    op.drop_table("panel_return")
    op.drop_table("panel_seat")
