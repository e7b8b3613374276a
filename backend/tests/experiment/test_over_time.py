"""Losses and rates over time: what the files beside an experiment say, and what is asked for.

SPDX-License-Identifier: Apache-2.0
"""

from pathlib import Path

import pytest

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.experiment.definition import ExperimentDefinition
from thinlab.experiment.file import read
from thinlab.experiment.request import requests
from thinlab.located_yaml import FileFaultsError

EXPERIMENT = """
name: over-time
title: Over time
description: Losses and rates from files.
seed: 1
runs: 1
minutes: 0.05
grids:
  - mode: [off, bundling]
    path: PATH
    over_time: { forward: { WHAT: file } }
    message_bytes: 100
    iat_ms: 100
"""
PLAIN = "{ rtt_ms: 100 }"
QUEUE = "{ rate_kbit_per_s: 1, queue_discipline: codel }"
QUEUED = f"{{ rtt_ms: 100, forward: {QUEUE}, backward: {QUEUE} }}"


def experiment(
    folder: Path, what: str, content: str | bytes, path: str = PLAIN
) -> ExperimentDefinition:
    """One with a file beside it."""
    data = content.encode() if isinstance(content, str) else content
    (folder / "file").write_bytes(data)
    file = folder / "experiment.yaml"
    file.write_text(EXPERIMENT.replace("PATH", path).replace("WHAT", what))
    return read(file)[0]


def lanes(one: ExperimentDefinition) -> list[pb.SessionLane]:
    """What is asked for, a mode after the other."""
    return [request.spec().lanes[0] for request in requests(one)]


def test_modes_meet_the_same_losses_second_by_second(tmp_path: Path) -> None:
    said = "# ms\n100 250.5\n250.5, 300\n\n2000 70000\n"
    off, bundling = lanes(experiment(tmp_path, "lost_during", said))
    for lane in (off, bundling):
        found = [(one.at_ns, one.spec.forward.uniform.loss_share) for one in lane.changes]
        # What has begun ends, however late.
        assert found == [
            (100_000_000, 1),
            (250_500_000, 1),
            (300_000_000, 0),
            (2_000_000_000, 1),
            (70_000_000_000, 0),
        ]
        assert all(one.spec.seed == lane.lane.seed for one in lane.changes)
        assert all(one.spec.backward == lane.lane.backward for one in lane.changes)
        assert lane.changes_may_remain
    assert off.lane.seed == bundling.lane.seed
    assert [one.at_ns for one in off.changes] == [one.at_ns for one in bundling.changes]
    assert all(one.spec.mechanisms == bundling.lane.mechanisms for one in bundling.changes)


def test_a_path_that_loses_by_itself_goes_on_losing_with_another_seed(tmp_path: Path) -> None:
    path = "{ rtt_ms: 100, forward: { loss_share: 0.1 } }"
    lane = lanes(experiment(tmp_path, "lost_during", "100 200", path))[0]
    assert [one.spec.forward.uniform.loss_share for one in lane.changes] == [1, 0.1]
    assert len({lane.lane.seed, *(one.spec.seed for one in lane.changes)}) == 3


