"""Who is left out, beside the log that says why; withdrawing for those who joined before.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import hmac
from base64 import urlsafe_b64encode

import sqlalchemy as sa
from alembic import op

from thinlab.database.migrations import columns

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    columns.add("participant", columns.flag("left_out", default=sa.text("false")))
    op.execute(
        "update participant set left_out = coalesce((select excluded from exclusion_entry e "
        "where e.participant_id = participant.id order by e.id desc limit 1), false)"
    )
    op.create_index("participants_of_a_study", "participant", ["study_id", "kind"])
    _withdraw_hashes()


def _withdraw_hashes() -> None:
    # As `thinlab.tokens` derives them; a migration must not follow later changes there.
    connection = op.get_bind()
    key = connection.scalar(sa.text("select participant_key from server_secret"))
    if key is None:
        return
    rows = connection.execute(
        sa.text(
            "select id, study_id, join_key from participant "
            "where withdraw_hash is null and join_key is not null"
        )
    ).all()
    for participant_id, study_id, join_key in rows:
        message = f"withdraw:{study_id}:{join_key}".encode()
        digest = hmac.new(key, message, hashlib.sha256).digest()
        token = urlsafe_b64encode(digest).rstrip(b"=")
        connection.execute(
            sa.text("update participant set withdraw_hash = :hashed where id = :id"),
            {"hashed": hashlib.sha256(token).digest(), "id": participant_id},
        )


def downgrade() -> None:
    raise NotImplementedError("withdraw tokens handed out would stop working")
