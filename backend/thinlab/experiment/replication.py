"""Somebody's results beside the same sessions, run again here.

SPDX-License-Identifier: Apache-2.0
"""

import csv
import io
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from thinlab.experiment import provenance
from thinlab.experiment.checks import place
from thinlab.experiment.definition import Cell, ExperimentDefinition
from thinlab.experiment.request import requests
from thinlab.experiment.rows import Row

MOST_NAMED = 5


class Agreement(StrEnum):
    """What became of a session's hash or numbers."""

    SAME = "same"
    DIFFERENT = "different"
    UNKNOWN = "not recorded"
    MISSING = "missing"


@dataclass(frozen=True)
class SessionAgreement:
    """One session, theirs and ours."""

    cell: Cell
    run: int
    metrics: Agreement
    captures: Agreement
    differing: list[str]
    """Metrics that are not the same."""
    why: str
    """What may be the reason, where something differs."""


def compare(
    experiment: ExperimentDefinition, theirs: Sequence[Row], ours: Sequence[Row]
) -> list[SessionAgreement]:
    """Each session of the experiment."""
    their_rows = {row.get("key"): row for row in theirs}
    our_rows = {row["key"]: row for row in ours}
    their_build = str(theirs[0].get("host_build")) if theirs else ""
    our_build = str(ours[0]["host_build"]) if ours else ""
    return [
        _compared(
            (request.cell, request.run),
            their_rows.get(request.key(their_build)),
            our_rows.get(request.key(our_build)),
        )
        for request in requests(experiment)
    ]


def _compared(which: tuple[Cell, int], theirs: Row | None, ours: Row | None) -> SessionAgreement:
    if theirs is None or ours is None:
        who = "the bundle has no such session" if theirs is None else "it failed here"
        return SessionAgreement(*which, Agreement.MISSING, Agreement.MISSING, [], who)
    # What one version knows and another does not is no difference.
    common = [name for name in theirs if name in ours and not provenance.is_column(name)]
    differing = [name for name in common if not _same(theirs[name], ours[name])]
    metrics = Agreement.DIFFERENT if differing else Agreement.SAME
    captures = _captures(theirs, ours)
    why = ""
    if Agreement.DIFFERENT in {metrics, captures}:
        why = _reason(theirs, ours)
    return SessionAgreement(*which, metrics, captures, differing, why)


def _same(one: object, other: object) -> bool:
    if isinstance(one, float) and isinstance(other, float) and math.isnan(one):
        return math.isnan(other)
    return one == other


def _captures(theirs: Row, ours: Row) -> Agreement:
    pairs = [(theirs.get(name), ours.get(name)) for name in provenance.CAPTURES]
    if any(None in pair for pair in pairs):
        return Agreement.UNKNOWN
    return Agreement.SAME if all(one == other for one, other in pairs) else Agreement.DIFFERENT


def _reason(theirs: Row, ours: Row) -> str:
    if theirs["host_build"] != ours["host_build"]:
        return (
            f"another host build: {theirs['host_build']} there, {ours['host_build']} here; "
            "another kernel, guest or agent may send other packets"
        )
    versions = [
        f"{name.removeprefix(provenance.VERSION_PREFIX)} {theirs[name]} there, {ours[name]} here"
        for name in theirs
        if name.startswith(provenance.VERSION_PREFIX) and theirs[name] != ours.get(name)
    ]
    if versions:
        return f"the same host build, but {', '.join(versions)}"
    return "the same host build and versions: this should not be; please report it"


def as_csv(sessions: Sequence[SessionAgreement]) -> str:
    """One line a session."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("cell", "run", "metrics", "captures", "differing", "why"))
    writer.writerows(
        (place(one.cell), one.run, one.metrics, one.captures, " ".join(one.differing), one.why)
        for one in sessions
    )
    return out.getvalue()


def told(sessions: Sequence[SessionAgreement]) -> list[str]:
    """What to say of them all: counts, then each reason once with where it applies first."""
    lines = [
        f"{what}: " + ", ".join(f"{count} {kind}" for kind, count in Counter(kinds).items())
        for what, kinds in (
            ("metrics", [one.metrics.value for one in sessions]),
            ("hashes of captures", [one.captures.value for one in sessions]),
        )
    ]
    reasons: dict[str, list[SessionAgreement]] = {}
    for one in sessions:
        if one.why:
            reasons.setdefault(one.why, []).append(one)
    for why, mine in reasons.items():
        first = mine[0]
        named = ", ".join(first.differing[:MOST_NAMED])
        more = len(first.differing) - MOST_NAMED
        lines.append(
            f"{len(mine)} × {place(first.cell)}, run {first.run} …: {why}"
            + (f" ({named}{f' and {more} more' if more > 0 else ''})" if named else "")
        )
    return lines


def agrees(sessions: Sequence[SessionAgreement]) -> bool:
    """Whether nothing differs and nothing is missing."""
    fine = {Agreement.SAME, Agreement.UNKNOWN}
    return all(one.metrics is Agreement.SAME and one.captures in fine for one in sessions)
