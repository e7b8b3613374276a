"""Blocks and scales, runs, invitations, questionnaires, exclusions, withdrawal, jobs.

Studies stored before are carried over: their one question becomes a block
with a preference scale. Their hashes stay: they name the file as it was.

SPDX-License-Identifier: Apache-2.0
"""

import json

import sqlalchemy as sa
from alembic import op

from thinlab.database.migrations import columns

revision = "0002"
down_revision = "0001"


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
    columns.add_filled("trial_recording", columns.whole("run", default="0"))
    op.drop_constraint("pk_trial_recording", "trial_recording")
    op.create_primary_key(
        "pk_trial_recording", "trial_recording", ["study_id", "trial_id", "run", "member"]
    )
    columns.make_table(
        "recording_job",
        columns.identity(),
        columns.text("spec_key", "clip", "clip_sha256"),
        columns.json("condition"),
        columns.whole("seed"),
        columns.text("state", default="queued"),
        columns.real("share", default="0"),
        columns.text("problem", "remedy", nullable=True),
        columns.reference("recording", nullable=True),
        columns.now("asked_at"),
        columns.instant("started_at", "finished_at", nullable=True),
        sa.CheckConstraint("state in ('queued', 'making', 'done', 'failed')", "state"),
        sa.UniqueConstraint("spec_key"),
    )
    columns.make_table(
        "predicted_quality",
        columns.reference("recording"),
        columns.text("measure", "version"),
        columns.real("score", nullable=True),
        columns.text("reason", nullable=True),
        columns.now("made_at"),
        sa.PrimaryKeyConstraint("recording_id", "measure"),
    )
    columns.make_table(
        "study_event",
        columns.identity(),
        columns.text("slug"),
        columns.reference("study"),
        columns.text("kind"),
        columns.text("reason", nullable=True),
        columns.json("details", default=sa.text("'{}'::jsonb")),
        columns.now("at"),
    )
    op.create_index("events_of_a_study", "study_event", ["slug", "id"])


def _participants() -> None:
    columns.add("participant", columns.text("kind", nullable=True))
    op.execute("update participant set kind = case when preview then 'preview' else 'person' end")
    op.alter_column("participant", "kind", nullable=False)
    op.create_check_constraint(
        op.f("ck_participant_kind"), "participant", "kind in ('person', 'preview', 'bot')"
    )
    op.drop_column("participant", "preview")
    columns.add_filled("participant", columns.text("language", default="en"))
    op.alter_column("participant", "join_key", nullable=True)
    op.alter_column("participant", "token_hash", nullable=True)
    columns.add("participant", columns.octets("withdraw_hash", nullable=True))
    op.create_unique_constraint(
        op.f("uq_participant_withdraw_hash"), "participant", ["withdraw_hash"]
    )
    columns.add("participant", columns.now("last_seen_at"))
    op.execute("update participant set last_seen_at = coalesce(completed_at, joined_at)")
    columns.add(
        "participant",
        columns.instant("sound_checked_at", nullable=True),
        columns.whole(
            "level_percent",
            "headphones_correct",
            "headphones_of",
            "headphones_tries",
            nullable=True,
        ),
        columns.flag("headphones_passed", nullable=True),
        columns.instant("withdrawn_at", nullable=True),
    )
    # Whoever is under way heard the sound check when it left no trace.
    op.execute("update participant set sound_checked_at = joined_at")
    columns.make_table(
        "invitation",
        columns.identity(),
        columns.text("slug", "label"),
        columns.octets("token_hash"),
        columns.now("created_at"),
        columns.reference("participant", nullable=True),
        columns.instant("used_at", nullable=True),
        sa.UniqueConstraint("token_hash"),
        sa.UniqueConstraint("participant_id"),
    )
    op.create_index("invitations_of_a_study", "invitation", ["slug", "id"])
    columns.make_table(
        "exclusion_entry",
        columns.identity(),
        columns.reference("participant"),
        columns.flag("excluded"),
        columns.text("reason"),
        columns.now("at"),
    )
    op.create_index("exclusions_of_a_participant", "exclusion_entry", ["participant_id", "id"])
    columns.make_table(
        "allocation",
        columns.reference("participant"),
        columns.text("block_id"),
        columns.whole("row", "round"),
        sa.PrimaryKeyConstraint("participant_id", "block_id"),
    )
    columns.make_table(
        "questionnaire_answer",
        columns.reference("participant"),
        columns.text("question_id"),
        columns.json("answer"),
        columns.now("answered_at"),
        sa.PrimaryKeyConstraint("participant_id", "question_id"),
    )


def _presentations_and_votes() -> None:
    columns.add_filled("presentation", columns.text("block_id", default="trials"))
    columns.add_filled("presentation", columns.flag("training", default="false"))
    columns.add_filled("presentation", columns.whole("run", default="0"))
    # A participant's presentations are all drawn at once from now on.
    op.alter_column("presentation", "opened_at", new_column_name="drawn_at")
    op.alter_column("presentation", "second_recording_id", nullable=True)
    op.alter_column("presentation", "second_token", nullable=True)
    op.create_check_constraint(
        op.f("ck_presentation_second_has_a_token"),
        "presentation",
        "(second_recording_id is null) = (second_token is null)",
    )
    columns.add("vote", columns.whole("score", nullable=True))
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
