"""What one way of writing a condition can say, all can, and they mean the same.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from thinlab.condition import profiles, words
from thinlab.condition.condition import Condition
from thinlab.condition.profile import Profile
from thinlab.condition.transport import (
    PAPERS,
    SETS,
    SHIPPED,
    Bundling,
    Mechanism,
    mechanisms_of,
    mode_of,
)
from thinlab.condition.written import WrittenCondition, WrittenPath
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.demo.setting import DemoSettings
from thinlab.demo.take_request import lanes_of
from thinlab.experiment.definition import Grid

THERE = {
    "delay_ms": 20.5,
    "jitter_ms": 8,
    "gilbert_elliott": {"good_to_bad_share": 0.02, "bad_to_good_share": 0.3},
    "rate_kbit_per_s": 512,
    "queue_bytes": 30_000,
    "queue_discipline": "red",
    "ecn": True,
}
BACK = {
    "delay_ms": 90,
    "loss_share": 0.01,
    "queue_packets": 40,
    "corrupt_share": 0.003,
    "reorder_share": 0.2,
    "duplicate_share": 0.1,
    "rate_kbit_per_s": 9.6,
    "bit_errors": {"good_ms": 2000, "bad_ms": 30, "error_share_bad": 0.01, "tick_ms": 7.5},
}
PATH = {"forward": THERE, "backward": BACK}
BUNDLING = {
    "max_bytes": 600,
    "max_packets": 2,
    "hidden_loss_response": "reduce_window",
    "min_iat_ms": 12,
}
MODE = "linear_timeouts+bundling"
SEED = 7


def of_a_study() -> pb.LaneSpec:
    """As a study's file has it."""
    written = WrittenCondition.model_validate(
        {"mode": MODE, "baseline": "modern", "bundling": BUNDLING, "path": PATH}
    )
    return written.resolved.to_lane(SEED)


def of_an_experiment() -> pb.LaneSpec:
    """As a grid has it."""
    grid = Grid.model_validate(
        {
            "baseline": "modern",
            "mode": MODE,
            "bundling": BUNDLING,
            "path": PATH,
            "message_bytes": 100,
            "iat_ms": 100,
        }
    )
    (cell,) = grid.cells()
    return Condition(transport=cell.transport, path=cell.path).to_lane(SEED)


def of_a_demo() -> pb.LaneSpec:
    """As a console has it."""
    settings = DemoSettings.model_validate(
        {
            "path": PATH,
            "lanes": [
                {
                    "name": None,
                    "baseline": "modern",
                    "mechanisms": ["bundling", "linear_timeouts"],
                    "bundling": BUNDLING,
                }
            ],
            "stream": {"kind": "microphone"},
        }
    )
    return lanes_of(settings, SEED)[0]


def test_every_way_of_writing_says_all_of_it() -> None:
    lane = of_a_study()
    assert lane == of_an_experiment() == of_a_demo()
    assert lane == pb.LaneSpec(
        forward=pb.Path(
            delay_us=20_500,
            jitter_us=8_000,
            gilbert_elliott=pb.GilbertElliottLoss(
                good_to_bad_share=0.02, bad_to_good_share=0.3, loss_share_bad=1
            ),
            rate_bit_per_s=512_000,
            queue_bytes=30_000,
            queue_discipline=pb.QUEUE_DISCIPLINE_RED,
            ecn=True,
        ),
        backward=pb.Path(
            delay_us=90_000,
            uniform=pb.UniformLoss(loss_share=0.01),
            queue_packets=40,
            corrupt_share=0.003,
            reorder_share=0.2,
            duplicate_share=0.1,
            rate_bit_per_s=9_600,
            bit_errors=pb.BitErrors(
                good_us=2_000_000, bad_us=30_000, error_share_bad=0.01, tick_us=7_500
            ),
        ),
        baseline=pb.BASELINE_MODERN,
        mechanisms=[pb.MECHANISM_LINEAR_TIMEOUTS, pb.MECHANISM_BUNDLING],
        seed=SEED,
        bundling=pb.Bundling(
            max_bytes=600,
            max_packets=2,
            hidden_loss_response=pb.HIDDEN_LOSS_RESPONSE_REDUCE_WINDOW,
            min_iat_us=12_000,
        ),
    )


