"""How a listener attended to a trial, as the page's journal tells. Pure.

The journal is the page's word: it tells who was careless, and not who lies. What the server can
check for itself is in `thinlab.trials.listening.heard`.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, literal_column

from thinlab.participation.coverage import covered_ms
from thinlab.participation.messages import PlayerAction

# What of a journal this looks at, as a path in PostgreSQL's JSON: most of it is plays and switches.
LOOKED_AT: ColumnElement[Any] = literal_column(
    """'$[*] ? (@.action == "hidden" || @.action == "visible" || @.action == "seek")'::jsonpath"""
)


@dataclass(frozen=True)
class Attention:
    """One trial."""

    heard_shares: tuple[float, ...]
    """Of each recording, in the order presented; fewer where the page did not tell."""
    hidden_times: int
    """How often the page went out of sight."""
    hidden_ms: int
    """For how long altogether."""
    seeks: int


def attention_of(
    account: Mapping[str, Any],
    events: Sequence[Mapping[str, Any]],
    *,
    decision_ms: int,
    duration_ms: int,
) -> Attention:
    """What a stored vote tells: its account and its events, of recordings of this length.

    `events`: all, or those that `LOOKED_AT` finds.
    """
    shares = (heard_share(account, place, duration_ms) for place in ("first", "second", "x"))
    actions = [event["action"] for event in events]
    return Attention(
        heard_shares=tuple(share for share in shares if share is not None),
        hidden_times=actions.count(PlayerAction.HIDDEN),
        hidden_ms=_hidden_ms(events, decision_ms),
        seeks=actions.count(PlayerAction.SEEK),
    )


def heard_share(account: Mapping[str, Any], place: str, duration_ms: int) -> float | None:
    """Of one recording; none where the page did not tell."""
    told = account.get(f"covered_{place}")
    if told is None or duration_ms <= 0:
        return None
    parts = [(one["from_ms"], one["to_ms"]) for one in told]
    return covered_ms(parts, duration_ms) / duration_ms


def _hidden_ms(events: Sequence[Mapping[str, Any]], decision_ms: int) -> int:
    hidden_ms, since_ms = 0, None
    for event in events:
        if event["action"] == PlayerAction.HIDDEN and since_ms is None:
            since_ms = event["at_ms"]
        elif event["action"] == PlayerAction.VISIBLE and since_ms is not None:
            hidden_ms += max(event["at_ms"] - since_ms, 0)
            since_ms = None
    # A journal that was cut off, or a page that never said that it is back.
    if since_ms is not None:
        hidden_ms += max(decision_ms - since_ms, 0)
    return hidden_ms
