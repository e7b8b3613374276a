"""A poll keeps what its letters stood for, in words: lanes change while a demo runs.

SPDX-License-Identifier: Apache-2.0
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("demo_poll", sa.Column("lane_names", JSONB(none_as_null=True), nullable=True))


def downgrade() -> None:
    op.drop_column("demo_poll", "lane_names")
