"""What a path does over time, from files beside an experiment: when or what it loses, and its rate.

Two senders that meet such a path meet the same losses second by second, whatever each of them
sends, or packet by packet, as long as they send the same; and what the files say goes into every
request, so that the agent reads none.

SPDX-License-Identifier: Apache-2.0
"""

import bisect
import hashlib
import heapq
import math
from collections.abc import Iterator
from functools import cached_property
from itertools import groupby, pairwise
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, ValidationInfo, model_validator

from thinlab.condition.path import FULL_PACKET_BYTES, Direction
from thinlab.condition.path import Path as DirectedPath
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.experiment.beside import Beside
from thinlab.part import Part

LONGEST_FILE_BYTES = 4 << 20
MOST_INTERVALS = 100_000
# What the agent takes.
MOST_LOST_PACKETS = 16_000
HIGHEST_PACKET = (1 << 32) - 1
LONGEST_MS = 86_400_000
# A rate is told for so long at least: in less time few traces have more than a packet or two.
LEAST_WINDOW_MS = 100
# A lane goes on after the last message of its stream, which may take its time.
AFTERWARDS_MS = 60_000.0

Interval = tuple[float, float]
Window = tuple[int, int]


class LossTimes(Part):
    """When every packet is lost."""

    file: str = Field(description="Where it is from.")
    intervals_ms: tuple[Interval, ...] = Field(
        min_length=1, max_length=MOST_INTERVALS, description="From, and before; of the session."
    )

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        ends = 0.0
        for nth, (begins, end) in enumerate(self.intervals_ms):
            named = f"{self.file}, interval {nth + 1}"
            # Also where one of them is no number.
            if not ends <= begins < end <= LONGEST_MS:
                raise ValueError(
                    f"{named}, {begins:g} to {end:g} ms: sort the intervals, let each end after it "
                    "begins and none before the one in front of it, within a day"
                )
            ends = end
        return self


class LossList(Part):
    """Which packets are lost."""

    file: str = Field(description="Where it is from.")
    packets: tuple[int, ...] = Field(
        min_length=1,
        max_length=MOST_LOST_PACKETS,
        description="Their numbers; the session's first packet in this direction is 1.",
    )

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        for before, packet in pairwise((0, *self.packets)):
            if not before < packet <= HIGHEST_PACKET:
                raise ValueError(
                    f"{self.file}: {packet} comes after {before}: let the numbers of packets "
                    f"ascend, from 1 to {HIGHEST_PACKET}"
                )
        return self


class RateTrace(Part):
    """A rate that changes; after the last window it begins again."""

    file: str = Field(description="Where it is from.")
    windows: tuple[Window, ...] = Field(
        min_length=1, description="How long, in ms, and so many bit/s."
    )


def _loss_times(name: str, text: str) -> dict[str, Any]:
    intervals = []
    for line, words in _lines(text):
        try:
            begins, end = (float(word) for word in words.replace(",", " ").split())
        except ValueError:
            raise ValueError(
                f"{name}:{line}: `{words[:40]}` is no interval; give two times in ms, such as "
                "`1200 1450`"
            ) from None
        intervals.append((begins, end))
    if not 0 < len(intervals) <= MOST_INTERVALS:
        raise ValueError(
            f"{name} has {len(intervals)} intervals; give 1 to {MOST_INTERVALS}, one a line"
        )
    return {"file": name, "intervals_ms": intervals}


def _loss_list(name: str, text: str) -> dict[str, Any]:
    packets = []
    for line, words in _lines(text):
        for word in words.replace(",", " ").split():
            # `isdecimal` takes other scripts' digits, too, and so does `int`.
            if not (word.isdecimal() and len(word) <= len(str(HIGHEST_PACKET))):
                raise ValueError(
                    f"{name}:{line}: `{word[:40]}` is no packet's number; give whole numbers from "
                    "1 on"
                )
            packets.append(int(word))
    if not 0 < len(packets) <= MOST_LOST_PACKETS:
        raise ValueError(f"{name} has {len(packets)} packets; give 1 to {MOST_LOST_PACKETS}")
    return {"file": name, "packets": packets}


def _rate_trace(name: str, text: str) -> dict[str, Any]:
    """Mahimahi's format: a line for each packet that may pass, the millisecond in which it may."""
    opportunities: list[int] = []
    for line, words in _lines(text):
        # `isdecimal` takes other scripts' digits, too, and so does `int`.
        at_ms = int(words) if words.isdecimal() and len(words) < len("1000000000") else -1
        if not (opportunities[-1] if opportunities else 0) <= at_ms <= LONGEST_MS:
            raise ValueError(
                f"{name}:{line}: `{words[:40]}` is no time of the trace; give whole milliseconds, "
                "none before the line in front of it, within a day"
            )
        opportunities.append(at_ms)
    if not opportunities or not opportunities[-1]:
        raise ValueError(
            f"{name} has no time above 0; give a line for each packet that may pass, as Mahimahi "
            "does"
        )
    return {"file": name, "windows": list(_windows(opportunities))}


