"""Columns of the export of sessions: a row is one typing session, void ones too.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeVar

from thinlab.export.column import Cell, Column, text, whole, yes
from thinlab.export.participant_columns import WHO
from thinlab.export.place_columns import CONDITION
from thinlab.study.trial import ControlTrial
from thinlab.trials.typing.columns import SESSION
from thinlab.trials.typing.entry import SessionEntry

Part = TypeVar("Part")
# Of the participant, as much as a row of a key or a session is told apart by.
ALSO_WHO = {"study", "study_hash", "participant", "participant_kind", "excluded"}


def _of(
    columns: Iterable[Column[Part]], part: Callable[[SessionEntry], Part]
) -> Iterable[Column[SessionEntry]]:
    for column in columns:
        cell = partial(_cell, part=part, cell=column.cell)
        yield Column(column.name, column.kind, column.unit, column.meaning, column.source, cell)


def _cell(
    entry: SessionEntry, *, part: Callable[[SessionEntry], Part], cell: Callable[[Part], Cell]
) -> Cell:
    return cell(part(entry))


_TRIAL: tuple[Column[SessionEntry], ...] = (
    text("block", "the block's id", "study file", lambda e: e.block.id),
    text("role", "`training` or `trials`", "study file", lambda e: e.block.role),
    text("trial", "the trial's id", "study file", lambda e: e.trial.id),
    yes(
        "control", "both sessions of the trial are under one condition", "study file",
        lambda e: isinstance(e.trial, ControlTrial),
    ),
    whole("run", "", "which of the trial's runs, counted from 1", "presentation",
          lambda e: e.presentation.run + 1),
    whole("position", "", "1 for the participant's first trial, over all blocks", "presentation",
          lambda e: e.presentation.position),
    text("place", "`first` or `second`, as presented", "typing session",
         lambda e: e.typed.row.place),
)  # fmt: skip

PRESENTED: tuple[Column[SessionEntry], ...] = (
    *_of([column for column in WHO if column.name in ALSO_WHO], lambda e: e.attendance),
    *_TRIAL,
    *_of([column for column in CONDITION if column.name in {"member", "condition", "mode"}],
         lambda e: e.typed),
    *_of([column for column in SESSION if column.name in {"session", "attempt", "state"}],
         lambda e: e.typed),
)  # fmt: skip

SESSION_COLUMNS: tuple[Column[SessionEntry], ...] = (
    *_of(WHO, lambda e: e.attendance),
    *_TRIAL,
    *_of(CONDITION, lambda e: e.typed),
    *_of(SESSION, lambda e: e.typed),
)
