"""Conditions are kept as what they mean: mechanisms, and each direction's own delay.

A mode's name alone would mean more whenever a mechanism is added. The keys of
recordings are made of the same words as before, and stay.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import JSONB

revision = "0017"
down_revision = "0016"

Json = dict[str, Any]

# What there was when modes were kept by their names.
ALL = ["linear_timeouts", "early_fast_retransmit", "bundling"]
HOLD_CONDITIONS = ("recording", "recording_job", "typing_session")


def upgrade() -> None:
    for table in HOLD_CONDITIONS:
        _rewrite(table, "condition", _meant)
    _rewrite("study", "definition", _with_mechanisms)


def downgrade() -> None:
    for table in HOLD_CONDITIONS:
        _rewrite(table, "condition", _written)
    _rewrite("study", "definition", _without_mechanisms)


def _rewrite(table: str, column: str, rewritten: Callable[[Json], Json]) -> None:
    rows = sa.table(table, sa.column("id"), sa.column(column, JSONB))
    found = op.get_bind().execute(sa.select(rows.c.id, rows.c[column])).all()
    for row_id, value in found:
        op.get_bind().execute(
            sa.update(rows).where(rows.c.id == row_id).values({column: rewritten(value)})
        )


def _mechanisms(mode: str) -> list[str]:
    return {"off": [], "all": ALL}.get(mode, [mode])


def _mode(mechanisms: list[str]) -> str:
    return {(): "off", tuple(ALL): "all"}.get(tuple(mechanisms), "+".join(mechanisms))


def _meant(written: Json) -> Json:
    path = written["path"]
    half_ms = path["rtt_ms"] / 2
    return {
        "transport": {
            "baseline": written["baseline"],
            "mechanisms": _mechanisms(written["mode"]),
            "bundling": {
                "max_bytes": 0,
                "max_packets": 0,
                "hidden_loss_response": "baseline",
                "min_iat_ms": None,
            },
        },
        "path": {way: {**path[way], "delay_ms": half_ms} for way in ("forward", "backward")},
    }


def _written(meant: Json) -> Json:
    path = meant["path"]
    ways = {way: {**path[way]} for way in ("forward", "backward")}
    delays_ms = [way.pop("delay_ms") for way in ways.values()]
    return {
        "mode": _mode(meant["transport"]["mechanisms"]),
        "baseline": meant["transport"]["baseline"],
        "path": {"rtt_ms": sum(delays_ms), **ways},
    }


def _with_mechanisms(definition: Json) -> Json:
    conditions = {
        name: {**condition, "mechanisms": _mechanisms(condition["mode"])}
        for name, condition in definition["conditions"].items()
    }
    return {**definition, "conditions": conditions}


def _without_mechanisms(definition: Json) -> Json:
    conditions = {
        name: {key: value for key, value in condition.items() if key != "mechanisms"}
        for name, condition in definition["conditions"].items()
    }
    return {**definition, "conditions": conditions}
