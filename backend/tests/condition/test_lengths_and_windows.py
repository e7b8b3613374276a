"""How long packets are and how much is under way, wherever conditions are written.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any

import pytest
from pydantic import ValidationError

from thinlab.condition import words
from thinlab.condition.condition import Condition
from thinlab.condition.path import Direction
from thinlab.condition.transport import Baseline, Tcp, Transport, tells_itself
from thinlab.condition.written import WrittenCondition
from thinlab.demo.setting import DemoLane, DemoSettings
from thinlab.experiment.definition import Cell, Grid
from thinlab.recording.identity import condition_identity

SETTINGS = {"window_bytes": 32_768, "initial_window_packets": 1}
SHORT = {"rtt_ms": 20, "forward": {"mtu_bytes": 576}, "backward": {"mtu_bytes": 1000}}
PLAIN = {"rtt_ms": 20}
ONE_STREAM = {"message_bytes": 100, "iat_ms": 100}


def _meant(**said: Any) -> Condition:  # noqa: ANN401 (whatever a file has)
    return WrittenCondition.model_validate({"mode": "off", "path": PLAIN} | said).resolved


def _cells(**said: Any) -> list[Cell]:  # noqa: ANN401 (whatever a file has)
    grid = {"mode": "off", "path": PLAIN, "baseline": "modern"} | said
    return list(Grid.model_validate(ONE_STREAM | grid).cells())


def test_a_lane_is_asked_for_with_them() -> None:
    lane = _meant(path=SHORT, tcp=SETTINGS).to_lane(7)
    assert (lane.forward.mtu_bytes, lane.backward.mtu_bytes) == (576, 1000)
    assert (lane.tcp.window_bytes, lane.tcp.initial_window_packets) == (32_768, 1)
    assert not _meant().to_lane(7).HasField("tcp")
    (cell,) = _cells(path=SHORT, tcp=SETTINGS)
    of_grid = Condition(transport=cell.transport, path=cell.path).to_lane(7)
    assert (of_grid.tcp, of_grid.forward) == (lane.tcp, lane.forward)


def test_words_tell_them() -> None:
    said = words.ConditionWords.of(_meant(path=SHORT, tcp=SETTINGS))
    assert said.mode == "off (window ≤ 32768 bytes, begins with 1)"
    assert (said.there, said.back) == ("10 ms, packets ≤ 576 bytes", "10 ms, packets ≤ 1000 bytes")
    assert "MTU 576 bytes" in words.in_full(_meant(path=SHORT).path)


def test_what_was_not_said_before_changes_no_key() -> None:
    plain = condition_identity(_meant())
    assert "tcp" not in plain
    assert "mtu_bytes" not in plain["path"]["forward"]
    for more in ({"path": SHORT}, {"tcp": SETTINGS}):
        assert condition_identity(_meant(**more)) != plain
    assert condition_identity(_meant(tcp={"window_bytes": 0})) == plain
    # What another protocol sends is not of them.
    of_sctp = {"baseline": "lksctp"}
    assert condition_identity(_meant(tcp=SETTINGS, **of_sctp)) == condition_identity(
        _meant(**of_sctp)
    )


def test_grids_compare_them_under_the_same_losses() -> None:
    first, second = _cells(tcp=[{}, SETTINGS])
    assert first.seed(1, 0) == second.seed(1, 0)
    assert first.address != second.address
    # Each is compared with `off` under the same settings.
    assert first.situation != second.situation
    assert (first.mode_label, second.mode_label) == (
        "off",
        "off, window ≤ 32768 bytes, begins with 1",
    )
    # Addresses and seeds of what says nothing of them, as they were before.
    (plain,) = _cells()
    assert plain.address == "e0814b8c20af"
    assert plain.seed(1, 0) == 8588871145716260163


@pytest.mark.parametrize(
    ("said", "remedy"),
    [
        ({"path": {"rtt_ms": 20, "forward": {"mtu_bytes": 575}}}, "`mtu_bytes` is less than every"),
        ({"path": {"rtt_ms": 20, "forward": {"mtu_bytes": 1501}}}, "less than or equal to 1500"),
        ({"tcp": {"window_bytes": 4095}}, "give at least 4096, or 0"),
        ({"tcp": {"initial_window_packets": 65_536}}, "less than or equal to 65535"),
        ({"path": SHORT, "baseline": "udp"}, "`mtu_bytes` is of TCP alone, and `baseline: udp`"),
    ],
)
def test_what_cannot_be_is_refused(said: dict[str, Any], remedy: str) -> None:
    with pytest.raises(ValidationError, match=remedy):
        _meant(**said)
    with pytest.raises(ValidationError, match=remedy):
        _cells(**said)


def test_live_only_what_a_running_connection_follows_can_be_said() -> None:
    tcp = Tcp.model_validate(SETTINGS)
    with pytest.raises(ValidationError, match="count from a connection's beginning"):
        DemoLane(name=None, baseline=Baseline.MODERN, mechanisms=(), tcp=tcp)
    path = {
        way: Direction(delay_ms=10, mtu_bytes=576).model_dump() for way in ("forward", "backward")
    }
    lane: dict[str, Any] = {"name": None, "baseline": "modern", "mechanisms": []}
    demo = {"path": path, "lanes": [lane], "stream": {"kind": "microphone"}}
    assert DemoSettings.model_validate(demo).conditions()[0].path.forward.mtu_bytes == 576
    demo["lanes"] = [lane | {"baseline": "lksctp"}]
    with pytest.raises(ValidationError, match="`mtu_bytes` is of TCP alone"):
        DemoSettings.model_validate(demo)


def test_whoever_types_could_tell_what_a_connection_begins_with() -> None:
    assert tells_itself(Baseline.MODERN, (), Tcp()) == ""
    assert "whoever types could tell" in tells_itself(
        Baseline.MODERN, (), Tcp(initial_window_packets=1)
    )


def test_a_sender_without_tcp_has_no_settings_of_it() -> None:
    sctp = Transport(baseline=Baseline.LKSCTP, mechanisms=(), tcp=Tcp.model_validate(SETTINGS))
    assert sctp.in_use.tcp == Tcp()
