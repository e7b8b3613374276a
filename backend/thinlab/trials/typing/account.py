"""Columns about how a typist came to an answer, named as a listener's are.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.export.column import Column, count
from thinlab.export.entry import VoteEntry
from thinlab.export.kind_columns import DECISION_MS

ACCOUNT: tuple[Column[VoteEntry], ...] = (
    count(
        "plays_first",
        "sessions of it that were typed",
        "vote",
        lambda e: e.vote.account["sessions_first"],
    ),
    count(
        "plays_second",
        "the same of the second",
        "vote",
        lambda e: e.vote.account["sessions_second"],
    ),
    DECISION_MS,
)
