"""A task's time, and what does not pass of it.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.live.task_clock import TaskClock


def test_time_passes_from_go_on_and_ends_at_nothing() -> None:
    clock = TaskClock(60.0)
    assert clock.left_s(1_000.0) == 60.0
    clock.go(1_000.0)
    assert [clock.left_s(now_s) for now_s in (1_000.0, 1_015.0, 1_060.0, 1_061.0)] == [60, 45, 0, 0]


def test_what_stands_still_is_not_lost() -> None:
    clock = TaskClock(60.0)
    clock.go(0.0)
    clock.stand(10.0)
    assert clock.left_s(500.0) == 50.0
    clock.go(500.0)
    # Told twice.
    clock.go(510.0)
    assert clock.left_s(520.0) == 30.0
    clock.stand(520.0)
    clock.stand(600.0)
    assert clock.left_s(1_000.0) == 30.0
