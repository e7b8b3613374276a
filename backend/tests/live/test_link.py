"""The link: nothing lost, doubled or out of order, whatever the network and the transports do.

SPDX-License-Identifier: Apache-2.0
"""

import random
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from thinlab.live.link import (
    AHEAD_LIMIT,
    COPIES,
    DATAGRAM_BYTES,
    FIRST_TIMEOUT_S,
    FRAME_MESSAGES,
    FRAMES_AT_ONCE,
    LEAST_TIMEOUT_S,
    TIMEOUT_RTTS,
    UNACKNOWLEDGED_LIMIT,
    UNACKNOWLEDGED_LIMIT_BYTES,
    Frame,
    Link,
    OverrunError,
    ProtocolError,
)


@dataclass
class Network:
    """Loses, doubles and reorders what is on its way; a cut drops all of it."""

    chance: random.Random
    lost_share: float
    doubled_share: float
    spread_s: float
    delay_s: float = 0.02
    under_way: list[tuple[float, int, Frame]] = field(default_factory=list)

    def carry(self, to: int, frames: list[Frame], now: float) -> None:
        for frame in frames:
            for _ in range(1 + (self.chance.random() < self.doubled_share)):
                if self.chance.random() >= self.lost_share:
                    at = now + self.delay_s + self.chance.random() * self.spread_s
                    self.under_way.append((at, to, frame))

    def next_at(self) -> float | None:
        return min((at for at, _, _ in self.under_way), default=None)

    def arrived(self, now: float) -> list[tuple[int, Frame]]:
        here = sorted((one for one in self.under_way if one[0] <= now), key=lambda one: one[0])
        self.under_way = [one for one in self.under_way if one[0] > now]
        return [(to, frame) for _, to, frame in here]


def simulate(
    network: Network, sends: list[tuple[float, int]], cuts: list[float], *, reliable: bool
) -> tuple[list[list[str]], list[list[str]]]:
    """What each side sent and what each received, until both are settled."""
    sides: list[Link[str]] = [Link(), Link()]
    sent: list[list[str]] = [[], []]
    received: list[list[str]] = [[], []]
    for side in sides:
        side.attach(reliable=reliable)
    events = sorted([(at, "send", side) for at, side in sends] + [(at, "cut", 0) for at in cuts])
    now = 0.0
    while events or network.under_way or not all(side.settled for side in sides):
        assert now < 600, "the link never settles"
        times = [events[0][0]] if events else []
        times += [at for at in (network.next_at(), *(side.due_at() for side in sides)) if at]
        now = max(now, min(times))
        while events and events[0][0] <= now:
            _, what, place = events.pop(0)
            if what == "send":
                message = f'"{place}-{len(sent[place])}"'
                sent[place].append(message)
                sides[place].send(message)
            else:
                network.under_way.clear()
                for side in sides:
                    side.detach()
                    side.attach(reliable=reliable)
        for to, frame in network.arrived(now):
            received[to] += sides[to].receive(frame.ack, frame.first, frame.messages, now)
        for place, side in enumerate(sides):
            network.carry(1 - place, side.frames(now), now)
    return sent, received


moments = st.floats(0, 5, allow_nan=False)


@given(
    seed=st.integers(0, 2**32),
    sends=st.lists(st.tuples(moments, st.integers(0, 1)), max_size=80),
    cuts=st.lists(moments, max_size=4),
    lost_share=st.floats(0, 0.6),
    doubled_share=st.floats(0, 0.5),
    spread_s=st.floats(0, 0.4),
)
@settings(max_examples=150)
def test_everything_arrives_once_and_in_order_over_datagrams(
    seed: int,
    sends: list[tuple[float, int]],
    cuts: list[float],
    lost_share: float,
    doubled_share: float,
    spread_s: float,
) -> None:
    network = Network(random.Random(seed), lost_share, doubled_share, spread_s)  # noqa: S311
    sent, received = simulate(network, sends, cuts, reliable=False)
    assert received == [sent[1], sent[0]]


