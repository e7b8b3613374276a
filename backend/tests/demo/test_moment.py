"""From the agent's moments to the feed's: nothing added, nothing changed but the clock.

SPDX-License-Identifier: Apache-2.0
"""

import json
import math

from google.protobuf.json_format import ParseDict
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import to_json

from tests.made_up import made_up_result
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.contract.generated.feed import LaneFigures
from thinlab.demo.clock import DemoClock, TakeClock
from thinlab.demo.feed import Moment
from thinlab.demo.lane_figures import CURVE_POINTS, chosen, figures_of
from thinlab.demo.moment import moment_of

BEGAN_NS = 1_795_000_000_000_000_000
CLOCK = TakeClock(DemoClock(BEGAN_NS))


def at(ms: float) -> int:
    return BEGAN_NS + round(ms * 1e6)


def lane_moment() -> pb.DemoLaneMoment:
    """One of each."""
    lane = pb.DemoLaneMoment(
        departures=[
            pb.PacketDeparture(
                number=1, forward=True, kind=pb.PACKET_KIND_BUNDLE, sent_ns=at(10.0015)
            ),
            pb.PacketDeparture(
                number=2,
                kind=pb.PACKET_KIND_ACKNOWLEDGEMENT,
                sent_ns=at(11),
                acknowledged=240,
                duplicate=True,
                selective=True,
            ),
            pb.PacketDeparture(
                number=3,
                forward=True,
                kind=pb.PACKET_KIND_RETRANSMISSION,
                sent_ns=at(12),
                cause=pb.RECOVERY_TIMEOUT,
            ),
        ],
        fates=[pb.PacketFate(number=1, arrived_ns=at(75)), pb.PacketFate(number=3)],
        messages=[
            pb.MessagePassage(
                number=0,
                written_ns=at(9),
                sent_ns=at(10),
                arrived_ns=at(75),
                available_ns=at(75.5),
                recovery=pb.RECOVERY_BUNDLE,
            )
        ],
        echoes=[pb.EchoPassage(number=1, written_ns=at(1), shown_ns=at(140))],
        socket=pb.SocketState(at_ns=at(99), snd_cwnd=10, rto_us=330_500, backoff=2),
        playout=pb.PlayoutState(
            buffer_ms=60,
            passages=[pb.PlayoutPassage(kind="silent", at_ns=at(50), length_ms=20)],
        ),
        whole=figures(),
    )
    lane.departures[0].start, lane.departures[0].new_from, lane.departures[0].end = 0, 120, 240
    return lane


def figures() -> pb.LaneFigures:
    result = made_up_result("any").model_dump(mode="json")
    whole = ParseDict(result, pb.SessionResult())
    return pb.LaneFigures(metrics=whole.metrics, copies=whole.copies, felt=whole.felt)


def test_a_moment_is_what_the_contract_says() -> None:
    moment = pb.DemoMoment(at_ns=at(100), lanes=[lane_moment(), pb.DemoLaneMoment()])
    told = json.loads(to_json(moment_of(moment, CLOCK, 3)))
    found = Moment.model_validate(told)
    assert (found.at_ms, found.take) == (100.0, 3)
    lane, empty = found.lanes
    bundle, acknowledgement, again = lane.departures
    # To the µs.
    assert (bundle.sent_ms, bundle.new_from, bundle.start, bundle.end) == (10.002, 120, 0, 240)
    assert (acknowledgement.acknowledged, acknowledgement.duplicate) == (240, True)
    assert again.cause == "timeout"
    assert [fate.arrived_ms for fate in lane.fates] == [75.0, None]
    assert (lane.messages[0].available_ms, lane.messages[0].recovery.value) == (75.5, "bundle")
    assert lane.echoes[0].shown_ms == 140.0
    assert lane.socket is not None
    assert (lane.socket.rto_ms, lane.socket.backoff) == (330.5, 2)
    assert lane.playout is not None
    assert lane.playout.passages[0].at_ms == 50.0
    # What is empty takes no room.
    assert told["lanes"][1] == {}
    assert empty.departures == []


def test_figures_are_passed_on_exactly() -> None:
    message = figures()
    told = LaneFigures.model_validate(figures_of(message))
    for name in ("transport", "application"):
        for weight in ("per_byte", "per_message"):
            exact = getattr(getattr(message.metrics, name), weight)
            shown = getattr(getattr(told.metrics, name), weight)
            for field in ("samples", "min_us", "p50_us", "p99_us", "p999_us", "max_us"):
                assert getattr(shown, field) == getattr(exact, field)
            # To 10 µs and a ten-thousandth, which no chart shows.
            points = {(round(point.latency_us, -1), round(point.share, 4)) for point in exact.cdf}
            assert {(point.latency_us, point.share) for point in shown.cdf} <= points
    assert told.metrics.loss_share_forward == message.metrics.loss_share_forward
    assert told.copies.bundled_bytes == message.copies.bundled_bytes
    assert told.felt.longest_stall_ms == message.felt.longest_stall_ms


@given(st.lists(st.floats(0, 1), min_size=1, max_size=512).map(sorted))
def test_a_curve_keeps_its_ends_and_at_most_so_many_points(shares: list[float]) -> None:
    kept = chosen(shares)
    assert len(kept) <= CURVE_POINTS
    assert kept == sorted(set(kept))
    assert (kept[0], kept[-1]) == (0, len(shares) - 1)


def test_a_number_that_is_none_is_told_as_null_not_as_broken_json() -> None:
    lane = pb.DemoLaneMoment(playout=pb.PlayoutState(buffer_ms=math.nan))
    told = moment_of(pb.DemoMoment(at_ns=at(1), lanes=[lane]), CLOCK, 1)
    text = to_json(told, inf_nan_mode="null").decode()
    assert json.loads(text)["lanes"][0]["playout"]["buffer_ms"] is None


def test_another_machines_clock_is_moved() -> None:
    clock = TakeClock(DemoClock(BEGAN_NS), ahead_ns=5_000_000)
    assert clock.at_ms(at(15)) == 10.0
    assert clock.on_server_ns(at(15)) == at(10)
