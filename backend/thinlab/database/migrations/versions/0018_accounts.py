"""A vote has the account of its kind of trial: what was typed no longer borrows a listener's.

Votes on typed trials said `switches` 0 and `played_first` first, for want of anything to say;
neither is kept. Which kinds there are is the program's to know, and no constraint's.

SPDX-License-Identifier: Apache-2.0
"""

from alembic import op

from thinlab.database.migrations import columns

revision = "0018"
down_revision = "0017"

OF_A_LISTENER = ("plays_first", "plays_second", "switches", "played_first", "output_latency_ms")


def upgrade() -> None:
    columns.add("vote", columns.json("account", nullable=True))
    told = ", ".join(f"'{name}', {name}" for name in OF_A_LISTENER)
    _update(
        "account = case medium"
        f" when 'heard' then jsonb_build_object({told})"
        " else jsonb_build_object("
        "'sessions_first', plays_first, 'sessions_second', plays_second) end"
    )
    op.alter_column("vote", "account", nullable=False)
    for name in OF_A_LISTENER:
        op.drop_column("vote", name)
    op.drop_constraint(op.f("ck_presentation_medium"), "presentation")
    _second_has_a_token("medium <> 'heard'")


def downgrade() -> None:
    _second_has_a_token("medium = 'typed'")
    op.create_check_constraint(
        op.f("ck_presentation_medium"), "presentation", "medium in ('heard', 'typed')"
    )
    columns.add_filled("vote", columns.whole(*OF_A_LISTENER[:3], default="0"))
    columns.add("vote", columns.text("played_first", nullable=True))
    columns.add("vote", columns.real("output_latency_ms", nullable=True))
    op.create_check_constraint(
        op.f("ck_vote_played_first"), "vote", "played_first in ('first', 'second')"
    )
    _update(
        "plays_first = coalesce(account -> 'plays_first', account -> 'sessions_first')::bigint,"
        " plays_second = coalesce(account -> 'plays_second', account -> 'sessions_second')::bigint,"
        " switches = coalesce((account ->> 'switches')::bigint, 0),"
        " played_first = case medium when 'heard' then account ->> 'played_first' else 'first' end,"
        " output_latency_ms = (account ->> 'output_latency_ms')::double precision"
    )
    op.drop_column("vote", "account")


def _update(changes: str) -> None:
    # Votes never change, and these say what they said.
    op.execute("alter table vote disable trigger append_only")
    op.execute(
        f"update vote set {changes} from presentation p where p.id = presentation_id"  # noqa: S608
    )
    op.execute("alter table vote enable trigger append_only")


def _second_has_a_token(unless: str) -> None:
    name = op.f("ck_presentation_second_has_a_token")
    op.drop_constraint(name, "presentation")
    op.create_check_constraint(
        name,
        "presentation",
        f"{unless} or (second_recording_id is null) = (second_token is null)",
    )
