"""Studies, recordings, participants, presentations, votes; the last two append-only.

SPDX-License-Identifier: Apache-2.0
"""

import sqlalchemy as sa
from alembic import op

from thinlab.database.migrations import columns

revision = "0001"
down_revision = None


def upgrade() -> None:
    columns.make_table(
        "recording",
        columns.identity(),
        columns.text("key", "clip", "clip_sha256"),
        columns.json("condition"),
        columns.whole("seed"),
        columns.text("host_build", "agent_version", "kernel_release"),
        columns.whole("duration_ms"),
        columns.text("audio_sha256"),
        columns.json("result"),
        columns.now("made_at"),
        sa.UniqueConstraint("key"),
    )
    columns.make_table(
        "researcher_session",
        columns.octets("token_hash"),
        columns.now("created_at"),
        columns.instant("expires_at"),
        sa.PrimaryKeyConstraint("token_hash"),
    )
    columns.make_table(
        "server_secret",
        columns.whole("id"),
        columns.octets("participant_key"),
        columns.text("setup_token"),
        columns.text("password_hash", nullable=True),
        sa.CheckConstraint("id = 1", "one_row"),
        sa.PrimaryKeyConstraint("id"),
    )
    columns.make_table(
        "study",
        columns.identity(),
        columns.text("slug", "content_hash"),
        columns.json("definition"),
        columns.flag("is_current"),
        columns.now("loaded_at"),
        sa.UniqueConstraint("slug", "content_hash"),
    )
    op.create_index(
        "one_current_study", "study", ["slug"], unique=True, postgresql_where=sa.text("is_current")
    )
    columns.make_table(
        "participant",
        columns.identity(),
        columns.text("pseudonym"),
        columns.reference("study"),
        columns.uuid("join_key"),
        columns.octets("token_hash"),
        columns.text("consent_version"),
        columns.flag("preview"),
        columns.now("joined_at"),
        columns.instant("completed_at", nullable=True),
        columns.text("completion_code", nullable=True),
        sa.UniqueConstraint("completion_code"),
        sa.UniqueConstraint("pseudonym"),
        sa.UniqueConstraint("study_id", "join_key"),
        sa.UniqueConstraint("token_hash"),
    )
    columns.make_table(
        "session_metrics",
        columns.reference("recording"),
        _check("forward"),
        _check("backward"),
        columns.whole(
            "packets",
            "payload_bytes",
            "unique_bytes",
            "delivered_bytes",
            "retransmitted_bytes",
            "retransmitted_packets",
        ),
        columns.real("retransmitted_share", "redundancy_share", "packet_payload_mean_bytes"),
        columns.whole("lost_packets_forward", "lost_packets_backward"),
        columns.real("loss_share_forward", "loss_share_backward", "iat_mean_ms"),
        _distribution("transport_per_byte"),
        _distribution("transport_per_message"),
        _distribution("application_per_byte"),
        _distribution("application_per_message"),
        columns.real(
            "felt_share_later_than_100_ms",
            "felt_share_later_than_150_ms",
            "felt_share_later_than_400_ms",
            "felt_longest_stall_ms",
        ),
        columns.whole("felt_messages"),
        _distribution("felt_sojourn"),
        columns.whole("playout_played_ms", "playout_gaps"),
        columns.real(
            "playout_concealed_ms",
            "playout_longest_gap_ms",
            "playout_stretched_ms",
            "playout_compressed_ms",
            "playout_dropped_ms",
            "playout_delay_mean_ms",
            "playout_delay_max_ms",
        ),
        columns.whole("stream_ns", "wall_ns"),
        sa.PrimaryKeyConstraint("recording_id"),
    )
    columns.make_table(
        "trial_recording",
        columns.reference("study"),
        columns.text("trial_id", "member"),
        columns.reference("recording"),
        sa.CheckConstraint("member in ('a', 'b')", "member"),
        sa.PrimaryKeyConstraint("study_id", "trial_id", "member"),
    )
    columns.make_table(
        "presentation",
        columns.identity(),
        columns.reference("participant"),
        columns.text("trial_id"),
        columns.whole("position"),
        columns.text("first_member"),
        columns.reference("recording", column="first_recording_id"),
        columns.reference("recording", column="second_recording_id"),
        columns.text("trial_token", "first_token", "second_token"),
        columns.now("opened_at"),
        sa.CheckConstraint("first_member in ('a', 'b')", "first_member"),
        sa.UniqueConstraint("first_token"),
        sa.UniqueConstraint("participant_id", "position", name="uq_presentation_position"),
        sa.UniqueConstraint("participant_id", "trial_id"),
        sa.UniqueConstraint("second_token"),
        sa.UniqueConstraint("trial_token"),
    )
    columns.make_table(
        "vote",
        columns.identity(),
        columns.reference("presentation"),
        columns.uuid("vote_key"),
        columns.text("choice"),
        columns.whole("plays_first", "plays_second", "switches", "decision_ms"),
        columns.text("played_first", nullable=True),
        columns.real("output_latency_ms", nullable=True),
        columns.json("events"),
        columns.text("build"),
        columns.now("received_at"),
        sa.CheckConstraint("choice in ('first', 'second', 'no_difference')", "choice"),
        sa.CheckConstraint("played_first in ('first', 'second')", "played_first"),
        sa.UniqueConstraint("presentation_id"),
        sa.UniqueConstraint("vote_key"),
    )
    for table in ("presentation", "vote"):
        _make_append_only(table)


def _check(way: str) -> list[columns.Column]:
    counted = ("sent", "received", "dropped")
    return columns.whole(*(f"check_{way}_{what}_packets" for what in counted))


def _distribution(of: str) -> list[columns.Column]:
    told = ("min", "mean", "p50", "p90", "p95", "p98", "p99", "p999", "max")
    return columns.whole(f"{of}_samples") + columns.real(*(f"{of}_{name}_us" for name in told))


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
