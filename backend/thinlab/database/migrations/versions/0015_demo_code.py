"""A demo keeps its code, so that the audience's link can say later that it is over.

SPDX-License-Identifier: Apache-2.0
"""

from alembic import op

from thinlab.database.migrations import columns

revision = "0015"
down_revision = "0008"


def upgrade() -> None:
    columns.add("demo", columns.text("code", nullable=True))
    op.create_index("ix_demo_code", "demo", ["code"])


def downgrade() -> None:
    op.drop_index("ix_demo_code", "demo")
    op.drop_column("demo", "code")
