"""Sessions whose path broke the stream: an outcome without measurements, counted and named.

Where a path flips bits, a header that passes for a whole one can end a
connection, or have it stand still. That is what the condition does, and not a
failure of the lab: left out, a mode would be judged by the sessions that it
survived. On a path that damages nothing the same is a failure.

The agent tells it (`DATA_LOSS`); a self-check that does not hold is none of these.

SPDX-License-Identifier: Apache-2.0
"""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path as File
from typing import Any

from thinlab import durable
from thinlab.condition.path import Path
from thinlab.experiment.checks import place
from thinlab.experiment.request import SessionRequest

OUTCOME = "broken"


@dataclass(frozen=True)
class BrokenSession:
    """One of them."""

    where: str
    """Its cell in words."""
    run: int
    seed: int
    key: str
    reason: str


def may_break(path: Path) -> bool:
    """Whether what breaks on this path may be the path's doing."""
    return any(
        one.bit_errors is not None or one.corrupt_share > 0 for one in (path.forward, path.backward)
    )


def record(host_build: str, reason: str) -> dict[str, Any]:
    """What is kept of such a session."""
    return {"host_build": host_build, OUTCOME: reason}


def of_record(request: SessionRequest, key: str, kept: Mapping[str, Any]) -> BrokenSession | None:
    """The session, if it broke."""
    if OUTCOME not in kept:
        return None
    names = ", ".join(one.name for one in request.cell.flows)
    where = place(replace(request.cell, group=names))
    return BrokenSession(where, request.run, request.seed, key, kept[OUTCOME])


def counted(sessions: Iterable[BrokenSession]) -> list[tuple[str, int, str]]:
    """By cell, in the order of the experiment: how many broke, and of what."""
    by_cell: dict[str, list[str]] = {}
    for one in sessions:
        by_cell.setdefault(one.where, []).append(one.reason)
    return [
        (where, len(reasons), "; ".join(dict.fromkeys(reasons)))
        for where, reasons in by_cell.items()
    ]


def write(file: File, sessions: Sequence[BrokenSession]) -> None:
    """The sessions as CSV, which appears whole; no file where there are none."""
    if not sessions:
        file.unlink(missing_ok=True)
        return
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(one.name for one in fields(BrokenSession))
    writer.writerows(astuple(one) for one in sessions)
    durable.write_whole(file, out.getvalue().encode())


def read(file: File) -> list[BrokenSession]:
    """The sessions of such a file."""
    if not file.exists():
        return []
    with file.open(encoding="utf-8", newline="") as opened:
        return [
            BrokenSession(
                one["where"], int(one["run"]), int(one["seed"]), one["key"], one["reason"]
            )
            for one in csv.DictReader(opened)
        ]
