"""Who holds too many connections loses them first: pure.

SPDX-License-Identifier: Apache-2.0
"""

from ipaddress import ip_network

from thinlab.throttle.caller import NOBODY, Callers
from thinlab.web.doors import Doors


class Room:
    """Doors, and what was dropped."""

    def __init__(self, limit: int, limit_each: int) -> None:
        self.doors = Doors(Callers(), limit, limit_each)
        self.dropped: list[int] = []

    def opens(self, caller: bytes, number: int, *, idle: bool = True) -> bool:
        entered = self.doors.enter(caller)
        if entered and idle:
            self.doors.idle(caller, number, lambda: self._drop(caller, number))
        return entered

    def _drop(self, caller: bytes, number: int) -> None:
        self.dropped.append(number)
        self.doors.leave(caller, number)


def test_whoever_holds_most_gives_way_and_the_longest_idle_first() -> None:
    room = Room(4, 10)
    assert all(room.opens(b"flood", number) for number in (1, 2, 3))
    assert room.opens(b"other", 4)
    room.doors.asked(b"flood", 1)
    assert room.opens(b"newcomer", 5)
    assert room.dropped == [2]
    assert room.doors.count == 4


def test_nobody_is_cut_off_who_is_being_answered() -> None:
    room = Room(2, 10)
    assert all(room.opens(b"busy", number, idle=False) for number in (1, 2))
    assert not room.opens(b"newcomer", 3)
    assert room.dropped == []
    room.doors.leave(b"busy", 1)
    assert room.opens(b"newcomer", 3)


def test_a_network_with_too_many_loses_its_own() -> None:
    room = Room(100, 2)
    assert all(room.opens(b"flood", number) for number in (1, 2, 3))
    assert room.dropped == [1]
    assert room.opens(b"other", 4)
    assert not room.opens(b"flood", 5, idle=False) or room.dropped == [1, 2]


def test_whoever_gives_way_to_their_own_next_one_is_counted_for_it() -> None:
    room = Room(1, 10)
    assert room.opens(b"alone", 1)
    assert room.opens(b"alone", 2)
    room.doors.leave(b"alone", 2)
    assert (room.dropped, room.doors.count) == ([1], 0)


def test_what_a_proxy_opens_is_nobodys_in_particular() -> None:
    doors = Doors(Callers([ip_network("10.0.0.0/8")]), 100, 2)
    assert doors.caller_of("10.0.0.1", 0) == NOBODY
    assert doors.caller_of("192.0.2.1", 0) != NOBODY
    assert all(doors.enter(NOBODY) for _ in range(50))


def test_nothing_is_left_of_who_has_gone() -> None:
    room = Room(10, 10)
    assert room.opens(b"guest", 1)
    room.doors.leave(b"guest", 1)
    assert room.doors.count == 0
    assert not room.doors._held
