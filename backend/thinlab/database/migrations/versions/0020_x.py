"""A third recording of a trial, one of the two once more.

SPDX-License-Identifier: Apache-2.0
"""

from alembic import op

from thinlab.database.migrations import columns

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    columns.add("presentation", columns.text("x_place", "x_token", nullable=True))
    op.create_unique_constraint(op.f("uq_presentation_x_token"), "presentation", ["x_token"])
    op.create_check_constraint(
        op.f("ck_presentation_x_place"), "presentation", "x_place in ('first', 'second')"
    )
    op.create_check_constraint(
        op.f("ck_presentation_x_has_a_token"),
        "presentation",
        "(x_place is null) = (x_token is null)",
    )
    _fetched_at("first", "second", "x")


def _fetched_at(*places: str) -> None:
    listed = ", ".join(f"'{place}'" for place in places)
    # The first of these names is what 0008 gave it.
    for name in ("ck_recording_fetch_ck_recording_fetch_place", "ck_recording_fetch_place"):
        op.execute(f"alter table recording_fetch drop constraint if exists {name}")
    op.create_check_constraint(
        op.f("ck_recording_fetch_place"), "recording_fetch", f"place in ({listed})"
    )


def downgrade() -> None:
    op.execute("delete from recording_fetch where place = 'x'")
    _fetched_at("first", "second")
    op.drop_column("presentation", "x_token")
    op.drop_column("presentation", "x_place")
