"""The time that recordings still take, as the researcher is told.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from thinlab.recording.time_left import time_left_s

START = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass
class Job:
    """As much of one as the estimate needs."""

    state: str
    share: float = 0.0
    asked_at: datetime = START
    started_at: datetime | None = START


def after(seconds: float) -> datetime:
    """So long after the first was begun."""
    return START + timedelta(seconds=seconds)


def test_what_is_left_goes_on_at_the_speed_so_far() -> None:
    jobs = [Job("done", 1.0), Job("making", 0.5), Job("queued", started_at=None)]
    # One and a half in 30 s; one and a half are left.
    assert time_left_s(jobs, after(30)) == pytest.approx(30)


def test_earlier_batches_say_nothing_about_this_one() -> None:
    long_ago = START - timedelta(days=1)
    old = [Job("done", 1.0, long_ago, long_ago)] * 50
    jobs = [*old, Job("done", 1.0), Job("making", 0.0)]
    assert time_left_s(jobs, after(10)) == pytest.approx(10)


def test_it_is_not_said_too_early_nor_too_late() -> None:
    assert time_left_s([Job("making", 0.1), Job("queued", started_at=None)], after(5)) is None
    assert time_left_s([Job("queued", started_at=None)], after(5)) is None
    assert time_left_s([Job("done", 1.0), Job("failed", 0.3)], after(5)) is None
    assert time_left_s([], after(5)) is None
