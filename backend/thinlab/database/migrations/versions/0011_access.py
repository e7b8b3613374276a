"""Sessions of researchers and presenters that idle out, tokens that end, and who did what.

SPDX-License-Identifier: Apache-2.0
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

TIME = sa.DateTime(timezone=True)
NOW = sa.text("now()")


def upgrade() -> None:
    _sessions()
    _tokens()
    _audit()


def _sessions() -> None:
    # Whoever is signed in signs in once more.
    op.drop_table("researcher_session")
    op.create_table(
        "web_session",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("created_at", TIME, nullable=False, server_default=NOW),
        sa.Column("used_at", TIME, nullable=False, server_default=NOW),
        sa.Column("expires_at", TIME, nullable=False),
        sa.CheckConstraint("role in ('researcher', 'presenter')", op.f("ck_web_session_role")),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_web_session")),
    )


def _tokens() -> None:
    op.create_table(
        "access_token",
        sa.Column("purpose", sa.String(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("made_at", TIME, nullable=False, server_default=NOW),
        sa.Column("expires_at", TIME, nullable=False),
        sa.CheckConstraint("purpose in ('setup', 'presenter')", op.f("ck_access_token_purpose")),
        sa.PrimaryKeyConstraint("purpose", name=op.f("pk_access_token")),
    )
    # It was printed at each start until it was used: it stays good for a day.
    op.execute(
        "insert into access_token (purpose, token_hash, expires_at) "
        "select 'setup', sha256(convert_to(setup_token, 'UTF8')), now() + interval '1 day' "
        "from server_secret where password_hash is null"
    )
    op.drop_column("server_secret", "setup_token")


def _audit() -> None:
    op.create_table(
        "audit_entry",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("at", TIME, nullable=False, server_default=NOW),
        sa.Column("act", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("study", sa.String()),
        sa.Column("details", JSONB(), nullable=False),
        sa.CheckConstraint(
            "by in ('researcher', 'presenter', 'operator', 'stranger')",
            op.f("ck_audit_entry_by"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_entry")),
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
