"""From sessions to tables, by hand: rows, bands, verdicts, the capture's reader.

SPDX-License-Identifier: Apache-2.0
"""

import struct
from dataclasses import replace
from itertools import pairwise

import pytest

from tests.experiment.made_up_cell import CELL
from thinlab.condition.transport import Bundling, HiddenLossResponse, Transport
from thinlab.experiment.capture import retransmissions
from thinlab.experiment.checks import expected_messages, judge
from thinlab.experiment.definition import (
    AgainstOff,
    AsPublished,
    AtLeast,
    BundleArithmetic,
    Cell,
    Check,
    Crossing,
    plain_path,
)
from thinlab.experiment.figure import name_of
from thinlab.experiment.published import Published
from thinlab.experiment.rows import share_within
from thinlab.experiment.summary import CellSummary, estimate

OFF = Transport(mechanisms=())
PUBLISHED = Published.model_validate(
    {
        "source": "Somebody",
        "short": "them",
        "rows": [{"mode": "bundling", "loss_share": 0.01, "metrics": {"packets": 100}}],
    }
)


def summary(cell: Cell, **columns: float) -> CellSummary:
    """A cell whose two runs gave the same."""
    return CellSummary(cell, (dict(columns), dict(columns)))


def test_a_figures_name_is_one_files() -> None:
    assert name_of(["modern", "2 %"]) == "modern-2pct"
    assert name_of(["there 65 ms, 60 kbit/s; back 65 ms"]) == "there65ms60kbitsback65ms"
    assert name_of([]) == "all"


def test_the_band_is_students() -> None:
    # By hand: mean 4, standard deviation 2, t(2) = 4.303, 4.303 · 2 / √3.
    told = estimate([2, 4, 6])
    assert told is not None
    assert (told.runs, told.mean, told.lowest, told.highest) == (3, 4, 2, 6)
    assert told.half_width == pytest.approx(4.9687, abs=1e-3)
    single = estimate([7])
    assert single is not None
    assert single.half_width is None
    assert estimate([]) is None


def test_a_share_is_bounded_by_the_curves_points_around_the_limit() -> None:
    latencies, shares = [10.0, 20.0, 30.0], [0.5, 0.9, 1.0]
    assert share_within(latencies, shares, 9) == (0.0, 0.5)
    assert share_within(latencies, shares, 20) == (0.9, 1.0)
    assert share_within(latencies, shares, 25) == (0.9, 1.0)
    assert share_within(latencies, shares, 30) == (1.0, 1.0)


@pytest.mark.parametrize(
    ("rtt_ms", "iat_ms", "spread_ms", "messages"),
    [
        (100, 140, 2, 1.0),
        (100, 60, 2, 2.0),
        (100, 35, 2, 3.0),
        # On the ratio, every other message finds one more unacknowledged …
        (100, 100, 2, 1.5),
        (100, 25, 2, 4.5),
        # … and without spread, each does.
        (100, 100, 0, 2.0),
        # A gap of 104 ± 10: (2·5 − 4)² / (2·10²) of them are shorter than the RTT.
        (100, 104, 5, 1.18),
        (100, 96, 5, 1.82),
    ],
)
def test_the_arithmetic_of_bundles(
    rtt_ms: float, iat_ms: float, spread_ms: float, messages: float
) -> None:
    cell = replace(CELL, path=plain_path(rtt_ms, 0.01), iat_ms=iat_ms, iat_spread_ms=spread_ms)
    assert expected_messages(cell) == pytest.approx(messages)


def test_verdicts_say_which_side_of_the_limit_a_figure_is() -> None:
    off = replace(CELL, transport=OFF)
    checks: list[Check] = [
        AsPublished(check="as_published", metric="packets", within=2),
        AgainstOff(check="against_off", metric="retransmitted_packet_share", at_most=0.2),
        AtLeast(check="at_least", metric="within_iat_share", at_least=0.98),
        BundleArithmetic(check="bundle_arithmetic", within_share=0.05),
    ]
    plain = summary(off, retransmitted_packet_share=0.1)

    def told(**columns: float) -> list[bool]:
        return [one.holds for one in judge(checks, [plain, summary(CELL, **columns)], PUBLISHED)]

    good = {
        "packets": 102.0,
        "retransmitted_packet_share": 0.02,
        "within_iat_share": 0.98,
        "first_transmission_messages": 1.049,
    }
    bad = {
        "packets": 102.1,
        "retransmitted_packet_share": 0.021,
        "within_iat_share": 0.979,
        "first_transmission_messages": 1.051,
    }
    assert told(**good) == [True] * 4
    assert told(**bad) == [False] * 4


