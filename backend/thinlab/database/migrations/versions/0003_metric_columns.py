"""What the kernel said of the socket and what was sent twice, in columns of their own.

Recordings have it in their JSON already, older ones lack it.

SPDX-License-Identifier: Apache-2.0
"""

from alembic import op

from thinlab.database.migrations import columns

revision = "0003"
down_revision = "0002"

# Section of the result -> its whole numbers.
WHOLE = {
    "tcp_info": (
        "rto_us",
        "rtt_us",
        "rttvar_us",
        "min_rtt_us",
        "snd_mss_bytes",
        "snd_cwnd",
        "snd_ssthresh",
        "reordering",
        "reord_seen",
        "segs_out",
        "data_segs_out",
        "total_retrans",
        "bytes_sent",
        "bytes_retrans",
        "bytes_acked",
        "dsack_dups",
        "busy_time_us",
        "total_rto",
        "total_rto_recoveries",
        "total_rto_time_ms",
        "thin_linear_timeouts",
        "thin_early_retrans",
        "rdb_bundles",
        "rdb_repairs",
        "rdb_dsacks",
        "rdb_congestion",
        "rdb_bytes",
    ),
    "copies": (
        "bundle_packets",
        "bundled_bytes",
        "bundle_hit_bytes",
        "spurious_packets",
        "spurious_bytes",
    ),
}


def upgrade() -> None:
    filled = {"felt_share_later_than_50_ms": "(result->'felt'->>'share_later_than_50_ms')::float8"}
    columns.add("session_metrics", columns.real("felt_share_later_than_50_ms", nullable=True))
    for section, names in WHOLE.items():
        for name in names:
            column = f"{section}_{name}"
            columns.add("session_metrics", columns.whole(column, nullable=True))
            filled[column] = f"(result->'{section}'->>'{name}')::bigint"
    values = ", ".join(f"{column} = {value}" for column, value in filled.items())
    op.execute(
        f"update session_metrics set {values} from recording"  # noqa: S608 (constants above)
        " where recording.id = session_metrics.recording_id"
    )


def downgrade() -> None:
    for section, names in WHOLE.items():
        for name in names:
            op.drop_column("session_metrics", f"{section}_{name}")
    op.drop_column("session_metrics", "felt_share_later_than_50_ms")