def _windows(opportunities: list[int]) -> Iterator[Window]:
    """Long enough for a packet each: where nothing passes, the next one is on its way till then.

    A trace's length is its last time. What may pass at 0 may at the end.
    """
    length = opportunities[-1]
    times = sorted(at_ms or length for at_ms in opportunities)
    begins = 0
    while begins < length:
        before = bisect.bisect_right(times, begins)
        ends = max(begins + LEAST_WINDOW_MS, times[before])
        # The rest would be too short for a window of its own.
        if length - ends < LEAST_WINDOW_MS:
            ends = length
        packets = bisect.bisect_right(times, ends) - before
        # No rate would be any.
        bit_per_s = round(packets * FULL_PACKET_BYTES * 8 * 1000 / (ends - begins))
        yield ends - begins, max(bit_per_s, 1)
        begins = ends


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for line, words in enumerate(text.splitlines(), start=1):
        said = words.partition("#")[0].strip()
        if said:
            yield line, said


def _read(name: str, info: ValidationInfo) -> str:
    beside = Beside.of(info)
    if beside is None or not name or Path(name).name != name:
        raise ValueError(f"`{name}` is no file beside the experiment: give a name without a folder")
    file = beside.folder / name
    if not file.is_file():
        raise ValueError(f"there is no file {file}: name one beside the experiment")
    with file.open("rb") as opened:
        content = opened.read(LONGEST_FILE_BYTES + 1)
    if len(content) > LONGEST_FILE_BYTES:
        raise ValueError(f"{name} is longer than {LONGEST_FILE_BYTES >> 20} MiB: shorten it")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ValueError(f"{name} is no text: give one in UTF-8") from None
    beside.names.add(name)
    return text


def _loss_file(value: object, info: ValidationInfo) -> object:
    return _loss_times(value, _read(value, info)) if isinstance(value, str) else value


def _list_file(value: object, info: ValidationInfo) -> object:
    return _loss_list(value, _read(value, info)) if isinstance(value, str) else value


def _trace_file(value: object, info: ValidationInfo) -> object:
    return _rate_trace(value, _read(value, info)) if isinstance(value, str) else value


class WayOverTime(Part):
    """One direction over time."""

    lost_during: Annotated[LossTimes | None, BeforeValidator(_loss_file)] = Field(
        default=None, description="File beside the experiment: when every packet is lost."
    )
    lost_packets: Annotated[LossList | None, BeforeValidator(_list_file)] = Field(
        default=None, description="File beside the experiment: the packets that are lost."
    )
    rate_trace: Annotated[RateTrace | None, BeforeValidator(_trace_file)] = Field(
        default=None, description="File beside the experiment: the rate, in Mahimahi's format."
    )

    @property
    def begins_bit_per_s(self) -> int | None:
        """The rate before anything is sent; none where the path's counts."""
        return None if self.rate_trace is None else self.rate_trace.windows[0][1]

    @property
    def label(self) -> str:
        """The files."""
        files = (self.lost_during, self.lost_packets, self.rate_trace)
        return ", ".join(one.file for one in files if one is not None)

    @property
    def has_times(self) -> bool:
        """Whether something is otherwise on the way."""
        return self.lost_during is not None or self.rate_trace is not None

    def changes(self, until_ms: float) -> Iterator[tuple[float, dict[str, Any]]]:
        """When what is otherwise, in order of time; a loss that has begun ends."""
        if self.lost_packets is not None:
            # Set earlier, the list would count the handshake's packets as well.
            return iter([(0.0, {"listed": self.lost_packets.packets})])
        return heapq.merge(
            self._losses(until_ms), self._rates(until_ms), key=lambda change: change[0]
        )

    def _losses(self, until_ms: float) -> Iterator[tuple[float, dict[str, Any]]]:
        intervals = self.lost_during.intervals_ms if self.lost_during else ()
        for (begins, ends), (following, _) in pairwise((*intervals, (math.inf, math.inf))):
            if begins > until_ms:
                return
            yield begins, {"loses": True}
            if ends < following:
                yield ends, {"loses": False}

    def _rates(self, until_ms: float) -> Iterator[tuple[float, dict[str, Any]]]:
        at_ms = 0
        while self.rate_trace is not None:
            for length_ms, bit_per_s in self.rate_trace.windows:
                if at_ms > until_ms:
                    return
                yield at_ms, {"rate_bit_per_s": bit_per_s}
                at_ms += length_ms


