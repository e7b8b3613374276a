"""How long keys waited for our own machines.

SPDX-License-Identifier: Apache-2.0
"""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0012"


def upgrade() -> None:
    # Sessions before this were not judged by it.
    op.add_column("typing_session", sa.Column("host_wait_max_ms", sa.Float(), nullable=True))


def downgrade() -> None:
    op.drop_column("typing_session", "host_wait_max_ms")
