"""A poll keeps what its letters stood for, in words: lanes change while a demo runs.

SPDX-License-Identifier: Apache-2.0
"""

from alembic import op

from thinlab.database.migrations import columns

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    columns.add("demo_poll", columns.json("lane_names", nullable=True))


def downgrade() -> None:
    op.drop_column("demo_poll", "lane_names")
