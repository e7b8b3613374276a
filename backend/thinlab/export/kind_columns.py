"""Columns of votes that kinds of trials have of their own: what trials are like, and accounts.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from thinlab.export.column import Cell, Column, count, whole
from thinlab.export.entry import VoteEntry

DECISION_MS: Column[VoteEntry] = whole(
    "decision_ms",
    "ms",
    "from the trial shown to the vote, by the browser's clock",
    "vote",
    lambda e: e.vote.decision_ms,
)


def told(name: str, meaning: str, key: str) -> Column[VoteEntry]:
    """A count out of the account of how an answer was reached."""
    return count(name, meaning, "vote", lambda entry: entry.vote.account[key])


def of_all_kinds(columns: Mapping[str, Sequence[Column[VoteEntry]]]) -> list[Column[VoteEntry]]:
    """By medium, whether a study has them or not; one that several kinds have is one column."""
    found: dict[str, list[tuple[str, Column[VoteEntry]]]] = {}
    for medium, own in columns.items():
        for column in own:
            found.setdefault(column.name, []).append((medium, column))
    return [_merged(columns) for columns in found.values()]


def _merged(columns: Sequence[tuple[str, Column[VoteEntry]]]) -> Column[VoteEntry]:
    # In the kinds' order, and no meaning twice.
    meanings = dict.fromkeys(column.meaning for _, column in columns)
    cells = {medium: column.cell for medium, column in columns}
    _, first = columns[0]
    return replace(first, meaning="; or ".join(meanings), cell=partial(_of_its_kind, cells=cells))


def _of_its_kind(entry: VoteEntry, *, cells: Mapping[str, Callable[[VoteEntry], Cell]]) -> Cell:
    cell = cells.get(entry.presentation.medium)
    return None if cell is None else cell(entry)
