"""How long recordings under way will still take, from how fast they went so far.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

# Before so much of a recording is done, its speed says nothing.
LEAST_DONE = 0.5


class Timed(Protocol):
    """What is needed of a job."""

    state: str
    share: float
    asked_at: datetime
    started_at: datetime | None


def time_left_s(jobs: Sequence[Timed], now: datetime) -> float | None:
    """Seconds until the open jobs are done, at the speed of those asked for with them.

    None when no job is open, or when it is too early to say.
    """
    still_open = [one for one in jobs if one.state in {"queued", "making"}]
    if not still_open:
        return None
    since = min(one.asked_at for one in still_open)
    batch = [one for one in jobs if one.asked_at >= since]
    begun = [one.started_at for one in batch if one.started_at is not None]
    done = sum(one.share for one in batch if one.state in {"making", "done"})
    if not begun or done < LEAST_DONE:
        return None
    elapsed_s = (now - min(begun)).total_seconds()
    return max(0.0, elapsed_s) / done * sum(1 - one.share for one in still_open)
