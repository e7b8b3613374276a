"""What strangers must show before a vote counts, and what no longer tells who somebody was.

SPDX-License-Identifier: Apache-2.0
"""

import sqlalchemy as sa
from alembic import op

from thinlab.database.migrations import columns

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    _invitations()
    _fetches()
    _headphone_tests()


def _invitations() -> None:
    # The instant of joining stood here, too: whoever had both lists knew who had withdrawn.
    columns.add("invitation", columns.flag("used", default=sa.text("false")))
    op.add_column("invitation", sa.Column("used_on", sa.Date(), nullable=True))
    op.alter_column("invitation", "token_hash", nullable=True)
    op.execute("update invitation set used = used_at is not null")
    op.execute(
        "update invitation set used_on = (used_at at time zone 'utc')::date "
        "where participant_id is not null"
    )
    # They have withdrawn, or their study's retention has ended.
    op.execute("update invitation set label = '' where used and participant_id is null")
    op.drop_column("invitation", "used_at")
    op.execute(
        "update participant set sound_checked_at = null, connection_checked_at = null "
        "where withdrawn_at is not null"
    )


def _fetches() -> None:
    columns.make_table(
        "recording_fetch",
        columns.reference("presentation"),
        columns.text("place"),
        columns.now("at"),
        sa.CheckConstraint("place in ('first', 'second')", "ck_recording_fetch_place"),
        sa.PrimaryKeyConstraint("presentation_id", "place"),
    )
    # A page may hold what it fetched before anybody noted it.
    op.execute(
        "insert into recording_fetch (presentation_id, place, at) "
        "select id, place, drawn_at from presentation, unnest(array['first', 'second']) place "
        "where medium = 'heard' and not exists "
        "(select 1 from vote where vote.presentation_id = presentation.id)"
    )


def _headphone_tests() -> None:
    columns.make_table(
        "headphone_test",
        columns.reference("participant"),
        columns.whole("try"),
        columns.octets("seed"),
        columns.json("tones"),
        columns.json("answers", nullable=True),
        sa.PrimaryKeyConstraint("participant_id", "try"),
    )


def downgrade() -> None:
    raise NotImplementedError("what told who somebody was is gone")
