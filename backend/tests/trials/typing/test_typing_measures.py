"""What a typing session says of itself, made of keys whose times are known.

SPDX-License-Identifier: Apache-2.0
"""

import pytest

from thinlab.database.schema import Keystroke
from thinlab.live.clock_line import SAME_CLOCK, ClockLine
from thinlab.live.keystrokes import rows_of
from thinlab.live.messages import KeyKind
from thinlab.live.network import NetworkMeter, PageClock
from thinlab.live.record import KeyPressed, ScreenShown, SessionRecord
from thinlab.study.task import CopyTask, CorrectTask, FreeTask, HoldTask, first_text
from thinlab.trials.typing.measures import measures_of

COPY = CopyTask(kind="copy", text="A thin\nstream.", limit_s=60, least_keys=1)
HOLD = HoldTask(kind="hold", mark_column=10, limit_s=60)
FREE = FreeTask(kind="free", prompt="Anything.", limit_s=60, least_keys=1)


def key(
    number: int, pressed_ms: float, seen_ms: float | None = None, **fields: object
) -> Keystroke:
    """A key of a character, painted so long after it was pressed."""
    defaults = {
        "number": number,
        "kind": "character",
        "repeat": False,
        "pressed_us": round(pressed_ms * 1000),
        "painted_us": None if seen_ms is None else round(seen_ms * 1000),
    }
    return Keystroke(**(defaults | fields))


def test_nothing_typed_has_no_times() -> None:
    found = measures_of(COPY, "en", [], "")
    assert (found.keys, found.corrections, found.inter_key_p50_ms) == (0, 0, None)
    assert (found.echo.keys, found.echo.max_ms, found.lane_share_p50) == (0, None, None)
    assert found.errors_left == len("A thin\nstream.")


def test_echo_times_are_nearest_ranks_of_the_keys_that_were_seen() -> None:
    keys = [key(n, 200 * n, n) for n in range(1, 101)]
    keys.append(key(101, 30_000, None, screen_us=150_000))
    found = measures_of(COPY, "en", keys, None)
    assert (found.keys, found.echo.keys) == (101, 100)
    echo = found.echo
    assert (echo.p50_ms, echo.p95_ms, echo.p99_ms, echo.max_ms) == (50, 95, 99, 100)
    assert (found.echo_screen.keys, found.echo_screen.max_ms) == (1, 150)
    assert found.inter_key_p50_ms == 200
    assert found.errors_left is None


def test_the_lanes_share_is_from_socket_to_socket() -> None:
    one = key(1, 0, 200, key_written_us=10_000, echo_delivered_us=160_000)
    other = key(2, 500, None, key_written_us=10_000, echo_delivered_us=160_000)
    assert measures_of(COPY, "en", [one, other], None).lane_share_p50 == 0.75


def test_keys_that_appear_in_one_paint_are_a_burst() -> None:
    keys = [key(1, 0, 400), key(2, 150, 250), key(3, 300, 100), key(4, 900, 130)]
    found = measures_of(FREE, "en", keys, "abcd")
    assert (found.bursts.count, found.bursts.keys_max) == (1, 3)
    assert found.errors_left is None


@pytest.mark.parametrize("drift_share", [0.0, 5e-6, 20e-6, -100e-6])
@pytest.mark.parametrize("offset_us", [0.0, 1234.5])
def test_bursts_are_told_whatever_the_pages_clock_does(
    drift_share: float, offset_us: float
) -> None:
    bursts, of_keys, apart_us = 60, 3, 130_000
    record = SessionRecord(NetworkMeter(), ready_us=0)
    for number in range(1, bursts * of_keys + 1):
        pressed_us = number * apart_us
        record.keys[number] = KeyPressed(
            number, pressed_us, "a", KeyKind.CHARACTER, repeat=False, received_us=pressed_us
        )
    for burst in range(1, bursts + 1):
        last = burst * of_keys
        shown = ScreenShown(burst, b"", last, 0, came_us=0, forwarded_us=0)
        shown.painted_at_us = last * apart_us + 60_000
        record.screens[burst] = shown
    page = PageClock(at_us=0, offset_us=offset_us, drift_share=drift_share, uncertainty_us=100)
    rows = rows_of(record, ClockLine(page, SAME_CLOCK), keep_text=False)
    found = measures_of(FREE, "en", [Keystroke(**row) for row in rows], None).bursts
    assert (found.count, found.keys_max) == (bursts, of_keys)


def test_frames_that_follow_each_other_are_no_burst() -> None:
    # As fast as a screen of 240 Hz can show them.
    keys = [key(n, 100 * n, 50 - 95.83 * n) for n in range(1, 5)]
    found = measures_of(FREE, "en", keys, None).bursts
    assert (found.count, found.keys_max) == (0, 1)


def test_a_held_key_overshoots_what_its_finger_meant() -> None:
    first = key(1, 0, 100, released_us=None)
    held = [key(n, 470 + 30 * n, 130, repeat=True) for n in range(2, 13)]
    # The last keydown was at 830 ms, its finger was off at 840: what was painted later came after.
    held[-1] = key(12, 830, 130, repeat=True, released_us=10_000)
    slow_finger = [key(13, 2_000, 100), key(14, 2_500, 100, repeat=True)]
    found = measures_of(HOLD, "en", [first, *held, *slow_finger], None).holding
    assert found.count == 1
    assert (found.overshoot_p50, found.overshoot_max) == (2, 2)
    painted_ms = [470 + 30 * n + 130 for n in range(2, 12)] + [830 + 130]
    assert found.after_release_p50 == sum(at > 840 for at in painted_ms)
    assert measures_of(COPY, "en", [first, *held], None).holding.overshoot_max is None


def test_recoveries_are_counted_by_what_brought_the_bytes() -> None:
    kinds = ["none", "bundle", "timeout", "bundle", None, "never"]
    keys = [key(n, n, 1, key_recovery=kind) for n, kind in enumerate(kinds, start=1)]
    found = measures_of(COPY, "en", keys, None)
    assert found.key_recoveries.model_dump() == {"bundle": 2, "fast": 0, "timeout": 1, "never": 1}
    assert set(found.echo_recoveries.model_dump().values()) == {0}


def test_a_correction_is_a_backspace_and_errors_are_what_is_left() -> None:
    task = CorrectTask(kind="correct", text="A {tihn|thin} stream.", limit_s=60, least_keys=1)
    keys = [key(1, 0, 90, kind="backspace"), key(2, 100, 90, kind="backspace", repeat=True)]
    found = measures_of(task, "en", keys, "A thin stream.\n\n")
    assert (found.corrections, found.repeats, found.character_keys) == (2, 1, 0)
    assert found.errors_left == 0
    assert measures_of(task, "en", keys, "A tihn stream.\n").errors_left == 2


def test_enter_after_a_held_line_is_no_error_where_the_line_stands() -> None:
    filled, mark = "x" * 10 + "\n", " " * 9 + "^\n"
    by_arrows = (filled + mark) * 3
    by_enter = filled * 3 + (mark + "\n") * 3
    for text, errors in [
        (by_arrows, 0),
        (by_enter, 0),
        (filled + "x" * 12 + "\n" + mark + "\n" + mark, 12),
        (first_text(HOLD, "en"), 30),
    ]:
        assert measures_of(HOLD, "en", [], text).errors_left == errors
