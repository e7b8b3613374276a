"""Scores up to 100, where several sounds are rated on one page.

SPDX-License-Identifier: Apache-2.0
"""

from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    _scores_to(100)


def downgrade() -> None:
    # Refused by the constraint itself where there are such votes.
    _scores_to(5)


def _scores_to(highest: int) -> None:
    op.drop_constraint(op.f("ck_vote_score"), "vote")
    op.create_check_constraint(op.f("ck_vote_score"), "vote", f"score between -3 and {highest}")
