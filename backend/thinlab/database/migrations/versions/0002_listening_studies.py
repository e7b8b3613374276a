"""Blocks and scales, runs, invitations, questionnaires, exclusions, withdrawal, jobs.

Studies stored before are carried over: their one question becomes a block
with a preference scale. Their hashes stay: they name the file as it was.

SPDX-License-Identifier: Apache-2.0
"""

import json

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

NOW = sa.text("now()")
TIME = sa.DateTime(timezone=True)


def upgrade() -> None:
    _allow_withdrawal()
    _runs_and_jobs()
    _participants()
    _presentations_and_votes()
    _studies_of_before()
    for table in ("questionnaire_answer", "exclusion_entry", "study_event"):
        _append_only(table)


def _allow_withdrawal() -> None:
    # Set for one transaction by the withdrawal: nothing else deletes, and nothing updates.
    for table in ("presentation", "vote"):
        op.execute(f"drop trigger append_only on {table}")
        op.execute(f"drop trigger append_only_whole on {table}")
        op.execute(f"drop function refuse_to_change_{table}()")
        _append_only(table)


def _append_only(table: str) -> None:
    op.execute(
        """
        create or replace function refuse_to_change() returns trigger language plpgsql as $$
        begin
            if tg_op = 'DELETE' and tg_level = 'ROW' and tg_table_name <> 'study_event'
                and current_setting('thinlab.withdrawing', true) = 'yes' then
                return old;
            end if;
            raise exception '% is append-only: % refused', tg_table_name, tg_op
                using errcode = 'restrict_violation';
        end
        $$
        """
    )
    op.execute(
        f"create trigger append_only before update or delete on {table} "
        f"for each row execute function refuse_to_change()"
    )
    op.execute(
        f"create trigger append_only_whole before truncate on {table} "
        f"for each statement execute function refuse_to_change()"
    )


