"""How long hearing takes, whatever was fetched ahead.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import UTC, datetime, timedelta

import pytest

from thinlab.trials.listening.heard import Fetched, lack_s

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def at(fetched_s: float, takes_s: float) -> Fetched:
    return Fetched(NOON + timedelta(seconds=fetched_s), takes_s)


@pytest.mark.parametrize(
    ("trials", "now_s", "lack"),
    [
        # One trial takes what it takes.
        ([at(0, 10)], 0, 10),
        ([at(0, 10)], 4, 6),
        ([at(0, 10)], 10, 0),
        # Fetched ahead and heard one after another, offline perhaps: sent at once.
        ([at(0, 10), at(0, 10), at(1, 10)], 30, 0),
        ([at(0, 10), at(0, 10), at(1, 10)], 20, 10),
        # A long rest before is no time to hear what was fetched after it.
        ([at(0, 10), at(3600, 10)], 3605, 5),
        ([at(0, 10), at(3600, 10)], 3610, 0),
        # Nor is it any excuse that the trial before took longer.
        ([at(0, 10), at(9, 10)], 19, 1),
    ],
)
def test_nobody_hears_more_than_fits_into_the_time(
    trials: list[Fetched], now_s: float, lack: float
) -> None:
    assert lack_s(trials, NOON + timedelta(seconds=now_s)) == pytest.approx(lack)
    assert lack_s(reversed(trials), NOON + timedelta(seconds=now_s)) == pytest.approx(lack)
