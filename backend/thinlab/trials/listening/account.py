"""Columns about how recordings are played, and how a listener came to an answer.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Literal

from thinlab.database.schema import Recording
from thinlab.export.column import Cell, Column, number, text, whole
from thinlab.export.entry import VoteEntry
from thinlab.export.kind_columns import DECISION_MS, told
from thinlab.trials.listening.coverage import covered_ms
from thinlab.trials.listening.messages import Passage

PLAYBACK: tuple[Column[VoteEntry], ...] = (
    text(
        "playback",
        "`free` or `in_turn`; empty where something is typed",
        "study file",
        lambda e: e.block.playback,
    ),
    number(
        "heard_share_at_least",
        "share",
        "of each recording, in different parts, before an answer was taken; empty where the study "
        "asked for no share",
        "study file",
        lambda e: e.block.heard_share_at_least,
    ),
)


def _covered(name: str, place: Literal["first", "second", "x"]) -> Column[VoteEntry]:
    def cell(entry: VoteEntry) -> Cell:
        told = entry.vote.account.get(f"covered_{place}")
        at = entry.presentation.x_place if place == "x" else place
        heard = entry.first if at == "first" else entry.second
        if told is None or heard is None or not isinstance(heard.row, Recording):
            return None
        parts = [Passage.model_validate(one) for one in told]
        return round(covered_ms(parts, heard.row.duration_ms) / heard.row.duration_ms, 4)

    return number(
        name,
        "share",
        f"of {'X' if place == 'x' else f'the {place}'} that sounded at all, whatever sounded "
        "again; empty where the page did not tell, and where there is none",
        "vote",
        cell,
    )


ACCOUNT: tuple[Column[VoteEntry], ...] = (
    text(
        "played_first",
        "which one was heard first, as presented",
        "vote",
        lambda e: e.vote.account.get("played_first"),
    ),
    told("plays_first", "times that playing started on the first", "plays_first"),
    told("plays_second", "the same of the second", "plays_second"),
    whole(
        "plays_x",
        "count",
        "the same of X; empty where there is none",
        "vote",
        # Votes of before there was any do not tell.
        lambda e: e.vote.account.get("plays_x"),
    ),
    told(
        "switches",
        "switches between the two while playing; empty where nothing is played",
        "switches",
    ),
    _covered("heard_share_first", "first"),
    _covered("heard_share_second", "second"),
    _covered("heard_share_x", "x"),
    DECISION_MS,
    number(
        "output_latency_ms",
        "ms",
        "the browser's estimate from its audio graph to the ear; empty where it gives none",
        "vote",
        lambda e: e.vote.account.get("output_latency_ms"),
    ),
)