class OverTime(Part):
    """Both directions over time."""

    forward: WayOverTime = WayOverTime()
    backward: WayOverTime = WayOverTime()

    @property
    def label(self) -> str:
        """The files, briefly; empty where nothing changes."""
        there, back = self.forward.label, self.backward.label
        if there == back:
            return there
        ways = (("there", there), ("back", back))
        return "; ".join(f"{way} {label}" for way, label in ways if label)

    @cached_property
    def identity(self) -> str:
        """Of what the files say, whatever they are called; empty where nothing changes."""
        if not self.label:
            return ""
        said = self.model_dump_json(
            exclude_defaults=True,
            exclude={
                way: {what: {"file"} for what in WayOverTime.model_fields}
                for way in ("forward", "backward")
            },
        )
        return hashlib.sha256(said.encode()).hexdigest()

    def unfit(self, path: DirectedPath) -> str:
        """Why it cannot happen on a path, and what to change; empty where it can."""
        for name, way in (("forward", self.forward), ("backward", self.backward)):
            direction: Direction = getattr(path, name)
            if way.rate_trace and not (direction.queue_discipline or direction.queue_bytes):
                return (
                    f"`rate_trace` {name} needs a queue of the rate's own, or a change would come "
                    "late for what waits: give the path a `queue_discipline` there, and any "
                    "`rate_kbit_per_s`, which the trace replaces"
                )
            if not way.lost_packets:
                continue
            if direction.loss_share or direction.gilbert_elliott:
                return (
                    f"`lost_packets` {name} are the only losses there: take `loss_share` or "
                    "`gilbert_elliott` out of the path"
                )
            if self.forward.has_times or self.backward.has_times:
                return (
                    f"`lost_packets` {name} cannot go with `lost_during` or `rate_trace`, either "
                    "way: give files of one sort"
                )
        return ""

    def apply(self, session_lane: pb.SessionLane, stream_ms: float) -> None:
        """Lets a lane change as the files say, from the beginning of its stream on.

        A path that draws has another seed after each change: it would draw the same again.
        """
        if not self.label:
            return
        lane = session_lane.lane
        for way, path in ((self.forward, lane.forward), (self.backward, lane.backward)):
            if way.begins_bit_per_s is not None:
                path.rate_bit_per_s = way.begins_bit_per_s
        session_lane.changes.extend(_changes(self, lane, stream_ms + AFTERWARDS_MS))
        session_lane.changes_may_remain = True


UNCHANGING = OverTime()


def _changes(over: OverTime, lane: pb.LaneSpec, until_ms: float) -> Iterator[pb.LaneChange]:
    first, seed = pb.LaneSpec(), lane.seed
    first.CopyFrom(lane)
    now = pb.LaneSpec()
    now.CopyFrom(lane)
    ways = [
        [(at_ms, name, said) for at_ms, said in getattr(over, name).changes(until_ms)]
        for name in ("forward", "backward")
    ]
    merged = heapq.merge(*ways, key=lambda change: change[0])
    draws = any(_draws(path) for path in (lane.forward, lane.backward))
    for nth, (at_ms, together) in enumerate(groupby(merged, key=lambda change: change[0])):
        for _, name, said in together:
            path: pb.Path = getattr(now, name)
            if "rate_bit_per_s" in said:
                path.rate_bit_per_s = said["rate_bit_per_s"]
            if "listed" in said:
                path.listed.packets.extend(said["listed"])
            if said.get("loses"):
                path.uniform.loss_share = 1
            elif "loses" in said:
                _lose_as(path, getattr(first, name))
        if draws:
            digest = hashlib.sha256(f"{seed} {nth}".encode()).digest()
            now.seed = int.from_bytes(digest[:8]) >> 1
        change = pb.LaneChange(at_ns=round(at_ms * 1_000_000))
        change.spec.CopyFrom(now)
        yield change


def _draws(path: pb.Path) -> bool:
    return bool(
        path.WhichOneof("loss")
        or path.jitter_us
        or path.corrupt_share
        or path.reorder_share
        or path.duplicate_share
        or path.HasField("bit_errors")
    )


def _lose_as(path: pb.Path, other: pb.Path) -> None:
    kind = other.WhichOneof("loss")
    if kind is None:
        path.ClearField("uniform")
    else:
        getattr(path, kind).CopyFrom(getattr(other, kind))