@given(
    seed=st.integers(0, 2**32),
    sends=st.lists(st.tuples(moments, st.integers(0, 1)), max_size=60),
    cuts=st.lists(moments, max_size=6),
)
@settings(max_examples=80)
def test_reconnects_of_a_reliable_transport_lose_nothing(
    seed: int, sends: list[tuple[float, int]], cuts: list[float]
) -> None:
    # As TCP: in order until the cut, which takes what was under way with it.
    network = Network(random.Random(seed), 0, 0, 0)  # noqa: S311
    sent, received = simulate(network, sends, cuts, reliable=True)
    assert received == [sent[1], sent[0]]


@given(st.lists(st.integers(1, 2000), min_size=1, max_size=40))
def test_a_datagram_is_no_longer_than_fits_unless_one_message_is(sizes: list[int]) -> None:
    link: Link[str] = Link()
    link.attach(reliable=False)
    for size in sizes:
        link.send("x" * size)
        for frame in link.frames(0.0):
            assert len(frame.messages) == 1 or sum(map(len, frame.messages)) <= DATAGRAM_BYTES


def test_the_next_key_repairs_a_loss_without_a_timeout() -> None:
    page: Link[str] = Link()
    server: Link[str] = Link()
    page.attach(reliable=False)
    page.send("1")
    assert page.frames(0.0)[0].messages == ("1",)  # lost
    page.send("2")
    (frame,) = page.frames(0.1)
    assert frame.messages == ("1", "2")
    assert server.receive(frame.ack, frame.first, frame.messages, 0.12) == ["1", "2"]


def test_a_bundle_does_not_put_off_the_timeout_of_what_it_repeats() -> None:
    link: Link[str] = Link()
    link.attach(reliable=False)
    link.send("1")
    link.frames(0.0)
    link.send("2")
    link.frames(0.15)
    assert link.due_at() == FIRST_TIMEOUT_S
    (again,) = link.frames(FIRST_TIMEOUT_S)
    assert again.messages == ("1",)


def test_the_timeout_follows_the_round_trip_time_and_stays_above_its_floor() -> None:
    for rtt_s, timeout_s in ((0.004, LEAST_TIMEOUT_S), (0.2, 0.2 * TIMEOUT_RTTS)):
        link: Link[str] = Link()
        link.attach(reliable=False)
        link.send("1")
        link.frames(0.0)
        link.receive(1, 1, (), rtt_s)
        link.send("2")
        link.frames(1.0)
        assert link.due_at() == pytest.approx(1.0 + timeout_s)


def test_a_round_trip_is_counted_from_the_first_sending() -> None:
    link: Link[str] = Link()
    link.attach(reliable=False)
    link.send("1")
    link.frames(0.0)
    link.frames(FIRST_TIMEOUT_S)
    link.receive(1, 1, (), FIRST_TIMEOUT_S + 0.001)
    assert link.srtt_s == pytest.approx(FIRST_TIMEOUT_S + 0.001)


def test_what_an_older_transport_carried_is_no_sample() -> None:
    link: Link[str] = Link()
    link.attach(reliable=False)
    link.send("1")
    link.frames(0.0)
    link.attach(reliable=False)
    link.frames(1.0)
    link.receive(1, 1, (), 1.001)
    assert link.srtt_s is None


def test_a_path_that_becomes_slow_is_not_filled_with_copies() -> None:
    """A busy machine is one: what is sent again for nothing keeps it busy."""
    network = Network(random.Random(1), 0, 0, 0, delay_s=0.01)  # noqa: S311
    count = 0
    carry = network.carry

    def counted(to: int, frames: list[Frame], now: float) -> None:
        nonlocal count
        count += len(frames)
        # Slow after ten seconds: a round trip of two.
        network.delay_s = 0.01 if now < 10 else 1.0
        carry(to, frames, now)

    network.carry = counted  # type: ignore[method-assign]
    sends = [(number / 8, number % 2) for number in range(8 * 60)]
    sent, received = simulate(network, sends, [], reliable=False)
    assert received == [sent[1], sent[0]]
    # Each message and its acknowledgement, and what was sent again until it was found out.
    assert count < 2.5 * len(sends)


