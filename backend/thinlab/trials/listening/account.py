"""Columns about how recordings are played, and how a listener came to an answer.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Literal

from thinlab.database.schema import Recording
from thinlab.export.column import Cell, Column, count, number, text, whole
from thinlab.export.entry import VoteEntry
from thinlab.export.kind_columns import DECISION_MS, told
from thinlab.participation.attention import Attention, attention_of, heard_share

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
        at = entry.presentation.x_place if place == "x" else place
        heard = entry.first if at == "first" else entry.second
        if heard is None or not isinstance(heard.row, Recording):
            return None
        share = heard_share(entry.vote.account, place, heard.row.duration_ms)
        return None if share is None else round(share, 4)

    return number(
        name,
        "share",
        f"of {'X' if place == 'x' else f'the {place}'} that sounded at all, whatever sounded "
        "again; empty where the page did not tell, and where there is none",
        "vote",
        cell,
    )


def _attention(entry: VoteEntry) -> Attention:
    return attention_of(
        entry.vote.account,
        entry.attention_events,
        decision_ms=entry.vote.decision_ms,
        duration_ms=0,
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
    count(
        "seeks",
        "times that the listener sought within a recording; empty where nothing is played",
        "vote",
        lambda e: _attention(e).seeks,
    ),
    count(
        "hidden_times",
        "times that the page went out of sight, as behind another tab; empty where nothing is "
        "played",
        "vote",
        lambda e: _attention(e).hidden_times,
    ),
    whole(
        "hidden_ms",
        "ms",
        "for how long altogether",
        "vote",
        lambda e: _attention(e).hidden_ms,
    ),
    DECISION_MS,
    number(
        "output_latency_ms",
        "ms",
        "the browser's estimate from its audio graph to the ear; empty where it gives none",
        "vote",
        lambda e: e.vote.account.get("output_latency_ms"),
    ),
)
