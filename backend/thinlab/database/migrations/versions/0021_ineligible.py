"""Who gave an answer that keeps them out of the study.

SPDX-License-Identifier: Apache-2.0
"""

from alembic import op

from thinlab.database.migrations import columns

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    columns.add("participant", columns.text("ineligible_by", nullable=True))


def downgrade() -> None:
    op.drop_column("participant", "ineligible_by")
