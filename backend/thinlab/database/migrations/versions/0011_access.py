"""Sessions of researchers and presenters that idle out, tokens that end, and who did what.

SPDX-License-Identifier: Apache-2.0
"""

import sqlalchemy as sa
from alembic import op

from thinlab.database.migrations import columns

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    _sessions()
    _tokens()
    _audit()


def _sessions() -> None:
    # Whoever is signed in signs in once more.
    op.drop_table("researcher_session")
    columns.make_table(
        "web_session",
        columns.octets("token_hash"),
        columns.text("role"),
        columns.now("created_at"),
        columns.now("used_at"),
        columns.instant("expires_at"),
        sa.CheckConstraint("role in ('researcher', 'presenter')", "role"),
        sa.PrimaryKeyConstraint("token_hash"),
    )


def _tokens() -> None:
    columns.make_table(
        "access_token",
        columns.text("purpose"),
        columns.octets("token_hash"),
        columns.now("made_at"),
        columns.instant("expires_at"),
        sa.CheckConstraint("purpose in ('setup', 'presenter')", "purpose"),
        sa.PrimaryKeyConstraint("purpose"),
    )
    # It was printed at each start until it was used: it stays good for a day.
    op.execute(
        "insert into access_token (purpose, token_hash, expires_at) "
        "select 'setup', sha256(convert_to(setup_token, 'UTF8')), now() + interval '1 day' "
        "from server_secret where password_hash is null"
    )
    op.drop_column("server_secret", "setup_token")


def _audit() -> None:
    columns.make_table(
        "audit_entry",
        columns.identity(),
        columns.now("at"),
        columns.text("act", "by"),
        columns.text("study", nullable=True),
        columns.json("details"),
        sa.CheckConstraint(
            "by in ('researcher', 'presenter', 'operator', 'stranger')",
            "by",
        ),
    )
    op.execute(
        """
        create function refuse_to_change_audit_entry() returns trigger language plpgsql as $$
        begin
            raise exception '% is append-only: % refused', tg_table_name, tg_op
                using errcode = 'restrict_violation';
        end
        $$
        """
    )
    for name, when, scope in (
        ("append_only", "update or delete", "row"),
        ("append_only_whole", "truncate", "statement"),
    ):
        op.execute(
            f"create trigger {name} before {when} on audit_entry "
            f"for each {scope} execute function refuse_to_change_audit_entry()"
        )


def downgrade() -> None:
    raise NotImplementedError("an older version could read no token and no session")
