"""Columns about how recordings are played, and how a listener came to an answer.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.export.column import Column, number, text
from thinlab.export.entry import VoteEntry
from thinlab.export.kind_columns import DECISION_MS, told

PLAYBACK: tuple[Column[VoteEntry], ...] = (
    text(
        "playback",
        "`free` or `in_turn`; empty where something is typed",
        "study file",
        lambda e: e.block.playback,
    ),
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
    told(
        "switches",
        "switches between the two while playing; empty where nothing is played",
        "switches",
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
