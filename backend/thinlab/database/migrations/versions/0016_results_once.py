"""What was measured of a recording is kept once: its numbers, and its lists apart from them.

`session_metrics` held the numbers of `recording.result` again, a column each. What is in a column
is in the JSON, from which the columns were filled.

SPDX-License-Identifier: Apache-2.0
"""

from alembic import op

from thinlab.database.migrations import columns

revision = "0016"
down_revision = "0011"

LISTS = (
    ("counters",),
    ("receiver_counters",),
    ("playout_events",),
    ("metrics", "transport", "per_byte", "cdf"),
    ("metrics", "transport", "per_message", "cdf"),
    ("metrics", "application", "per_byte", "cdf"),
    ("metrics", "application", "per_message", "cdf"),
    ("felt", "sojourn", "cdf"),
)


def upgrade() -> None:
    columns.add("recording", columns.json("series", nullable=True))
    lists = ", ".join(f"'{'.'.join(path)}', result #> '{{{','.join(path)}}}'" for path in LISTS)
    numbers = "".join(f" #- '{{{','.join(path)}}}'" for path in LISTS)
    op.execute(
        f"update recording set result = result{numbers},"  # noqa: S608 (constants above)
        f" series = jsonb_strip_nulls(jsonb_build_object({lists}))"
    )
    op.alter_column("recording", "series", nullable=False)
    op.drop_table("session_metrics")


def downgrade() -> None:
    raise NotImplementedError("there is no column for a metric that came later")
