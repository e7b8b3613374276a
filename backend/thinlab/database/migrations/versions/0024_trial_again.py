"""A trial may come again to a participant, where answers choose what comes next.

SPDX-License-Identifier: Apache-2.0
"""

from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    # Positions stay unique: so nobody's trials can fork.
    op.drop_constraint(op.f("uq_presentation_participant_id"), "presentation")


def downgrade() -> None:
    op.create_unique_constraint(
        op.f("uq_presentation_participant_id"), "presentation", ["participant_id", "trial_id"]
    )
