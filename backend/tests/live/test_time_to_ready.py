"""Every mode is ready, and over, after the same time: over the real lab, and with a delay planted.

SPDX-License-Identifier: Apache-2.0
"""

import pytest

from tests.live import test_real_lab
from tests.live.conftest import Room
from tests.live.time_to_ready import OF_EACH_MODE, OF_EACH_PROTOCOL, ended_ms, ready_ms, time_leaks
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.lab.terminal import TerminalEnded
from thinlab.live import pulse, starts, switchboard
from thinlab.live.session import TypingSession
from thinlab.trials.typing import hiding_waits

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
    assert time_leaks("ready", await ready_ms(real_room, ROUNDS, OF_EACH_MODE)) == []


async def test_over_every_protocol_a_terminal_is_shown_after_the_same_time(real_room: Room) -> None:
    assert time_leaks("ready", await ready_ms(real_room, ROUNDS, OF_EACH_PROTOCOL)) == []


async def test_over_every_protocol_a_session_is_over_after_the_same_time(
    real_room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_s: list[float] = []
    end = TypingSession._end

    def look(session: TypingSession, ended: TerminalEnded) -> None:
        over_at = session._acted_at + session.limits.waits.over_after_s
        left_s.append(over_at - session._loop.time())
        end(session, ended)

    monkeypatch.setattr(TypingSession, "_end", look)
    times_ms = await ended_ms(real_room, ROUNDS, OF_EACH_PROTOCOL)
    assert time_leaks("the end", times_ms) == []
    # Few rounds: what two in three sessions take longer, for a SACK, would not be sure yet. But
    # each lane was over while its page was still to wait: whatever it took is hidden by that. Of
    # the 1.4 s that there are it takes half a second, so that no short standstill spoils this.
    assert len(left_s) == ROUNDS * len(OF_EACH_PROTOCOL)
    assert min(left_s) > 0


@pytest.mark.parametrize("mechanisms", [3])
async def test_a_longer_wait_for_one_mode_is_found(room: Room, mechanisms: int) -> None:
    room.lab.ready_after_s = lambda opened: (
        DELAY_S if len(opened.lane.mechanisms) == mechanisms else 0.0
    )
    (leak,) = time_leaks("ready", await ready_ms(room, 2 * ROUNDS, OF_EACH_MODE))
    assert leak.startswith("time until ready: ")


@pytest.mark.parametrize("planted_s", [DELAY_S, 5 * DELAY_S])
async def test_what_a_protocol_takes_longer_is_hidden_and_no_more(
    room: Room, monkeypatch: pytest.MonkeyPatch, planted_s: float
) -> None:
    # No lane is in this: what is left of the wait is a delayed SACK's.
    monkeypatch.setattr(hiding_waits, "ROUND_TRIPS_TO_READY", 0)
    monkeypatch.setattr(hiding_waits, "BESIDE_MS", 0.0)
    room.lab.ready_after_s = lambda opened: (
        planted_s if opened.lane.baseline == pb.BASELINE_LKSCTP else 0.0
    )
    leaks = time_leaks("ready", await ready_ms(room, 2 * ROUNDS, OF_EACH_PROTOCOL))
    assert bool(leaks) == (planted_s > DELAY_S)
