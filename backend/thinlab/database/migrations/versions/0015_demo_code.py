"""A demo keeps its code, so that the audience's link can say later that it is over.

SPDX-License-Identifier: Apache-2.0
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("demo", sa.Column("code", sa.String(), nullable=True))
    op.create_index("ix_demo_code", "demo", ["code"])


def downgrade() -> None:
    op.drop_index("ix_demo_code", "demo")
    op.drop_column("demo", "code")