def test_settings_of_bundling_are_sent_only_where_it_is_on() -> None:
    written = {"bundling": BUNDLING, "path": {"rtt_ms": 10}}
    off = WrittenCondition.model_validate({"mode": "off", **written}).resolved
    assert not off.to_lane(SEED).HasField("bundling")
    assert "600" not in words.transport(off.transport)
    on = WrittenCondition.model_validate({"mode": "bundling", **written}).resolved
    assert on.to_lane(SEED).bundling.max_bytes == 600
    assert words.transport(on.transport) == (
        "Bundling (reduces the window, ≤ 600 bytes, ≤ 2 earlier, from 12 ms between segments), "
        "on NewReno (2008)"
    )


@pytest.mark.parametrize("profile", profiles.NAMED, ids=lambda one: one.name)
def test_a_named_path_is_the_path(profile: Profile) -> None:
    condition = {"mode": "off", "path": profile.name}
    assert WrittenCondition.model_validate(condition).resolved.path == profile.path
    assert profiles.of_path(profile.path) is profile
    assert profile.source


@pytest.mark.parametrize(
    "path",
    [
        {},
        {"forward": {"delay_ms": 1}},
        {"rtt_ms": 2, "forward": {"delay_ms": 1}},
        {"rtt_ms": 2, "forward": {"delay_ms": 1}, "backward": {"delay_ms": 1}},
    ],
)
def test_a_path_has_one_kind_of_delay(path: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="give `rtt_ms`, or `delay_ms`"):
        WrittenPath.model_validate(path)


@pytest.mark.parametrize("path", [{"rtt_ms": 130.25}, PATH])
def test_a_path_can_be_written_again(path: dict[str, Any]) -> None:
    meant = WrittenPath.model_validate(path).resolved()
    assert WrittenPath.of(meant) == WrittenPath.model_validate(path)
    assert WrittenPath.of(meant).resolved() == meant


def test_a_mode_is_a_name_or_several() -> None:
    modes = TypeAdapter(WrittenCondition)
    for mode, mechanisms in {
        "off": (),
        "bundling": (Mechanism.BUNDLING,),
        "bundling+linear_timeouts": (Mechanism.LINEAR_TIMEOUTS, Mechanism.BUNDLING),
        "all": PAPERS,
        "recommended": SHIPPED,
        "all_of_sctp": SETS["all_of_sctp"],
    }.items():
        baseline = "lksctp" if mode == "all_of_sctp" else "newreno2008"
        written = {"mode": mode, "baseline": baseline, "path": "clean"}
        read = modes.validate_python(written).resolved
        assert read.transport.mechanisms == mechanisms
        assert mechanisms_of(mode_of(mechanisms)) == mechanisms
    with pytest.raises(ValidationError, match="or several mechanisms joined by"):
        modes.validate_python({"mode": "quick", "path": "clean"})
    with pytest.raises(ValidationError, match="not the mechanisms of `mode: off`"):
        modes.validate_python({"mode": "off", "mechanisms": ["bundling"], "path": "clean"})


def test_words_name_what_is_set() -> None:
    condition = WrittenCondition.model_validate({"mode": MODE, "path": PATH}).resolved
    said = words.ConditionWords.of(condition)
    assert said.mode == "linear timeouts + bundling"
    assert said.there == "20.5 ms, ± 8 ms, losses in bursts, 512 kbit/s, RED, ECN"
    assert said.back == (
        "90 ms, 1 % lost, 0.3 % damaged, 20 % out of order, 10 % twice, 9.6 kbit/s, "
        "bit errors, bad 1.48 % of the time"
    )
    assert words.in_full(condition.path).endswith(
        "bit errors (good for 2000 ms with 0 of bits flipped, bad for 30 ms with 0.01, in ticks of "
        "7.5 ms)"
    )
    assert "queue 40 packets" in words.in_full(condition.path)
    assert "queue 30000 bytes" in words.in_full(condition.path)
    assert Bundling() == condition.transport.bundling


