"""Position errors of games made by hand, whose errors follow from arithmetic.

SPDX-License-Identifier: Apache-2.0
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from thinlab.experiment.tanks.error import NEVER_NS, STEP_NS, TANK_UNITS, Found, Heard, measure
from thinlab.experiment.tanks.known import States

S = 1_000_000_000
SPEED = 20.0
# An error is taken in the middle of a step, and so without what it grows in half a one, and shares
# of the time are whole steps.
STEP_S = STEP_NS / S
STEP_UNITS = SPEED * STEP_S


@dataclass(frozen=True)
class Said:
    """A message about a tank: what it says, when it left, and when it came."""

    row: tuple[float, ...]
    sent_s: float
    came_s: float
    game: int = 0
    over_s: float = 100.0
    old_s: float = 0.0


def drives(
    x: float, *, speed: float = SPEED, turning: float = 0.0, player: int = 1
) -> tuple[float, ...]:
    """Eastwards from `x`."""
    return (player, x, 0.0, 0.0, speed, 0.0, 0.0, turning, 0, 0.0)


def nowhere(player: int = 1) -> tuple[float, ...]:
    return (player,)


def ns(seconds: float) -> int:
    return NEVER_NS if math.isinf(seconds) else round(seconds * S)


def found(*said: Said) -> Found:
    """What the player sees who reads these."""
    return measure(
        Heard(
            states=States.of(tuple(one.row for one in said)),
            which=np.arange(len(said)),
            holds_ns=np.array([ns(one.sent_s - one.old_s) for one in said]),
            sent_ns=np.array([ns(one.sent_s) for one in said]),
            came_ns=np.array([ns(one.came_s) for one in said]),
            game=np.array([one.game for one in said]),
            over_ns=np.array([ns(one.over_s) for one in said]),
        )
    )


def straight_on(delays_s: Sequence[float]) -> Found:
    """A tank that drives straight, a message a second."""
    came_s = np.maximum.accumulate([at + delay for at, delay in enumerate(delays_s)])
    return found(
        *(
            Said(drives(SPEED * at), at, came, over_s=len(delays_s))
            for at, came in enumerate(came_s)
        )
    )


def test_a_tank_that_drives_straight_is_where_it_is_seen_however_late_its_messages_are() -> None:
    seen = straight_on([0.1, 0.1, 0.7, 2.5, 0.1, 0.4])
    # From when the first message came.
    assert seen.error.seconds == pytest.approx(5.9)
    for one in (seen.error, seen.beyond_path):
        assert one.highest == pytest.approx(0, abs=1e-9)
        assert one.over_half_a_tank_share == 0
    assert seen.jump_highest == pytest.approx(0, abs=1e-9)


def test_a_tank_that_stops_is_seen_to_drive_on_until_that_comes() -> None:
    # It stops after 1 s, at 20; the news takes 0.4 s, of which the path needs 0.1.
    seen = found(
        Said(drives(0), 0, 0.1),
        Said(drives(20, speed=0), 1, 1.4, over_s=10),
    )
    assert seen.error.seconds == pytest.approx(9.9)
    # Up to 8 units too far, all errors between alike often.
    assert seen.error.highest == pytest.approx(8, abs=STEP_UNITS)
    assert seen.error.mean == pytest.approx(4 * 0.4 / 9.9)
    assert seen.error.over_half_a_tank_share == pytest.approx(0.25 / 9.9, abs=STEP_S / 9.9)
    assert seen.error.over_a_tank_share == pytest.approx(0.1 / 9.9, abs=STEP_S / 9.9)
    # It is 0 for all the rest of the time: 5 % of it are 0.495 s, 1 % 0.099 s.
    assert seen.error.p95 == 0
    assert seen.error.p99 == pytest.approx(20 * (0.4 - 0.099), abs=STEP_UNITS)
    assert seen.jump_highest == pytest.approx(8)
    # A path that loses nothing would have shown the first 2 of these units as well.
    assert seen.beyond_path.highest == pytest.approx(8, abs=STEP_UNITS)
    assert seen.beyond_path.mean == pytest.approx(5 * 0.3 / 9.9)


def test_a_tank_that_turns_is_off_by_what_the_arc_is_off_the_line() -> None:
    # A quarter of a circle of radius 20 in 90 degrees a second, told 1 s late.
    turning = math.pi / 2
    arc = drives(0, speed=20 * turning, turning=turning)
    seen = found(
        Said(drives(0, speed=20 * turning), 0, 0.0),
        Said(arc, 0.0, 1.0, over_s=2),
    )
    # Straight on it would be at (31.4, 0); it is at (20, 20).
    apart = math.dist((20 * turning, 0), (20, 20))
    assert seen.jump_highest == pytest.approx(apart)
    # The two part at up to 44 units a second.
    assert seen.error.highest == pytest.approx(apart, abs=1.5 * STEP_UNITS)
    # What it turns by itself, it is seen to turn.
    assert seen.error.over_a_tank_share < 0.5


def test_two_messages_lost_together_come_together_and_make_one_jump() -> None:
    seen = found(
        Said(drives(0), 0, 0.1),
        Said(drives(20, speed=0), 1, 2.5),
        Said(drives(20, speed=-SPEED), 2, 2.5, over_s=4),
    )
    # At 2.5 s it is seen at 50, and is at 10; that it stood at 20 is never seen.
    assert seen.jump_highest == pytest.approx(40)
    assert seen.jump_p99 == pytest.approx(40, rel=0.02)
    assert seen.error.highest == pytest.approx(40, abs=STEP_UNITS)
    # Up to 20 within the second that it stands, then 40 units a second apart.
    assert seen.error.mean == pytest.approx((10 * 1 + 30 * 0.5) / 3.9)


def test_a_message_that_never_comes_is_a_message_that_is_not_seen() -> None:
    seen = found(Said(drives(0), 0, 0.1), Said(drives(20, speed=0), 1, math.inf, over_s=3))
    assert seen.error.seconds == pytest.approx(2.9)
    assert seen.error.highest == pytest.approx(40, abs=STEP_UNITS)
    assert seen.jump_highest == 0


def test_a_message_counts_from_when_its_player_said_it() -> None:
    # The same news a second old when the server sends it: the tank has stood ever since.
    old = found(
        Said(drives(0), 0, 0.0),
        Said(drives(10), 1.0, 1.5, old_s=0.5, over_s=2),
    )
    assert old.error.highest == pytest.approx(0, abs=1e-9)


def test_only_a_tank_that_lives_by_both_counts() -> None:
    seen = found(
        Said(drives(0), 0, 0.1),
        # Killed; the player sees it drive on, and there is no error in that.
        Said(nowhere(), 1, 1.5),
        # It lives again, far away: the player does not see it for half a second.
        Said((1, 300.0, 0.0, 0.0), 3, 3.5, over_s=5),
    )
    # 0.1 to 1 s, and 3.5 to 5 s.
    assert seen.error.seconds == pytest.approx(0.9 + 1.5)
    assert seen.error.highest == 0
    assert seen.jump_highest == 0


def test_a_life_that_ended_unseen_is_no_error() -> None:
    seen = found(
        Said(drives(0), 0, 0.1),
        Said(nowhere(), 1, 4.5),
        Said((1, 300.0, 0.0, 0.0), 3, 4.5, over_s=5),
    )
    assert seen.error.seconds == pytest.approx(0.9 + 0.5)
    assert seen.error.highest == seen.jump_highest == 0


def test_a_game_that_begins_again_has_nothing_to_do_with_the_one_before() -> None:
    seen = found(
        Said(drives(0), 0, 0.1, over_s=1),
        # The next one begins at 5 s, elsewhere. In between nothing is on.
        Said(drives(300), 5, 5.1, game=1, over_s=6),
    )
    assert seen.error.seconds == pytest.approx(0.9 + 0.9)
    assert seen.error.highest == seen.jump_highest == 0


def test_tanks_are_told_apart_and_weigh_by_their_time() -> None:
    stops = [Said(drives(0), 0, 0.1), Said(drives(20, speed=0), 1, 1.4)]
    stands = [
        Said(drives(-50, speed=0, player=2), 0, 0.1),
        Said(drives(-50, speed=0, player=2), 1, 1.1),
    ]
    alone = found(*[Said(one.row, one.sent_s, one.came_s, over_s=10) for one in stops])
    both = found(
        *[
            Said(one.row, one.sent_s, one.came_s, over_s=10)
            for one in (stops[0], stands[0], stands[1], stops[1])
        ]
    )
    assert both.error.seconds == pytest.approx(2 * alone.error.seconds)
    assert both.error.mean == pytest.approx(alone.error.mean / 2)
    assert both.error.highest == alone.error.highest


def test_a_tank_in_the_air_falls_and_does_not_turn() -> None:
    jumps = (1, 0.0, 0.0, 0.0, SPEED, 0.0, 9.8, 1.0, 1, 0.0)
    lands = (1, 40.0, 0.0, 0.0, SPEED, 0.0, 0.0, 0.0, 0, 0.0)
    seen = found(Said(jumps, 0, 0.1), Said(lands, 2, 2.7, over_s=4))
    # Up and down takes two seconds; then it stays on the ground until the news comes.
    assert seen.error.highest == pytest.approx(0, abs=1e-6)


def test_the_curve_is_the_share_of_time_at_or_below_each_error() -> None:
    seen = found(Said(drives(0), 0, 0.0), Said(drives(20, speed=0), 1, 2.0, over_s=4))
    curve = dict(seen.error.points)
    # One second of four, with errors from 0 to 20.
    assert curve[0.0] == pytest.approx(0.75)
    assert max(curve.values()) == curve[seen.error.highest] == 1
    assert list(curve) == sorted(curve)
    assert list(curve.values()) == sorted(curve.values())
    below = max(units for units in curve if units <= TANK_UNITS)
    assert curve[below] == pytest.approx(0.75 + 0.25 * below / 20, abs=1e-3)


def test_nobody_who_is_told_nothing_has_an_error() -> None:
    assert found(Said(nowhere(), 0, 0.1)).error.seconds == 0
