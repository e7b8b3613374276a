"""Which sender has what: mechanisms and settings by transport protocol.

SPDX-License-Identifier: Apache-2.0
"""

import json

import pytest
from pydantic import ValidationError

from thinlab.condition import words
from thinlab.condition.condition import Condition
from thinlab.condition.path import Direction, Path
from thinlab.condition.transport import (
    ALL_OF_SCTP,
    Baseline,
    Bundling,
    Mechanism,
    Protocol,
    Sctp,
    Transport,
    UdpLite,
    mechanisms_of,
    serves_people,
    serves_terminals,
    tells_itself,
)
from thinlab.condition.written import WrittenCondition
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.demo.setting import DemoLane
from thinlab.experiment.definition import Grid
from thinlab.recording.identity import condition_identity

PATH = Path.both_ways(Direction(delay_ms=50))


def _sctp(*mechanisms: Mechanism, **settings: object) -> Transport:
    return Transport.model_validate(
        {"baseline": "lksctp", "mechanisms": mechanisms, "sctp": settings}
    )


def test_each_protocol_has_its_own_mechanisms() -> None:
    both = Transport(baseline=Baseline.MODERN, mechanisms=(Mechanism.LINEAR_TIMEOUTS,))
    assert both.protocol is Protocol.TCP
    assert _sctp(Mechanism.LINEAR_TIMEOUTS).protocol is Protocol.SCTP
    with pytest.raises(ValidationError, match="`rto_restart` is a mechanism of SCTP"):
        Transport(baseline=Baseline.MODERN, mechanisms=(Mechanism.RTO_RESTART,))
    with pytest.raises(ValidationError, match="`early_probe` is a mechanism of TCP"):
        _sctp(Mechanism.EARLY_PROBE)


def test_a_file_that_mixes_them_is_told_of_both() -> None:
    with pytest.raises(ValidationError, match="`short_min_rto` is a mechanism of SCTP"):
        WrittenCondition.model_validate(
            {"mode": "all_of_sctp", "baseline": "modern", "path": {"rtt_ms": 100}}
        )
    with pytest.raises(ValidationError, match="`window_floor` is a mechanism of TCP"):
        WrittenCondition.model_validate(
            {"mode": "recommended", "baseline": "lksctp", "path": {"rtt_ms": 100}}
        )
    grid = {
        "baseline": ["modern", "lksctp"],
        "mode": ["off", "rto_restart"],
        "loss_share": 0.05,
        "rtt_ms": 100,
        "message_bytes": 100,
        "iat_ms": 250,
    }
    with pytest.raises(ValidationError, match="grids of their own can have each"):
        Grid.model_validate(grid)
    cells = list(Grid.model_validate(grid | {"mode": ["off", "linear_timeouts"]}).cells())
    assert {cell.transport.protocol for cell in cells} == {Protocol.TCP, Protocol.SCTP}


def test_what_takes_damage_serves_no_terminal() -> None:
    lite = (Mechanism.TCP_LITE, Mechanism.HEADER_CHECKSUM)
    written = WrittenCondition.model_validate(
        {"mode": "tcp_lite+header_checksum", "path": {"rtt_ms": 100}}
    )
    assert written.meant == lite
    assert serves_terminals(Baseline.MODERN) == ""
    assert "`tcp_lite` hands damaged bytes over" in serves_terminals(Baseline.MODERN, lite)
    assert "`tcp_lite` hands damaged bytes over" in tells_itself(Baseline.MODERN, lite[:1])
    with pytest.raises(ValidationError, match="`header_checksum` is of use with `tcp_lite` alone"):
        Transport(mechanisms=lite[1:])


def test_settings_of_the_other_protocol_are_of_no_account() -> None:
    tcp = Transport(mechanisms=(), sctp=Sctp(streams=4))
    assert tcp.in_use.sctp == Sctp()
    sctp = Transport(
        baseline=Baseline.LKSCTP,
        mechanisms=(Mechanism.BUNDLING,),
        bundling=Bundling(max_packets=2),
        sctp=Sctp(unordered=True),
    )
    assert sctp.in_use.bundling == Bundling()
    assert sctp.in_use.sctp == Sctp(unordered=True)


def test_a_lane_is_asked_for_with_what_was_said_of_associations() -> None:
    lane = Condition(transport=_sctp(streams=3, sack_delay_ms=0), path=PATH).to_lane(7)
    assert lane.baseline == pb.BASELINE_LKSCTP
    assert (lane.sctp.streams, lane.sctp.unordered) == (3, False)
    assert lane.sctp.HasField("sack_delay_ms")
    assert not Condition(transport=_sctp(), path=PATH).to_lane(7).HasField("sctp")


def test_words_tell_what_differs_from_the_default() -> None:
    assert words.sctp(Sctp()) == ""
    assert words.sender(_sctp(*mechanisms_of(ALL_OF_SCTP), sack_delay_ms=70)) == (
        "all of SCTP (SACKs after 70 ms)"
    )
    told = words.transport(_sctp(streams=3, unordered=True, sack_delay_ms=0))
    assert told == "No mechanism (3 streams, unordered, prompt SACKs), on SCTP (lksctp)"