def test_newer_messages_take_one_along_a_few_times_only() -> None:
    link: Link[str] = Link()
    link.attach(reliable=False)
    carried = []
    for number in range(20):
        link.send(str(number))
        (frame,) = link.frames(number * 0.001)
        carried.append(frame.messages)
    assert max(map(len, carried)) == 1 + COPIES
    assert sum("0" in messages for messages in carried) == 1 + COPIES


def test_a_timeout_sends_one_datagram_and_the_next_waits_for_an_answer_or_a_timeout() -> None:
    link: Link[str] = Link()
    link.attach(reliable=False)
    for _ in range(4):
        link.send("x" * 1000)
    assert len(link.frames(0.0)) == 4
    assert [frame.first for frame in link.frames(FIRST_TIMEOUT_S)] == [1]
    assert link.frames(FIRST_TIMEOUT_S) == []
    assert link.due_at() == 2 * FIRST_TIMEOUT_S
    link.receive(1, 1, (), FIRST_TIMEOUT_S + 0.1)
    assert [frame.first for frame in link.frames(2.0)] == [2]


def test_much_that_is_new_leaves_as_there_is_room() -> None:
    link: Link[str] = Link()
    for _ in range(2 * FRAMES_AT_ONCE):
        link.send("x" * 1000)
    link.attach(reliable=False)
    assert len(link.frames(0.0)) == FRAMES_AT_ONCE
    assert link.has_more
    assert len(link.frames(0.0)) == FRAMES_AT_ONCE
    assert not link.has_more


def test_a_duplicate_is_acknowledged_again_and_an_acknowledgement_is_not() -> None:
    link: Link[str] = Link()
    link.attach(reliable=False)
    link.frames(0.0)
    for _ in range(2):
        link.receive(0, 1, ("1",), 0.0)
        assert link.frames(0.0) == [Frame(1, 1)]
    link.receive(0, 2, (), 0.0)
    assert link.frames(0.0) == []


def test_a_link_holds_only_so_much() -> None:
    link: Link[str] = Link()
    for _ in range(UNACKNOWLEDGED_LIMIT):
        link.send("x")
    with pytest.raises(OverrunError):
        link.send("x")
    one: Link[str] = Link()
    with pytest.raises(OverrunError):
        one.send("x" * (UNACKNOWLEDGED_LIMIT_BYTES + 1))


def test_a_frame_holds_no_more_messages_than_the_other_side_takes() -> None:
    link: Link[str] = Link()
    for _ in range(1200):
        link.send("x")
    link.attach(reliable=True)
    frames = link.frames(0.0)
    assert [len(frame.messages) for frame in frames] == [FRAME_MESSAGES, FRAME_MESSAGES, 176]
    assert [frame.first for frame in frames] == [1, 513, 1025]


def test_what_overtakes_a_missing_message_is_kept_within_bounds() -> None:
    link: Link[str] = Link()
    link.attach(reliable=False)
    many = [str(number) for number in range(2, 2000)]
    assert link.receive(0, 2, many, 0.0) == []
    assert link.receive(0, 1, ["1"], 0.0) == [str(number) for number in range(1, AHEAD_LIMIT + 1)]
    # The rest is not acknowledged, so it comes again.
    assert link.frames(0.0)[0].ack == AHEAD_LIMIT


def test_what_was_never_sent_cannot_be_acknowledged() -> None:
    with pytest.raises(ProtocolError):
        Link[str]().receive(1, 1, (), 0.0)


def test_without_a_transport_nothing_is_sent() -> None:
    link: Link[str] = Link()
    link.send("1")
    assert link.frames(0.0) == []
    assert link.due_at() is None
    link.attach(reliable=True)
    assert link.frames(0.0)[0].messages == ("1",)
    assert link.frames(9.0) == []