def _runs_and_jobs() -> None:
    op.add_column(
        "trial_recording", sa.Column("run", sa.BigInteger(), nullable=False, server_default="0")
    )
    op.alter_column("trial_recording", "run", server_default=None)
    op.drop_constraint("pk_trial_recording", "trial_recording")
    op.create_primary_key(
        "pk_trial_recording", "trial_recording", ["study_id", "trial_id", "run", "member"]
    )
    op.create_table(
        "recording_job",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("spec_key", sa.String(), nullable=False),
        sa.Column("clip", sa.String(), nullable=False),
        sa.Column("clip_sha256", sa.String(), nullable=False),
        sa.Column("condition", postgresql.JSONB(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(), nullable=False, server_default="queued"),
        sa.Column("share", sa.Double(), nullable=False, server_default="0"),
        sa.Column("problem", sa.String()),
        sa.Column("remedy", sa.String()),
        sa.Column("recording_id", sa.BigInteger()),
        sa.Column("asked_at", TIME, nullable=False, server_default=NOW),
        sa.Column("started_at", TIME),
        sa.Column("finished_at", TIME),
        sa.CheckConstraint(
            "state in ('queued', 'making', 'done', 'failed')", name=op.f("ck_recording_job_state")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_recording_job")),
        sa.UniqueConstraint("spec_key", name=op.f("uq_recording_job_spec_key")),
        sa.ForeignKeyConstraint(
            ["recording_id"], ["recording.id"], name=op.f("fk_recording_job_recording_id")
        ),
    )
    op.create_table(
        "predicted_quality",
        sa.Column("recording_id", sa.BigInteger(), nullable=False),
        sa.Column("measure", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("score", sa.Double()),
        sa.Column("reason", sa.String()),
        sa.Column("made_at", TIME, nullable=False, server_default=NOW),
        sa.PrimaryKeyConstraint("recording_id", "measure", name=op.f("pk_predicted_quality")),
        sa.ForeignKeyConstraint(
            ["recording_id"], ["recording.id"], name=op.f("fk_predicted_quality_recording_id")
        ),
    )
    op.create_table(
        "study_event",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("study_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("reason", sa.String()),
        sa.Column(
            "details", postgresql.JSONB(), nullable=False, server_default=sa.text("'{}'::jsonb")
        ),
        sa.Column("at", TIME, nullable=False, server_default=NOW),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_study_event")),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_study_event_study_id")),
    )
    op.create_index("events_of_a_study", "study_event", ["slug", "id"])


def _participants() -> None:
    op.add_column("participant", sa.Column("kind", sa.String()))
    op.execute("update participant set kind = case when preview then 'preview' else 'person' end")
    op.alter_column("participant", "kind", nullable=False)
    op.create_check_constraint(
        op.f("ck_participant_kind"), "participant", "kind in ('person', 'preview', 'bot')"
    )
    op.drop_column("participant", "preview")
    op.add_column(
        "participant", sa.Column("language", sa.String(), nullable=False, server_default="en")
    )
    op.alter_column("participant", "language", server_default=None)
    op.alter_column("participant", "join_key", nullable=True)
    op.alter_column("participant", "token_hash", nullable=True)
    op.add_column("participant", sa.Column("withdraw_hash", sa.LargeBinary()))
    op.create_unique_constraint(
        op.f("uq_participant_withdraw_hash"), "participant", ["withdraw_hash"]
    )
    op.add_column(
        "participant", sa.Column("last_seen_at", TIME, nullable=False, server_default=NOW)
    )
    op.execute("update participant set last_seen_at = coalesce(completed_at, joined_at)")
    for column in (
        sa.Column("sound_checked_at", TIME),
        sa.Column("level_percent", sa.BigInteger()),
        sa.Column("headphones_correct", sa.BigInteger()),
        sa.Column("headphones_of", sa.BigInteger()),
        sa.Column("headphones_tries", sa.BigInteger()),
        sa.Column("headphones_passed", sa.Boolean()),
        sa.Column("withdrawn_at", TIME),
    ):
        op.add_column("participant", column)
    # Whoever is under way heard the sound check when it left no trace.
    op.execute("update participant set sound_checked_at = joined_at")
    op.create_table(
        "invitation",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", TIME, nullable=False, server_default=NOW),
        sa.Column("participant_id", sa.BigInteger()),
        sa.Column("used_at", TIME),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitation")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_invitation_token_hash")),
        sa.UniqueConstraint("participant_id", name=op.f("uq_invitation_participant_id")),
        sa.ForeignKeyConstraint(
            ["participant_id"], ["participant.id"], name=op.f("fk_invitation_participant_id")
        ),
    )
    op.create_index("invitations_of_a_study", "invitation", ["slug", "id"])
    op.create_table(
        "exclusion_entry",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("participant_id", sa.BigInteger(), nullable=False),
        sa.Column("excluded", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("at", TIME, nullable=False, server_default=NOW),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_exclusion_entry")),
        sa.ForeignKeyConstraint(
            ["participant_id"], ["participant.id"], name=op.f("fk_exclusion_entry_participant_id")
        ),
    )
    op.create_index("exclusions_of_a_participant", "exclusion_entry", ["participant_id", "id"])
    op.create_table(
        "allocation",
        sa.Column("participant_id", sa.BigInteger(), nullable=False),
        sa.Column("block_id", sa.String(), nullable=False),
        sa.Column("row", sa.BigInteger(), nullable=False),
        sa.Column("round", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("participant_id", "block_id", name=op.f("pk_allocation")),
        sa.ForeignKeyConstraint(
            ["participant_id"], ["participant.id"], name=op.f("fk_allocation_participant_id")
        ),
    )
    op.create_table(
        "questionnaire_answer",
        sa.Column("participant_id", sa.BigInteger(), nullable=False),
        sa.Column("question_id", sa.String(), nullable=False),
        sa.Column("answer", postgresql.JSONB(), nullable=False),
        sa.Column("answered_at", TIME, nullable=False, server_default=NOW),
        sa.PrimaryKeyConstraint(
            "participant_id", "question_id", name=op.f("pk_questionnaire_answer")
        ),
        sa.ForeignKeyConstraint(
            ["participant_id"],
            ["participant.id"],
            name=op.f("fk_questionnaire_answer_participant_id"),
        ),
    )


def _presentations_and_votes() -> None:
    for column, default in (
        (sa.Column("block_id", sa.String(), nullable=False, server_default="trials"), True),
        (sa.Column("training", sa.Boolean(), nullable=False, server_default="false"), True),
        (sa.Column("run", sa.BigInteger(), nullable=False, server_default="0"), True),
    ):
        op.add_column("presentation", column)
        if default:
            op.alter_column("presentation", column.name, server_default=None)
    # A participant's presentations are all drawn at once from now on.
    op.alter_column("presentation", "opened_at", new_column_name="drawn_at")
    op.alter_column("presentation", "second_recording_id", nullable=True)
    op.alter_column("presentation", "second_token", nullable=True)
    op.create_check_constraint(
        op.f("ck_presentation_second_has_a_token"),
        "presentation",
        "(second_recording_id is null) = (second_token is null)",
    )
    op.add_column("vote", sa.Column("score", sa.BigInteger()))
    op.alter_column("vote", "choice", nullable=True)
    op.create_check_constraint(op.f("ck_vote_score"), "vote", "score between -3 and 5")
    op.create_check_constraint(
        op.f("ck_vote_choice_or_score"), "vote", "(choice is null) <> (score is null)"
    )


def _studies_of_before() -> None:
    connection = op.get_bind()
    rows = connection.execute(sa.text("select id, definition from study")).all()
    for study_id, definition in rows:
        connection.execute(
            sa.text("update study set definition = cast(:definition as jsonb) where id = :id"),
            {"id": study_id, "definition": json.dumps(_with_a_block(definition))},
        )


def _with_a_block(definition: dict[str, object]) -> dict[str, object]:
    """A definition of one question and its trials, in the words of blocks."""
    kept = dict(definition)
    scale = {
        "kind": "preference",
        "question": kept.pop("question"),
        "answers": kept.pop("answers"),
    }
    block = {"id": "trials", "scale": scale, "trials": kept.pop("trials")}
    return {**kept, "votes_visible": "always", "record": "at_start", "blocks": [block]}


def downgrade() -> None:
    raise NotImplementedError("votes on scores, runs and withdrawals have no place in 0001")
