"""Rates, turns, and callers without names: pure, with clocks of their own.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from ipaddress import ip_network

import pytest

from thinlab.settings import SettingError, Settings
from thinlab.throttle.caller import KEY_LIFE_S, NOBODY, Bounded, Callers
from thinlab.throttle.rate import Rate
from thinlab.throttle.turnstile import BusyError, Room, Turnstile


def test_so_much_may_happen_and_no_more() -> None:
    rate = Rate(10, 3)
    assert [rate.allows(0) for _ in range(4)] == [True, True, True, False]
    assert rate.wait_s(0) == pytest.approx(0.1)
    assert rate.allows(0.1)
    assert not rate.allows(0.1)
    assert [rate.allows(60) for _ in range(4)] == [True, True, True, False]


def test_a_large_thing_takes_more() -> None:
    rate = Rate(10, 30)
    assert rate.allows(0, 25)
    assert not rate.allows(0, 25)
    assert rate.wait_s(0, 25) == pytest.approx(2)
    assert rate.allows(2, 25)


def test_a_caller_is_an_address_or_a_household() -> None:
    callers = Callers()

    def of(address: str | None) -> bytes:
        return callers.of(address, None, 0)

    assert of("192.0.2.1") == of("192.0.2.1") != of("192.0.2.2")
    assert of("::ffff:192.0.2.1") == of("192.0.2.1")
    assert of("2001:db8::1") == of("2001:db8::ffff:1") != of("2001:db8:0:1::1")
    assert of(None) == of("unix") == NOBODY
    assert b"192" not in of("192.0.2.1")


def test_a_caller_is_another_the_next_day_and_in_another_process() -> None:
    callers = Callers()
    today = callers.of("192.0.2.1", None, 0)
    assert callers.of("192.0.2.1", None, KEY_LIFE_S - 1) == today
    assert callers.of("192.0.2.1", None, KEY_LIFE_S + 1) != today
    assert Callers().of("192.0.2.1", None, 0) != today


def test_only_a_proxy_that_is_trusted_is_believed() -> None:
    plain, behind = Callers(), Callers([ip_network("10.0.0.0/8")])

    def same(callers: Callers, peer: str, forwarded: str | None, address: str) -> bool:
        return callers.of(peer, forwarded, 0) == callers.of(address, None, 0)

    assert same(plain, "10.0.0.1", "192.0.2.1", "10.0.0.1")
    assert same(behind, "10.0.0.1", "192.0.2.1", "192.0.2.1")
    assert same(behind, "::ffff:10.0.0.1", "192.0.2.1", "192.0.2.1")
    # Somebody who is no proxy claims to be another.
    assert same(behind, "198.51.100.7", "192.0.2.1", "198.51.100.7")
    # Somebody writes a header of their own, to which the proxy adds what it has seen.
    assert same(behind, "10.0.0.1", "203.0.113.9, 192.0.2.1", "192.0.2.1")
    assert same(behind, "10.0.0.1", "203.0.113.9, 192.0.2.1, 10.0.0.2", "192.0.2.1")
    assert behind.of("10.0.0.1", "no address", 0) == NOBODY


def test_what_is_remembered_is_bounded() -> None:
    made = iter(range(1000))
    kept = Bounded(lambda: next(made), 3)
    assert [kept[name] for name in "abc"] == [0, 1, 2]
    assert kept["a"] == 0
    assert kept["d"] == 3
    assert "b" not in kept
    assert len(kept) == 3


def room(**other: float) -> Room:
    figures = {"at_once": 1, "waiting_each": 3, "waiting": 5, "patience_s": 60} | other
    return Room(**figures)  # type: ignore[arg-type]


async def settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_turns_go_round_the_lines() -> None:
    turnstile, order = Turnstile(room()), []

    async def one(line: str, name: str) -> None:
        async with turnstile.turn(line):
            order.append(name)
            await asyncio.sleep(0)

    await asyncio.gather(*(one(name[0], name) for name in ("f0", "f1", "f2", "f3", "a1", "b1")))
    assert order == ["f0", "f1", "a1", "b1", "f2", "f3"]
    assert not turnstile.waiting


async def test_turns_go_round_the_networks_and_in_each_round_its_lines() -> None:
    turnstile, order = Turnstile(room(waiting=20)), []

    async def one(network: str, line: str | None, name: str) -> None:
        await turnstile.enter(network, line)
        order.append(name)
        await asyncio.sleep(0)
        turnstile.leave()

    crowd = [one("flood", f"made up {number}", f"f{number}") for number in range(5)]
    mates = [one("flood", None, "m0"), one("flood", None, "m1")]
    await asyncio.gather(*crowd, *mates, one("school", "a", "s0"), one("school", "b", "s1"))
    assert order == ["f0", "f1", "s0", "f2", "s1", "f3", "f4", "m0", "m1"]
    assert not turnstile.waiting


@pytest.mark.parametrize(
    ("network", "line", "sent_away"),
    [("school", None, "f4"), ("flood", "mate", "f4"), ("flood", "made up", "newcomer")],
)
async def test_where_no_more_may_wait_the_last_of_the_longest_line_makes_way(
    network: str, line: str | None, sent_away: str
) -> None:
    turnstile, refused, entered = Turnstile(room(waiting_each=9)), [], []

    async def one(network: str, line: str | None, name: str) -> None:
        try:
            await turnstile.enter(network, line)
        except BusyError:
            refused.append(name)
        else:
            entered.append(name)
            turnstile.leave()

    await turnstile.enter("flood")
    waiting = [
        asyncio.create_task(one("flood", "made up", f"f{number}"))
        for number in range(room().waiting)
    ]
    await settle()
    waiting.append(asyncio.create_task(one(network, line, "newcomer")))
    await settle()
    assert refused == [sent_away]
    assert turnstile.waiting == room().waiting
    turnstile.leave()
    await asyncio.gather(*waiting)
    assert len(entered) == room().waiting
    assert not turnstile.waiting


async def test_a_full_line_keeps_nobody_elses_out() -> None:
    turnstile = Turnstile(room())
    await turnstile.enter("flood")
    waiting = [asyncio.create_task(turnstile.enter("flood")) for _ in range(3)]
    await settle()
    with pytest.raises(BusyError):
        await turnstile.enter("flood")
    other = asyncio.create_task(turnstile.enter("other"))
    await settle()
    turnstile.leave()
    turnstile.leave()
    await other
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


async def test_who_gives_up_waits_no_longer_and_takes_no_place() -> None:
    turnstile = Turnstile(room(patience_s=0.01))
    await turnstile.enter("first")
    with pytest.raises(BusyError):
        await turnstile.enter("second")
    assert not turnstile.waiting
    gone = asyncio.create_task(turnstile.enter("third"))
    await settle()
    gone.cancel()
    await asyncio.gather(gone, return_exceptions=True)
    assert not turnstile.waiting
    turnstile.leave()
    await turnstile.enter("fourth")


async def test_a_place_given_to_who_just_left_is_not_lost() -> None:
    turnstile = Turnstile(room())
    await turnstile.enter("first")
    late = asyncio.create_task(turnstile.enter("second"))
    await settle()
    turnstile.leave()
    late.cancel()
    await asyncio.gather(late, return_exceptions=True)
    async with asyncio.timeout(1):
        await turnstile.enter("third")


def test_proxies_are_told_as_addresses_or_networks() -> None:
    told = Settings.read({"THINLAB_TRUSTED_PROXIES": "127.0.0.1, 10.0.0.0/8 fd00::/8"})
    assert told.trusted_proxies == tuple(
        ip_network(one) for one in ("127.0.0.1", "10.0.0.0/8", "fd00::/8")
    )
    with pytest.raises(SettingError, match="give addresses or networks"):
        Settings.read({"THINLAB_TRUSTED_PROXIES": "proxy"})
