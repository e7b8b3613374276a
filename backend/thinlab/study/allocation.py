"""Which trial comes next, and which member is heard first: pure, balanced, random in ties.

What is balanced, over the participants that count: the orders of trials
(prefix by prefix), a trial's positions, and a trial's first member at each
position. Who counts is the caller's business: completed sessions and those
under way; abandoned and preview sessions do not.

SPDX-License-Identifier: Apache-2.0
"""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

MemberName = Literal["a", "b"]
MEMBERS: tuple[MemberName, MemberName] = ("a", "b")


@dataclass(frozen=True)
class Draw:
    """One presentation, as far as balance is concerned."""

    trial_id: str
    first_member: MemberName


Session = tuple[Draw, ...]
"""One participant's presentations so far, by position."""


def draw_next(
    mine: Sequence[Draw],
    trial_ids: Iterable[str],
    others: Counter[Session],
    chance: random.Random,
) -> Draw | None:
    """The next presentation for a participant, or none when all trials are drawn.

    `others` counts equal sessions of the other participants. Balance holds to
    within one where the number of participants allows it.
    """
    drawn = {draw.trial_id for draw in mine}
    remaining = [trial_id for trial_id in trial_ids if trial_id not in drawn]
    if not remaining:
        return None
    trial_id = _least(
        remaining, [_order_counts(mine, others), _position_counts(mine, others)], chance
    )
    position = len(mine)
    here: Counter[str] = Counter()
    anywhere: Counter[str] = Counter()
    for session, times in others.items():
        for index, draw in enumerate(session):
            if draw.trial_id == trial_id:
                anywhere[draw.first_member] += times
                if index == position:
                    here[draw.first_member] += times
    # Last, within the participant: not the same member first in every trial.
    own = Counter(draw.first_member for draw in mine)
    first: MemberName = (
        "a" if _least(MEMBERS, [here, anywhere, Counter(own)], chance) == "a" else "b"
    )
    return Draw(trial_id, first)


def _order_counts(mine: Sequence[Draw], others: Counter[Session]) -> Counter[str]:
    """How often each trial followed exactly the trials that this participant had."""
    order = [draw.trial_id for draw in mine]
    counts: Counter[str] = Counter()
    for session, times in others.items():
        if len(session) > len(order) and [draw.trial_id for draw in session[: len(order)]] == order:
            counts[session[len(order)].trial_id] += times
    return counts


def _position_counts(mine: Sequence[Draw], others: Counter[Session]) -> Counter[str]:
    """How often each trial came at this position."""
    counts: Counter[str] = Counter()
    for session, times in others.items():
        if len(session) > len(mine):
            counts[session[len(mine)].trial_id] += times
    return counts


def _least(names: Sequence[str], counts: Sequence[Counter[str]], chance: random.Random) -> str:
    """The name counted least, by the first count that tells; chance decides the rest."""
    scores = {name: tuple(count[name] for count in counts) for name in names}
    lowest = min(scores.values())
    return chance.choice([name for name in names if scores[name] == lowest])
