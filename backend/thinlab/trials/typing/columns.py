"""Columns about a typing session: how it went, what its typist did and felt, what was measured.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

from thinlab.contract.columns import MetricColumn, flatten, leaves
from thinlab.contract.generated.results import TerminalResult
from thinlab.export.column import Cell, Column, number, text, time, whole, yes
from thinlab.trials.typing.entry import Typed
from thinlab.trials.typing.measures import Measures

MEASURES = tuple(leaves(Measures))
# Words and truth values of the result are columns of their own.
RESULT = tuple(leaves(TerminalResult, left_out={"end", "trustworthy", "reason"}))


def cells_of(
    measures: Mapping[str, Any] | None, result: Mapping[str, Any] | None
) -> dict[str, Cell]:
    """What the two JSON columns of a session hold, flat. A void session may have neither."""
    return {**flatten(MEASURES, measures or {}), **flatten(RESULT, result or {})}


def _leaf(column: MetricColumn, source: str) -> Column[Typed]:
    return Column(
        column.name,
        "integer" if column.kind is int else "number",
        column.unit,
        column.meaning,
        source,
        lambda typed: typed.cells.get(column.name),
    )


def _said_by_result(typed: Typed, *path: str) -> Any:  # noqa: ANN401 (of JSON)
    value: Any = typed.row.result
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _duration_ms(typed: Typed) -> Cell:
    row = typed.row
    if row.ready_at is None or row.ended_at is None:
        return None
    return round((row.ended_at - row.ready_at).total_seconds() * 1000)


def _of_link(name: str, meaning: str) -> Column[Typed]:
    return number(name, "ms", meaning, "link", partial(_of_row, name=name))


def _of_row(typed: Typed, *, name: str) -> Cell:
    cell: Cell = getattr(typed.row, name)
    return cell


LINK_MS = {
    "link_rtt_p50_ms": "round trip between page and server while typing, median",
    "link_rtt_p95_ms": "the same, 95th percentile",
    "link_jitter_ms": "from its median to its 95th percentile",
    "clock_uncertainty_ms": "how far the page's clock may be off the server's",
}

SESSION: tuple[Column[Typed], ...] = (
    whole(
        "session", "", "the session's id in this installation", "typing session",
        lambda t: t.row.id,
    ),
    whole(
        "attempt", "", "1 for the first session at this place; those before it are void",
        "typing session", lambda t: t.row.attempt,
    ),
    text(
        "void_before", "why each earlier session at this place does not count, separated by "
        "spaces", "typing session", lambda t: " ".join(t.void_before) or None,
    ),
    text(
        "state", "`done`, `void` (does not count) or `typing` (under way)", "typing session",
        lambda t: t.row.state,
    ),
    text("void_reason", "why it does not count", "typing session", lambda t: t.row.reason),
    text("task", "the study's name of the task", "study file", lambda t: t.task_name),
    text(
        "task_kind", "`copy`, `correct`, `hold` or `free`", "study file",
        lambda t: str(t.row.task["kind"]),
    ),
    text("editor", "`nano` or `vi`", "study file", lambda t: str(t.row.task["editor"])),
    text("text_language", "of the text to be typed (BCP 47)", "participant",
         lambda t: t.row.language),
    time("opened_at", "when its lane was asked for", "typing session", lambda t: t.row.opened_at),
    time("ready_at", "when keys began to count", "typing session", lambda t: t.row.ready_at),
    time("ended_at", "when it ended", "typing session", lambda t: t.row.ended_at),
    whole("typed_ms", "ms", "from keys counting to the end", "typing session", _duration_ms),
    text(
        "end", "`finished` (by the participant), `left` (the editor) or `limit` (the task's time)",
        "typing session", lambda t: t.row.end,
    ),
    text("host", "which host ran it", "host", lambda t: t.row.host),
    text(
        "transport", "what carried keys and screens between page and server", "link",
        lambda t: t.row.transport,
    ),
    whole(
        "reconnects", "count", "times that the link went away and came back", "link",
        lambda t: t.row.reconnects,
    ),
    *(_of_link(name, meaning) for name, meaning in LINK_MS.items()),
    yes(
        "emulator_trustworthy", "whether the emulator kept its own time; `timing_…` has by how "
        "much", "host", lambda t: t.row.emulator_trustworthy,
    ),
    number(
        "host_wait_max_ms", "ms", "the longest that a key waited for our own machines, over all "
        "stages but the lane, or a packet for the emulator; above 250 ms a session is void "
        "(`host-behind`)", "host", lambda t: t.row.host_wait_max_ms,
    ),
    text(
        "emulator_reason", "why it did not", "host",
        lambda t: _said_by_result(t, "timing", "reason") or None,
    ),
    *(_leaf(column, "keystrokes") for column in MEASURES),
    *(_leaf(column, f"terminal: {column.source}") for column in RESULT),
    text(
        "final_text", "the text in the end; only where the study keeps what is typed",
        "typing session", lambda t: t.row.final_text,
    ),
)  # fmt: skip

# What may be felt of a session: how long keys took to be seen, and how many came at once.
PERCEIVED = (
    "felt_share_later_than_150_ms",
    "felt_longest_stall_ms",
    "echo_p50_ms",
    "echo_p99_ms",
    "bursts_count",
    "bursts_keys_max",
)
