"""From the agent's moments to the feed's: once for all who watch, as plain JSON values.

In a thread: figures of four lanes take some 10 ms, and keys of whoever types in
a study beside a demo wait for what the loop does.

Ten times a second for up to four lanes: no model is made or checked here. A
test holds what comes out against the types in `feed.py` and the contract's.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.contract.generated.names import PacketKind, Repair
from thinlab.demo.clock import TakeClock
from thinlab.demo.lane_figures import figures_of, scalars_of

KINDS = {pb.PacketKind.Value(f"PACKET_KIND_{one.name}"): one.value for one in PacketKind}
REPAIRS = {
    pb.Recovery.Value(f"RECOVERY_{one.name}"): one.value for one in Repair if one is not Repair.NONE
}
CAUSES = {number: REPAIRS[number] for number in (pb.RECOVERY_FAST, pb.RECOVERY_TIMEOUT)}


def moment_of(moment: pb.DemoMoment, clock: TakeClock, take: int) -> dict[str, Any]:
    """A `Moment`."""
    return {
        "type": "moment",
        "at_ms": clock.at_ms(moment.at_ns),
        "take": take,
        "lanes": [_lane(lane, clock) for lane in moment.lanes],
    }


def _lane(lane: pb.DemoLaneMoment, clock: TakeClock) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if lane.departures:
        found["departures"] = [_departure(one, clock) for one in lane.departures]
    if lane.fates:
        found["fates"] = [_fate(one, clock) for one in lane.fates]
    if lane.messages:
        found["messages"] = [_message(one, clock) for one in lane.messages]
    if lane.echoes:
        found["echoes"] = [_echo(one, clock) for one in lane.echoes]
    if lane.HasField("socket"):
        found["socket"] = _socket(lane.socket, clock)
    if lane.HasField("playout"):
        found["playout"] = _playout(lane.playout, clock)
    if lane.changed_bytes:
        found["changed_bytes"] = lane.changed_bytes
    if lane.HasField("whole"):
        found["whole"] = figures_of(lane.whole)
    if lane.HasField("last_minute"):
        found["last_minute"] = figures_of(lane.last_minute)
    return found


def _departure(one: pb.PacketDeparture, clock: TakeClock) -> dict[str, Any]:
    found: dict[str, Any] = {
        "number": one.number,
        "forward": one.forward,
        "kind": KINDS.get(one.kind, "control"),
        "sent_ms": clock.at_ms(one.sent_ns),
        "start": one.start,
        "end": one.end,
    }
    if one.kind == pb.PACKET_KIND_BUNDLE:
        found["new_from"] = one.new_from
    if one.acknowledged:
        found["acknowledged"] = one.acknowledged
    if one.duplicate:
        found["duplicate"] = True
    if one.selective:
        found["selective"] = True
    if one.cause in CAUSES:
        found["cause"] = CAUSES[one.cause]
    return found


def _fate(one: pb.PacketFate, clock: TakeClock) -> dict[str, Any]:
    if not one.HasField("arrived_ns"):
        return {"number": one.number}
    return {"number": one.number, "arrived_ms": clock.at_ms(one.arrived_ns)}


def _message(one: pb.MessagePassage, clock: TakeClock) -> dict[str, Any]:
    found: dict[str, Any] = {
        "number": one.number,
        "written_ms": clock.at_ms(one.written_ns),
        "sent_ms": clock.at_ms(one.sent_ns),
        "arrived_ms": clock.at_ms(one.arrived_ns),
        "available_ms": clock.at_ms(one.available_ns),
    }
    if one.recovery in REPAIRS:
        found["recovery"] = REPAIRS[one.recovery]
    return found


def _echo(one: pb.EchoPassage, clock: TakeClock) -> dict[str, Any]:
    return {
        "number": one.number,
        "written_ms": clock.at_ms(one.written_ns),
        "shown_ms": clock.at_ms(one.shown_ns),
    }


def _socket(one: pb.SocketState, clock: TakeClock) -> dict[str, Any]:
    return {
        "at_ms": clock.at_ms(one.at_ns),
        "snd_cwnd": one.snd_cwnd,
        "in_flight": one.in_flight,
        "rto_ms": one.rto_us / 1000,
        "backoff": one.backoff,
        "rtt_ms": one.rtt_us / 1000,
        "unsent_bytes": one.unsent_bytes,
        "snd_ssthresh": one.snd_ssthresh,
    }


def _playout(one: pb.PlayoutState, clock: TakeClock) -> dict[str, Any]:
    found: dict[str, Any] = {
        "buffer_ms": round(one.buffer_ms, 3),
        "target_ms": round(one.target_ms, 3),
        "delay_ms": round(one.delay_ms, 3),
        "facts": scalars_of(one.facts),
    }
    if one.passages:
        found["passages"] = [
            {
                "kind": passage.kind,
                "at_ms": clock.at_ms(passage.at_ns),
                "length_ms": passage.length_ms,
            }
            for passage in one.passages
        ]
    return found
