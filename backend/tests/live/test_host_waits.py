"""How long keys waited for our own machines.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any

from thinlab.live.host_waits import Standstill, longest_ms

READY_US = 1_000_000_000


def key(pressed_ms: float = 0.0, **stamps_ms: float) -> dict[str, Any]:
    """A key whose every step took a millisecond, and a lane of 65 ms each way, but as told."""
    steps = {
        "backend_received": 5.0,
        "agent_received": 1.0,
        "pty_written": 1.0,
        "key_written": 1.0,
        "key_delivered": 65.0,
        "echo_written": 1.0,
        "echo_delivered": 65.0,
        "screen": 1.0,
        "agent_forwarded": 1.0,
        "backend_forwarded": 1.0,
    } | stamps_ms
    at_ms, row = 0.0, {"pressed_us": round(pressed_ms * 1000)}
    for name, took_ms in steps.items():
        at_ms += took_ms
        row[f"{name}_us"] = round(at_ms * 1000)
    return row


def test_nobody_waits_where_nothing_was_typed() -> None:
    assert longest_ms([], READY_US) is None


def test_what_the_lane_and_the_participants_network_take_is_not_the_hosts() -> None:
    keys = [key(), key(key_delivered=4_000.0, echo_delivered=3_000.0, backend_received=900.0)]
    assert longest_ms(keys, READY_US) == 7.0


def test_every_stage_of_a_key_counts_and_the_longest_key_of_all() -> None:
    for stage in ("agent_received", "pty_written", "key_written", "echo_written", "screen"):
        keys = [key(), key(**{stage: 1_500.0}), key()]
        assert longest_ms(keys, READY_US) == 6.0 + 1_500.0
    several = key(pty_written=100.0, screen=100.0, backend_forwarded=100.0)
    assert longest_ms([several], READY_US) == 4.0 + 300.0


def test_a_key_without_an_echo_counts_as_far_as_it_was_seen() -> None:
    lost = key(pty_written=700.0)
    for name in ("key_delivered", "echo_written", "echo_delivered", "screen", "agent_forwarded"):
        lost[f"{name}_us"] = None
    lost["backend_forwarded_us"] = None
    assert longest_ms([lost], READY_US) == 2.0 + 700.0


def test_clocks_that_differ_by_a_little_take_nothing_off() -> None:
    assert longest_ms([key(agent_received=-0.5, pty_written=100.0)], READY_US) == 105.0


def test_what_the_server_slept_through_counts_where_a_key_waited_for_it() -> None:
    pressed = key(pressed_ms=1_000, backend_received=400.0)
    began_us = READY_US + 1_050_000
    asleep = Standstill(began_us, began_us + 300_000)
    before = Standstill(READY_US, READY_US + 900_000)
    after = Standstill(READY_US + 1_500_000, READY_US + 1_900_000)
    assert longest_ms([pressed], READY_US, [before, asleep, after]) == 7.0 + 300.0
