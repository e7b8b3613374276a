"""Every mode's terminal is ready after the same time: over the real lab, and with a delay planted.

SPDX-License-Identifier: Apache-2.0
"""

import pytest

from tests.live import test_real_lab
from tests.live.conftest import Room
from tests.live.time_to_ready import ready_leaks, ready_ms
from thinlab.live import pulse, starts, switchboard

pytestmark = pytest.mark.alone

agent = test_real_lab.agent
real_room = test_real_lab.room
ROUNDS = 12
DELAY_S = 0.1


@pytest.fixture(autouse=True)
def nobody_is_turned_away(monkeypatch: pytest.MonkeyPatch) -> None:
    # The sooner the lab is ready, the sooner all rounds together would be refused.
    monkeypatch.setattr(starts, "NETWORK_AT_ONCE", 1000.0)
    # Every mode begins at once, which is more than are prepared at a time. A page that is
    # turned away asks again, and its time would be no more that of its mode.
    monkeypatch.setattr(switchboard, "MOST_PREPARING", 1000)
    monkeypatch.setattr(pulse, "ADMIT_BELOW_LIMITS", 1000.0)
    monkeypatch.setattr(pulse, "ADMIT_BELOW_SHARE", 1000.0)


async def test_every_mode_is_ready_after_the_same_time(real_room: Room) -> None:
    assert ready_leaks(await ready_ms(real_room, ROUNDS)) == []


@pytest.mark.parametrize("mechanisms", [3])
async def test_a_longer_wait_for_one_mode_is_found(room: Room, mechanisms: int) -> None:
    room.lab.ready_after_s = lambda opened: (
        DELAY_S if len(opened.lane.mechanisms) == mechanisms else 0.0
    )
    (leak,) = ready_leaks(await ready_ms(room, 2 * ROUNDS))
    assert leak.startswith("time until ready: ")
