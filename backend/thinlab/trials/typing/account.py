"""Columns about how a typist came to an answer, named as a listener's are.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.export.column import Column
from thinlab.export.entry import VoteEntry
from thinlab.export.kind_columns import DECISION_MS, told

ACCOUNT: tuple[Column[VoteEntry], ...] = (
    told("plays_first", "sessions of it that were typed", "sessions_first"),
    told("plays_second", "the same of the second", "sessions_second"),
    DECISION_MS,
)