def test_what_could_not_be_said_before_changes_no_key() -> None:
    tcp = Condition(transport=Transport(mechanisms=()), path=PATH)
    assert "sctp" not in json.dumps(condition_identity(tcp))
    one, other = (
        Condition(transport=_sctp(**settings), path=PATH) for settings in ({}, {"sack_delay_ms": 0})
    )
    assert condition_identity(one) != condition_identity(other)


def test_a_program_in_the_kernels_place_has_no_mechanism_and_is_for_sessions() -> None:
    outside = Transport(baseline=Baseline.USRSCTP, mechanisms=(), sctp=Sctp(sack_delay_ms=0))
    assert outside.protocol is Protocol.SCTP
    assert outside.in_use.sctp == Sctp(sack_delay_ms=0)
    with pytest.raises(ValidationError, match="`linear_timeouts` is a mechanism of the kernel's"):
        Transport(baseline=Baseline.USRSCTP, mechanisms=(Mechanism.LINEAR_TIMEOUTS,))
    assert serves_people(Baseline.LKSCTP) == ""
    assert "for sessions alone" in serves_people(Baseline.USRSCTP)
    assert "for sessions alone" in serves_terminals(Baseline.USRSCTP)
    with pytest.raises(ValidationError, match="for sessions alone"):
        DemoLane(name=None, baseline=Baseline.USRSCTP, mechanisms=())


def test_datagrams_have_no_mechanism() -> None:
    assert Transport(baseline=Baseline.UDP, mechanisms=()).protocol is Protocol.UDP
    for baseline, name in ((Baseline.UDP, "UDP"), (Baseline.UDP_LITE, "UDP-Lite")):
        with pytest.raises(ValidationError, match=f"`baseline: {baseline}` is {name}: leave"):
            Transport(baseline=baseline, mechanisms=(Mechanism.BUNDLING,))
        assert f"is {name}, which may lose what a terminal needs" in serves_terminals(baseline)
    with pytest.raises(ValidationError, match="baseline: udp_lite` is UDP-Lite: leave it out"):
        WrittenCondition.model_validate(
            {"mode": "all", "baseline": "udp_lite", "path": {"rtt_ms": 100}}
        )


def _lite(covered_bytes: int, baseline: str = "udp_lite") -> Condition:
    written = {
        "mode": "off",
        "baseline": baseline,
        "udp_lite": {"covered_bytes": covered_bytes},
        "path": {"rtt_ms": 100},
    }
    return WrittenCondition.model_validate(written).resolved


def test_how_much_is_covered_goes_with_udp_lite_alone() -> None:
    lane = _lite(40).to_lane(7)
    assert (lane.baseline, lane.udp_lite.covered_bytes) == (pb.BASELINE_UDP_LITE, 40)
    assert not _lite(0).to_lane(7).HasField("udp_lite")
    assert not _lite(40, "udp").to_lane(7).HasField("udp_lite")
    assert _lite(40, "udp").transport.in_use.udp_lite == UdpLite()
    with pytest.raises(ValidationError, match="less than or equal to 1468"):
        _lite(1469)
    told = words.transport(_lite(40).transport)
    assert told == "No mechanism (first 40 bytes covered), on UDP-Lite"
    identities = [condition_identity(_lite(bytes_)) for bytes_ in (0, 0, 40)]
    assert identities[0] == identities[1] != identities[2]
    assert condition_identity(_lite(40, "udp")) == condition_identity(_lite(0, "udp"))


def test_grids_compare_what_repairs_and_what_does_not() -> None:
    grid = {
        "baseline": ["modern", "udp", "udp_lite"],
        "mode": "off",
        "udp_lite": [{}, {"covered_bytes": 8}],
        "loss_share": 0.05,
        "rtt_ms": 100,
        "message_bytes": 100,
        "iat_ms": 250,
    }
    cells = list(Grid.model_validate(grid).cells())
    labels = {(cell.baseline.value, cell.mode_label) for cell in cells}
    assert labels == {
        ("modern", "off"),
        ("udp", "off"),
        ("udp_lite", "off"),
        ("udp_lite", "off, first 8 bytes covered"),
    }
    old = list(Grid.model_validate(grid | {"udp_lite": {}, "baseline": "modern"}).cells())
    assert old[0].address == cells[0].address


def test_what_a_demo_sends_over_sctp_has_an_order() -> None:
    lane = DemoLane(name=None, baseline=Baseline.LKSCTP, mechanisms=(), sctp=Sctp(sack_delay_ms=0))
    assert lane.protocol is Protocol.SCTP
    for settings in (Sctp(streams=2), Sctp(unordered=True)):
        with pytest.raises(ValidationError, match="has an order"):
            DemoLane(name=None, baseline=Baseline.LKSCTP, mechanisms=(), sctp=settings)


def test_a_room_is_told_what_carries_it() -> None:
    assert words.plainly(Transport(mechanisms=()))["en"] == "TCP as it is"
    told = words.plainly(_sctp(Mechanism.SHORT_MIN_RTO))
    assert told["en"].startswith("SCTP, which")
    assert told["en"].endswith("before it tries again")
    assert told["nb"].startswith("SCTP, som")


def test_abbreviations_stay_in_capitals() -> None:
    assert words.title(Mechanism.SHORT_MIN_RTO) == "Short minimum RTO"
    assert words.title(Mechanism.TAIL_COPY) == "Tail copy"
