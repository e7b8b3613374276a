"""A take keeps what its lanes were called before the room.

SPDX-License-Identifier: Apache-2.0
"""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("demo_take", sa.Column("letters", sa.String(), nullable=True))


def downgrade() -> None:
    op.drop_column("demo_take", "letters")