def test_a_metric_can_be_held_against_another_one_of_off() -> None:
    check = AgainstOff(check="against_off", metric="packets", of="timeouts", at_most=1)
    plain = summary(replace(CELL, transport=OFF), packets=1.0, timeouts=100.0)
    good = summary(CELL, packets=99.0, timeouts=0.0)
    bad = summary(CELL, packets=101.0, timeouts=0.0)
    (verdict,) = judge([check], [plain, good], None)
    assert verdict.holds
    assert verdict.requirement == "Data packets at most 1 × off's Timeouts"
    assert [one.holds for one in judge([check], [plain, bad], None)] == [False]


def test_only_bundling_as_it_is_by_default_is_judged() -> None:
    reducing = Bundling(hidden_loss_response=HiddenLossResponse.REDUCE_WINDOW)
    other = replace(CELL, transport=CELL.transport.model_copy(update={"bundling": reducing}))
    check = AtLeast(check="at_least", metric="within_iat_share", at_least=0.98)
    assert other.mode_label == "bundling, reduces the window"
    assert judge([check], [summary(other, within_iat_share=0.5)], None) == []


@pytest.mark.parametrize(("last_low_ms", "holds"), [(200, True), (150, False)])
def test_the_crossing_lies_where_bundling_stops_to_help(last_low_ms: float, holds: bool) -> None:
    summaries = []
    for iat_ms in (100, 150, 200, 250):
        cell = replace(CELL, iat_ms=iat_ms)
        share = 0.001 if iat_ms <= last_low_ms else 0.02
        summaries += [
            summary(replace(cell, transport=OFF), retransmitted_packet_share=0.02),
            summary(cell, retransmitted_packet_share=share, rto_ms=310),
        ]
    (verdict,) = judge([Crossing(check="crossing", within_ms=25)], summaries, None)
    assert verdict.holds is holds
    assert "RTO − RTT = 210 ms" in verdict.measured


def capture(packets: list[tuple[int, int, int]]) -> bytes:
    """A pcapng file of packets from one sender: milliseconds, sequence number, payload length."""
    blocks = [struct.pack("<IIIHHqI", 0x0A0D0D0A, 28, 0x1A2B3C4D, 1, 0, -1, 28)]
    for at_ms, sequence, length in packets:
        tcp = struct.pack(">HHIIBBHHH", 1, 2, sequence % (1 << 32), 0, 5 << 4, 16, 0, 0, 0)
        ip = struct.pack(">BBHIBBH4s4s", 0x45, 0, 40 + length, 0, 64, 6, 0, b"send", b"recv")
        frame = bytes(14) + ip + tcp + bytes(length)
        padded = frame + bytes(-len(frame) % 4)
        size = 32 + len(padded)
        at_ns = at_ms * 1_000_000
        head = (6, size, 0, at_ns >> 32, at_ns & 0xFFFFFFFF, len(frame), len(frame))
        blocks.append(struct.pack("<IIIIIII", *head) + padded + struct.pack("<I", size))
    return b"".join(blocks)


def test_a_segments_retransmissions_are_timed_from_its_first_transmission() -> None:
    start = (1 << 32) - 130
    packets = [
        (0, start, 120),
        (100, start + 120, 120),
        # The first goes out again, then merged with the second, across the wrap.
        (300, start, 120),
        (900, start, 240),
        # A bundle is a first transmission of what is new in it.
        (1000, start + 120, 240),
        (1400, start + 240, 120),
        (1500, start + 360, 0),
    ]
    assert retransmissions(capture(packets)) == [[300.0, 900.0], [400.0]]
    waits = [later - earlier for earlier, later in pairwise([0.0, 300.0, 900.0])]
    assert waits == [300.0, 600.0]