def test_a_trace_is_a_rate_for_each_window_and_begins_again(tmp_path: Path) -> None:
    # Two packets in the first 100 ms, none until 350, then one every 50 ms until 500.
    said = "20\n100\n350\n400\n450\n500\n"
    lane = lanes(experiment(tmp_path, "rate_trace", said, QUEUED))[0]
    packet = 1514 * 8 * 1000
    rates = [packet * 2 // 100, packet // 250, packet * 3 // 150]
    assert lane.lane.forward.rate_bit_per_s == rates[0]
    assert lane.lane.backward.rate_bit_per_s == 1000
    found = [(one.at_ns // 1_000_000, one.spec.forward.rate_bit_per_s) for one in lane.changes]
    begun = [(0, rates[0]), (100, rates[1]), (350, rates[2]), (500, rates[0]), (600, rates[1])]
    assert found[:5] == begun
    # As long as the stream, and a minute: three seconds and sixty.
    assert found[-1][0] in range(62_500, 63_001)


def test_all_that_a_trace_lets_pass_passes(tmp_path: Path) -> None:
    said = "".join(f"{at_ms}\n" for at_ms in (0, 0, 3, 90, 90, 101, 777, 778, 1234))
    lane = lanes(experiment(tmp_path, "rate_trace", said, QUEUED))[0]
    ends = [one.at_ns for one in lane.changes][1:]
    passed = sum(
        (end - one.at_ns) * one.spec.forward.rate_bit_per_s / 8e9
        for one, end in zip(lane.changes, ends, strict=False)
        if end <= 1_234_000_000
    )
    assert passed == pytest.approx(9 * 1514, rel=1e-3)


def test_the_seed_is_the_content_s_and_not_the_name_s(tmp_path: Path) -> None:
    seeds = set()
    for content in ("100 200", "100 200 # again", "100 201"):
        one = experiment(tmp_path, "lost_during", content)
        seeds |= {request.seed for request in requests(one)}
    assert len(seeds) == 2


NO_INTERVALS: dict[str | bytes, str] = {
    "": "0 intervals",
    "1 2\n3": "file:2: `3` is no interval",
    "1 x": "file:1: `1 x` is no interval",
    "nan 5": "sort the intervals",
    "1 inf": "sort the intervals",
    "5 5": "sort the intervals",
    "5 9\n8 10": "interval 2",
    "-5 9": "sort the intervals",
    "1 2\n" * 100_001: "100001 intervals",
    b"\xff\xfe": "is no text",
    "#" * (5 << 20): "longer than 4 MiB",
}
NO_RATES: dict[str | bytes, str] = {
    "": "no time above 0",
    "0\n0": "no time above 0",
    "5\n4": "file:2: `4` is no time",
    "-1": "file:1: `-1` is no time",
    "1.5": "file:1: `1.5` is no time",
    "9" * 5000: "is no time",
}


@pytest.mark.parametrize(
    ("what", "content", "complaint"),
    [("lost_during", *one) for one in NO_INTERVALS.items()]
    + [("rate_trace", *one) for one in NO_RATES.items()],
)
def test_a_file_that_says_nothing_sensible_is_refused(
    tmp_path: Path, what: str, content: str | bytes, complaint: str
) -> None:
    with pytest.raises(FileFaultsError, match=complaint) as caught:
        experiment(tmp_path, what, content, QUEUED)
    assert what in str(caught.value)


@pytest.mark.parametrize("name", ["../file", "/etc/passwd", "nothing", "''"])
def test_only_a_file_beside_the_experiment_is_read(tmp_path: Path, name: str) -> None:
    file = tmp_path / "experiment.yaml"
    text = EXPERIMENT.replace("PATH", PLAIN).replace("WHAT: file", f"lost_during: {name}")
    file.write_text(text)
    with pytest.raises(FileFaultsError, match="beside the experiment"):
        read(file)


def test_a_trace_needs_a_queue_that_a_change_of_rate_reaches(tmp_path: Path) -> None:
    with pytest.raises(FileFaultsError, match="give the path a `queue_discipline` there"):
        experiment(tmp_path, "rate_trace", "10", "{ rtt_ms: 1, forward: { rate_kbit_per_s: 5 } }")


def test_modes_lose_the_very_same_packets(tmp_path: Path) -> None:
    asked = lanes(experiment(tmp_path, "lost_packets", "3 # the third\n10, 11\n\n70000"))
    for lane in asked:
        # Not before the stream begins: its first packet is 1.
        assert lane.lane.forward.WhichOneof("loss") is None
        (change,) = lane.changes
        assert change.at_ns == 0
        assert list(change.spec.forward.listed.packets) == [3, 10, 11, 70_000]
        assert change.spec.backward == lane.lane.backward
        assert change.spec.mechanisms == lane.lane.mechanisms
    assert asked[0].lane.seed == asked[1].lane.seed


NO_PACKETS = {
    "": "0 packets",
    "# none": "0 packets",
    "0": "0 comes after 0",
    "5\n5": "5 comes after 5",
    "7 6": "6 comes after 7",
    "-1": "file:1: `-1` is no packet's number",
    "1\n2.5": "file:2: `2.5` is no packet's number",
    "4294967296": "4294967296 comes after 0",
    "²": "is no packet's number",
    "9" * 5000: "is no packet's number",
    " ".join(str(one) for one in range(1, 16_002)): "16001 packets; give 1 to 16000",
}


@pytest.mark.parametrize(("content", "complaint"), NO_PACKETS.items(), ids=range(len(NO_PACKETS)))
def test_a_list_of_no_packets_is_refused(tmp_path: Path, content: str, complaint: str) -> None:
    with pytest.raises(FileFaultsError, match=complaint) as caught:
        experiment(tmp_path, "lost_packets", content)
    assert "lost_packets" in str(caught.value)


def test_listed_losses_are_the_only_ones(tmp_path: Path) -> None:
    lossy = "{ rtt_ms: 100, forward: { loss_share: 0.1 } }"
    with pytest.raises(FileFaultsError, match="take `loss_share` or `gilbert_elliott` out"):
        experiment(tmp_path, "lost_packets", "1", lossy)
    lossy_back = "{ rtt_ms: 100, backward: { loss_share: 0.1 } }"
    change = lanes(experiment(tmp_path, "lost_packets", "1", lossy_back))[0].changes[0]
    assert list(change.spec.forward.listed.packets) == [1]
    assert change.spec.backward.uniform.loss_share == 0.1
    with pytest.raises(FileFaultsError, match="cannot go with `lost_during` or `rate_trace`"):
        experiment(tmp_path, "lost_during: file }, backward: { lost_packets", "1 2")
