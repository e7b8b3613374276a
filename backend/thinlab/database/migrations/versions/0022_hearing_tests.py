"""Tests of hearing and equipment before the trials.

SPDX-License-Identifier: Apache-2.0
"""

import sqlalchemy as sa
from alembic import op

from thinlab.database.migrations import columns

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    columns.make_table(
        "hearing_test",
        columns.reference("participant"),
        columns.text("test"),
        columns.whole("try"),
        columns.octets("seed"),
        columns.json("rights"),
        columns.json("answers", nullable=True),
        sa.PrimaryKeyConstraint("participant_id", "test", "try"),
    )
    columns.add(
        "participant",
        columns.json("hearing", nullable=True),
        columns.text("hearing_failed", nullable=True),
    )


def downgrade() -> None:
    op.drop_column("participant", "hearing_failed")
    op.drop_column("participant", "hearing")
    op.drop_table("hearing_test")