@pytest.mark.parametrize(
    ("way", "complaint"),
    [
        ({"queue_discipline": "codel"}, "`queue_discipline` has no meaning without a rate"),
        ({"queue_bytes": 3000}, "`queue_bytes` has no meaning without a rate"),
        ({"rate_kbit_per_s": 9, "queue_bytes": 1, "queue_packets": 1}, "not both"),
        ({"rate_kbit_per_s": 9, "ecn": True}, "`ecn` needs a queue that marks"),
        (
            {"rate_kbit_per_s": 9, "ecn": True, "queue_discipline": "fifo"},
            "`ecn` needs a queue that marks",
        ),
        (
            {"rate_kbit_per_s": 9, "queue_bytes": 3000, "queue_discipline": "fq_codel"},
            "give `queue_packets` instead",
        ),
        (
            {"rate_kbit_per_s": 9, "queue_packets": 6, "queue_discipline": "red"},
            "7 to 5284 packets: change `queue_packets`",
        ),
        (
            {"rate_kbit_per_s": 9, "queue_bytes": 8_000_001, "queue_discipline": "red"},
            "change `queue_bytes`",
        ),
    ],
)
def test_a_queue_that_cannot_be_is_refused(way: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        WrittenPath.model_validate({"rtt_ms": 10, "backward": way})


@pytest.mark.parametrize(
    ("errors", "complaint"),
    [
        ({}, "flips nothing: give `error_share_bad`"),
        ({"good_ms": 9, "error_share_bad": 0.1}, "go together: give both"),
        ({"good_ms": 90, "bad_ms": 9, "error_share_bad": 0.1}, "`bad_ms` is shorter than a tick"),
        ({"error_share_good": 1e-11}, "give at least 1e-10, or 0"),
        ({"error_share_good": 0.6}, "less than or equal to 0.5"),
        ({"error_share_bad": 0.1}, "no meaning for a link that is never bad"),
    ],
)
def test_bit_errors_that_cannot_be_are_refused(errors: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        WrittenPath.model_validate({"rtt_ms": 10, "backward": {"bit_errors": errors}})


def test_bit_errors_that_are_always_there_are_named_in_words() -> None:
    written = WrittenPath.model_validate(
        {"rtt_ms": 10, "forward": {"bit_errors": {"error_share_good": 0.001}}}
    )
    path = written.resolved()
    assert words.path(path) == "there 5 ms, bit errors, 0.001 of bits; back 5 ms"
    assert "bit errors (0.001 of bits flipped)" in words.in_full(path)
    assert WrittenPath.of(path).resolved() == path


def test_a_rate_stays_as_whole_as_it_was_written() -> None:
    """A recording's key is made of how its numbers are written."""
    for written, told in ((64, "64"), (64.0, "64"), (9.6, "9.6")):
        way = WrittenPath.model_validate({"rtt_ms": 1, "forward": {"rate_kbit_per_s": written}})
        assert f'"rate_kbit_per_s":{told},' in way.resolved().forward.model_dump_json()


def test_a_queue_is_named_in_words() -> None:
    way = {"rate_kbit_per_s": 9, "queue_packets": 7, "queue_discipline": "fq_codel", "ecn": True}
    written = WrittenPath.model_validate({"rtt_ms": 10, "forward": way, "backward": way})
    path = written.resolved()
    assert words.path(path) == "each way 5 ms, 9 kbit/s, FQ-CoDel, ECN"
    assert words.in_full(path).endswith("rate 9 kbit/s, queue 7 packets, FQ-CoDel, ECN")
    assert WrittenPath.of(path).resolved() == path
