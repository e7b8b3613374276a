"""Studies, recordings, participants, presentations, votes; the last two append-only.

SPDX-License-Identifier: Apache-2.0
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "recording",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("clip", sa.String(), nullable=False),
        sa.Column("clip_sha256", sa.String(), nullable=False),
        sa.Column("condition", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("host_build", sa.String(), nullable=False),
        sa.Column("agent_version", sa.String(), nullable=False),
        sa.Column("kernel_release", sa.String(), nullable=False),
        sa.Column("duration_ms", sa.BigInteger(), nullable=False),
        sa.Column("audio_sha256", sa.String(), nullable=False),
        sa.Column("result", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column(
            "made_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_recording")),
        sa.UniqueConstraint("key", name=op.f("uq_recording_key")),
    )
    op.create_table(
        "researcher_session",
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column(
            "created_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_researcher_session")),
    )
    op.create_table(
        "server_secret",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("participant_key", sa.LargeBinary(), nullable=False),
        sa.Column("setup_token", sa.String(), nullable=False),
        sa.Column("password_hash", sa.String(), nullable=True),
        sa.CheckConstraint("id = 1", name=op.f("ck_server_secret_one_row")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_server_secret")),
    )
    op.create_table(
        "study",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("slug", sa.String(), nullable=False),
        sa.Column("content_hash", sa.String(), nullable=False),
        sa.Column("definition", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("is_current", sa.Boolean(), nullable=False),
        sa.Column(
            "loaded_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_study")),
        sa.UniqueConstraint("slug", "content_hash", name=op.f("uq_study_slug")),
    )
    op.create_index(
        "one_current_study", "study", ["slug"], unique=True, postgresql_where=sa.text("is_current")
    )
    op.create_table(
        "participant",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("pseudonym", sa.String(), nullable=False),
        sa.Column("study_id", sa.BigInteger(), nullable=False),
        sa.Column("join_key", sa.Uuid(), nullable=False),
        sa.Column("token_hash", sa.LargeBinary(), nullable=False),
        sa.Column("consent_version", sa.String(), nullable=False),
        sa.Column("preview", sa.Boolean(), nullable=False),
        sa.Column(
            "joined_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.Column("completed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("completion_code", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(["study_id"], ["study.id"], name=op.f("fk_participant_study_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_participant")),
        sa.UniqueConstraint("completion_code", name=op.f("uq_participant_completion_code")),
        sa.UniqueConstraint("pseudonym", name=op.f("uq_participant_pseudonym")),
        sa.UniqueConstraint("study_id", "join_key", name=op.f("uq_participant_study_id")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_participant_token_hash")),
    )
    op.create_table(
        "session_metrics",
        sa.Column("recording_id", sa.BigInteger(), nullable=False),
        sa.Column("check_forward_sent_packets", sa.BigInteger(), nullable=False),
        sa.Column("check_forward_received_packets", sa.BigInteger(), nullable=False),
        sa.Column("check_forward_dropped_packets", sa.BigInteger(), nullable=False),
        sa.Column("check_backward_sent_packets", sa.BigInteger(), nullable=False),
        sa.Column("check_backward_received_packets", sa.BigInteger(), nullable=False),
        sa.Column("check_backward_dropped_packets", sa.BigInteger(), nullable=False),
        sa.Column("packets", sa.BigInteger(), nullable=False),
        sa.Column("payload_bytes", sa.BigInteger(), nullable=False),
        sa.Column("unique_bytes", sa.BigInteger(), nullable=False),
        sa.Column("delivered_bytes", sa.BigInteger(), nullable=False),
        sa.Column("retransmitted_bytes", sa.BigInteger(), nullable=False),
        sa.Column("retransmitted_packets", sa.BigInteger(), nullable=False),
        sa.Column("retransmitted_share", sa.Double(), nullable=False),
        sa.Column("redundancy_share", sa.Double(), nullable=False),
        sa.Column("packet_payload_mean_bytes", sa.Double(), nullable=False),
        sa.Column("lost_packets_forward", sa.BigInteger(), nullable=False),
        sa.Column("lost_packets_backward", sa.BigInteger(), nullable=False),
        sa.Column("loss_share_forward", sa.Double(), nullable=False),
        sa.Column("loss_share_backward", sa.Double(), nullable=False),
        sa.Column("iat_mean_ms", sa.Double(), nullable=False),
        sa.Column("transport_per_byte_samples", sa.BigInteger(), nullable=False),
        sa.Column("transport_per_byte_min_us", sa.Double(), nullable=False),
        sa.Column("transport_per_byte_mean_us", sa.Double(), nullable=False),
        sa.Column("transport_per_byte_p50_us", sa.Double(), nullable=False),
        sa.Column("transport_per_byte_p90_us", sa.Double(), nullable=False),
        sa.Column("transport_per_byte_p95_us", sa.Double(), nullable=False),
        sa.Column("transport_per_byte_p98_us", sa.Double(), nullable=False),
        sa.Column("transport_per_byte_p99_us", sa.Double(), nullable=False),
        sa.Column("transport_per_byte_p999_us", sa.Double(), nullable=False),
        sa.Column("transport_per_byte_max_us", sa.Double(), nullable=False),
        sa.Column("transport_per_message_samples", sa.BigInteger(), nullable=False),
        sa.Column("transport_per_message_min_us", sa.Double(), nullable=False),
        sa.Column("transport_per_message_mean_us", sa.Double(), nullable=False),
        sa.Column("transport_per_message_p50_us", sa.Double(), nullable=False),
        sa.Column("transport_per_message_p90_us", sa.Double(), nullable=False),
        sa.Column("transport_per_message_p95_us", sa.Double(), nullable=False),
        sa.Column("transport_per_message_p98_us", sa.Double(), nullable=False),
        sa.Column("transport_per_message_p99_us", sa.Double(), nullable=False),
        sa.Column("transport_per_message_p999_us", sa.Double(), nullable=False),
        sa.Column("transport_per_message_max_us", sa.Double(), nullable=False),
        sa.Column("application_per_byte_samples", sa.BigInteger(), nullable=False),
        sa.Column("application_per_byte_min_us", sa.Double(), nullable=False),
        sa.Column("application_per_byte_mean_us", sa.Double(), nullable=False),
        sa.Column("application_per_byte_p50_us", sa.Double(), nullable=False),
        sa.Column("application_per_byte_p90_us", sa.Double(), nullable=False),
        sa.Column("application_per_byte_p95_us", sa.Double(), nullable=False),
        sa.Column("application_per_byte_p98_us", sa.Double(), nullable=False),
        sa.Column("application_per_byte_p99_us", sa.Double(), nullable=False),
        sa.Column("application_per_byte_p999_us", sa.Double(), nullable=False),
        sa.Column("application_per_byte_max_us", sa.Double(), nullable=False),
        sa.Column("application_per_message_samples", sa.BigInteger(), nullable=False),
        sa.Column("application_per_message_min_us", sa.Double(), nullable=False),
        sa.Column("application_per_message_mean_us", sa.Double(), nullable=False),
        sa.Column("application_per_message_p50_us", sa.Double(), nullable=False),
        sa.Column("application_per_message_p90_us", sa.Double(), nullable=False),
        sa.Column("application_per_message_p95_us", sa.Double(), nullable=False),
        sa.Column("application_per_message_p98_us", sa.Double(), nullable=False),
        sa.Column("application_per_message_p99_us", sa.Double(), nullable=False),
        sa.Column("application_per_message_p999_us", sa.Double(), nullable=False),
        sa.Column("application_per_message_max_us", sa.Double(), nullable=False),
        sa.Column("felt_share_later_than_100_ms", sa.Double(), nullable=False),
        sa.Column("felt_share_later_than_150_ms", sa.Double(), nullable=False),
        sa.Column("felt_share_later_than_400_ms", sa.Double(), nullable=False),
        sa.Column("felt_longest_stall_ms", sa.Double(), nullable=False),
        sa.Column("felt_messages", sa.BigInteger(), nullable=False),
        sa.Column("felt_sojourn_samples", sa.BigInteger(), nullable=False),
        sa.Column("felt_sojourn_min_us", sa.Double(), nullable=False),
        sa.Column("felt_sojourn_mean_us", sa.Double(), nullable=False),
        sa.Column("felt_sojourn_p50_us", sa.Double(), nullable=False),
        sa.Column("felt_sojourn_p90_us", sa.Double(), nullable=False),
        sa.Column("felt_sojourn_p95_us", sa.Double(), nullable=False),
        sa.Column("felt_sojourn_p98_us", sa.Double(), nullable=False),
        sa.Column("felt_sojourn_p99_us", sa.Double(), nullable=False),
        sa.Column("felt_sojourn_p999_us", sa.Double(), nullable=False),
        sa.Column("felt_sojourn_max_us", sa.Double(), nullable=False),
        sa.Column("playout_played_ms", sa.BigInteger(), nullable=False),
        sa.Column("playout_gaps", sa.BigInteger(), nullable=False),
        sa.Column("playout_concealed_ms", sa.Double(), nullable=False),
        sa.Column("playout_longest_gap_ms", sa.Double(), nullable=False),
        sa.Column("playout_stretched_ms", sa.Double(), nullable=False),
        sa.Column("playout_compressed_ms", sa.Double(), nullable=False),
        sa.Column("playout_dropped_ms", sa.Double(), nullable=False),
        sa.Column("playout_delay_mean_ms", sa.Double(), nullable=False),
        sa.Column("playout_delay_max_ms", sa.Double(), nullable=False),
        sa.Column("stream_ns", sa.BigInteger(), nullable=False),
        sa.Column("wall_ns", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["recording_id"], ["recording.id"], name=op.f("fk_session_metrics_recording_id")
        ),
        sa.PrimaryKeyConstraint("recording_id", name=op.f("pk_session_metrics")),
    )
    op.create_table(
        "trial_recording",
        sa.Column("study_id", sa.BigInteger(), nullable=False),
        sa.Column("trial_id", sa.String(), nullable=False),
        sa.Column("member", sa.String(), nullable=False),
        sa.Column("recording_id", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("member in ('a', 'b')", name=op.f("ck_trial_recording_member")),
        sa.ForeignKeyConstraint(
            ["recording_id"], ["recording.id"], name=op.f("fk_trial_recording_recording_id")
        ),
        sa.ForeignKeyConstraint(
            ["study_id"], ["study.id"], name=op.f("fk_trial_recording_study_id")
        ),
        sa.PrimaryKeyConstraint("study_id", "trial_id", "member", name=op.f("pk_trial_recording")),
    )
    op.create_table(
        "presentation",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("participant_id", sa.BigInteger(), nullable=False),
        sa.Column("trial_id", sa.String(), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.Column("first_member", sa.String(), nullable=False),
        sa.Column("first_recording_id", sa.BigInteger(), nullable=False),
        sa.Column("second_recording_id", sa.BigInteger(), nullable=False),
        sa.Column("trial_token", sa.String(), nullable=False),
        sa.Column("first_token", sa.String(), nullable=False),
        sa.Column("second_token", sa.String(), nullable=False),
        sa.Column(
            "opened_at", sa.DateTime(timezone=True), server_default=sa.text("now()"), nullable=False
        ),
        sa.CheckConstraint("first_member in ('a', 'b')", name=op.f("ck_presentation_first_member")),
        sa.ForeignKeyConstraint(
            ["first_recording_id"],
            ["recording.id"],
            name=op.f("fk_presentation_first_recording_id"),
        ),
        sa.ForeignKeyConstraint(
            ["participant_id"], ["participant.id"], name=op.f("fk_presentation_participant_id")
        ),
        sa.ForeignKeyConstraint(
            ["second_recording_id"],
            ["recording.id"],
            name=op.f("fk_presentation_second_recording_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_presentation")),
        sa.UniqueConstraint("first_token", name=op.f("uq_presentation_first_token")),
        sa.UniqueConstraint("participant_id", "position", name="uq_presentation_position"),
        sa.UniqueConstraint(
            "participant_id", "trial_id", name=op.f("uq_presentation_participant_id")
        ),
        sa.UniqueConstraint("second_token", name=op.f("uq_presentation_second_token")),
        sa.UniqueConstraint("trial_token", name=op.f("uq_presentation_trial_token")),
    )
    op.create_table(
        "vote",
        sa.Column("id", sa.BigInteger(), sa.Identity(always=True), nullable=False),
        sa.Column("presentation_id", sa.BigInteger(), nullable=False),
        sa.Column("vote_key", sa.Uuid(), nullable=False),
        sa.Column("choice", sa.String(), nullable=False),
        sa.Column("plays_first", sa.BigInteger(), nullable=False),
        sa.Column("plays_second", sa.BigInteger(), nullable=False),
        sa.Column("switches", sa.BigInteger(), nullable=False),
        sa.Column("decision_ms", sa.BigInteger(), nullable=False),
        sa.Column("played_first", sa.String(), nullable=True),
        sa.Column("output_latency_ms", sa.Double(), nullable=True),
        sa.Column("events", postgresql.JSONB(astext_type=sa.Text()), nullable=False),
        sa.Column("build", sa.String(), nullable=False),
        sa.Column(
            "received_at",
            sa.DateTime(timezone=True),
            server_default=sa.text("now()"),
            nullable=False,
        ),
        sa.CheckConstraint(
            "choice in ('first', 'second', 'no_difference')", name=op.f("ck_vote_choice")
        ),
        sa.CheckConstraint(
            "played_first in ('first', 'second')", name=op.f("ck_vote_played_first")
        ),
        sa.ForeignKeyConstraint(
            ["presentation_id"], ["presentation.id"], name=op.f("fk_vote_presentation_id")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_vote")),
        sa.UniqueConstraint("presentation_id", name=op.f("uq_vote_presentation_id")),
        sa.UniqueConstraint("vote_key", name=op.f("uq_vote_vote_key")),
    )
    for table in ("presentation", "vote"):
        _make_append_only(table)


def _make_append_only(table: str) -> None:
    """What was presented and answered stays as it was, whoever asks."""
    function = f"refuse_to_change_{table}"
    op.execute(
        f"""
        create function {function}() returns trigger language plpgsql as $$
        begin
            raise exception '% is append-only: % refused', tg_table_name, tg_op
                using errcode = 'restrict_violation';
        end
        $$
        """
    )
    op.execute(
        f"create trigger append_only before update or delete on {table} "
        f"for each row execute function {function}()"
    )
    op.execute(
        f"create trigger append_only_whole before truncate on {table} "
        f"for each statement execute function {function}()"
    )


def downgrade() -> None:
    raise NotImplementedError("there is nothing before the first version but lost votes")
