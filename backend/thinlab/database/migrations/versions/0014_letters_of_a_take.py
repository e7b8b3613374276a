"""A take keeps what its lanes were called before the room.

SPDX-License-Identifier: Apache-2.0
"""

from alembic import op

from thinlab.database.migrations import columns

revision = "0014"
down_revision = "0015"


def upgrade() -> None:
    columns.add("demo_take", columns.text("letters", nullable=True))


def downgrade() -> None:
    op.drop_column("demo_take", "letters")
