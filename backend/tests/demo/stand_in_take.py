"""A stand-in for the lab's takes: a real gRPC server whose demos follow a script.

Two lanes' packets, messages, sound and figures are invented, in step and at the
real pace; changes, pauses, keys, finishing and a dying host work as told. For
what the real host cannot be made to do on demand, and for work on pages:

    python -m tests.demo.stand_in_take /tmp/lab.sock
    THINLAB_LIVE_LAB=unix:/tmp/lab.sock … thinlab run

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.json_format import ParseDict

from tests.demo.opus import PACKET_NS
from tests.made_up import made_up_result
from tests.stand_in import HOST_LOST, LiveEvents, LiveLab, Refusal, serving
from thinlab.contract.generated import lab_pb2 as pb

MOMENT_NS = 100_000_000
MESSAGE_NS = 34_000_000
EVERY_LOST = 25
RTT_NS = 130_000_000
SILENCE = b"\xf8\xff\xfe"


class DemoStandIn(LiveLab):
    """Runs takes; a host of two demos with terminals."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[pb.DemoOpen] = []
        self.inputs: list[pb.LiveInput] = []
        self.takes = 0
        self.demo_guests = 2
        self.host_dies = asyncio.Event()
        self.may_open = asyncio.Event()
        """While it is clear, takes are being opened."""
        self.may_open.set()
        self.may_end = asyncio.Event()
        """While it is clear, a take that was told to finish goes on."""
        self.may_end.set()
        self.misled: list[str] = []
        """What takes were told that a take of their stream cannot be told."""
        self.deaf = False
        """Changes are not answered."""
        self.refuses_when_ready: str | None = None
        """The next take is refused with this, once it may open."""
        self.take: _Take | None = None
        """The last one that was opened."""
        self.refuses: str | None = None
        """A take is refused with this."""
        self.problem = ""
        """What a change is answered with."""
        self.dies_at_opening = 0
        self.pace = 1.0
        """How often a moment comes: 0 is as fast as it is taken."""
        self.held_up: pb.DemoHeldUp | None = None
        """What moments say of the machine; an older agent's say nothing."""
        self.lacks: set[pb.Mechanism.ValueType] = set()

    async def Describe(self, request: pb.DescribeRequest, context: Any) -> pb.HostDescription:  # noqa: ANN401, N802
        described = await super().Describe(request, context)
        described.demo_guests = self.demo_guests
        for mechanism in pb.Mechanism.values()[1:]:
            described.mechanisms.add(
                mechanism=mechanism,
                available=mechanism not in self.lacks,
                reason="not patched" if mechanism in self.lacks else "",
            )
        for baseline in pb.Baseline.values()[1:]:
            described.baselines.add(baseline=baseline, available=True)
        return described

    async def live(
        self, requests: AsyncIterator[pb.LiveInput], events: LiveEvents
    ) -> Refusal | None:
        """One take."""
        self.takes += 1
        first = await anext(requests)
        self.opened.append(first.demo)
        if self.refuses is not None:
            return (grpc.StatusCode.INVALID_ARGUMENT, self.refuses)
        if self.dies_at_opening > 0:
            self.dies_at_opening -= 1
            return HOST_LOST
        self.take = _Take(self, first.demo)
        return await self.take.run(requests, events)


class _Take:
    """One of them."""

    def __init__(self, lab: DemoStandIn, opened: pb.DemoOpen) -> None:
        self._lab = lab
        self._opened = opened
        self._lanes = [_Lane(spec) for spec in opened.lanes]
        self._misled: str | None = None
        """What it was told that its stream cannot be told."""
        stream = opened.stream
        self.synthetic = stream.synthetic if stream.HasField("synthetic") else None
        self.paused = False
        self._finished = asyncio.Event()
        self._screens = 0

    @property
    def specs(self) -> list[pb.LaneSpec]:
        """What its lanes have."""
        return [lane.spec for lane in self._lanes]

    @property
    def stream(self) -> str | None:
        """Which kind it plays."""
        return self._opened.stream.WhichOneof("kind")

    async def run(
        self,
        requests: AsyncIterator[pb.LiveInput],
        events: LiveEvents,
    ) -> Refusal | None:
        """To its end."""
        await self._lab.may_open.wait()
        refusal, self._lab.refuses_when_ready = self._lab.refuses_when_ready, None
        if refusal is not None:
            return (grpc.StatusCode.INVALID_ARGUMENT, refusal)
        if self._opened.stream.HasField("terminal"):
            # As the lab does: editors draw before a key counts.
            self._show(events, b"\x1b[2J" + self._opened.stream.terminal.text, 0)
        began_ns = time.time_ns()
        events.put_nowait(
            pb.LiveEvent(ready=pb.LiveReady(host="g1", build="stand-in", at_ns=began_ns))
        )
        tasks = [
            asyncio.create_task(self._listen(requests, events)),
            asyncio.create_task(self._pass(began_ns, events)),
            asyncio.create_task(self._lab.host_dies.wait()),
        ]
        ending = asyncio.create_task(self._finished.wait())
        try:
            await asyncio.wait((*tasks, ending), return_when=asyncio.FIRST_COMPLETED)
            if not self._finished.is_set():
                # The next take has another host.
                self._lab.host_dies.clear()
                return HOST_LOST
            if self._misled is not None:
                return (grpc.StatusCode.INVALID_ARGUMENT, self._misled)
            result = pb.DemoResult(
                lanes=[lane.result() for lane in self._lanes],
                ready_ns=began_ns,
                end_ns=time.time_ns(),
            )
            events.put_nowait(pb.LiveEvent(demo=result))
            return None
        finally:
            for task in (*tasks, ending):
                task.cancel()

    async def _listen(
        self,
        requests: AsyncIterator[pb.LiveInput],
        events: LiveEvents,
    ) -> None:
        async for one in requests:
            self._lab.inputs.append(one)
            match one.WhichOneof("input"):
                case "change":
                    self._change(one.change, events)
                case "pause":
                    self.paused = one.pause.paused
                case "keys" if self.stream == "terminal":
                    self._show(events, one.keys.data, one.keys.number)
                case "synthetic" if self.stream == "synthetic":
                    self.synthetic = one.synthetic
                case "microphone" if self.stream == "microphone":
                    pass
                case "finish":
                    await self._lab.may_end.wait()
                    self._finished.set()
                case other:
                    # As the real one does.
                    self._misled = f"{other}: the stream is {self.stream}"
                    self._lab.misled.append(self._misled)
                    self._finished.set()

    def _change(self, change: pb.DemoChange, events: LiveEvents) -> None:
        if self._lab.deaf:
            return
        problem = self._lab.problem
        if any(one.lane >= len(self._lanes) for one in change.lanes):
            problem = "lanes.lane: there is no such lane"
        if not problem:
            for one in change.lanes:
                self._lanes[one.lane].spec = one.spec
        changed = pb.DemoChanged(id=change.id, kernel_at_ns=time.time_ns(), problem=problem)
        events.put_nowait(pb.LiveEvent(changed=changed))

    def _show(self, events: LiveEvents, data: bytes, answers: int) -> None:
        self._screens += 1
        for lane in range(len(self._lanes)):
            shown = pb.TerminalScreen(
                number=self._screens, data=data, answers_key=answers, at_ns=time.time_ns()
            )
            events.put_nowait(pb.LiveEvent(lane=lane, screen=shown))

    async def _pass(self, began_ns: int, events: LiveEvents) -> None:
        """Moments, sound and captures, until cancelled."""
        at_ns, sounds, moments = began_ns, 0, 0
        while True:
            at_ns += MOMENT_NS
            moments += 1
            delay_s = (at_ns - time.time_ns()) / 1e9 * self._lab.pace
            await asyncio.sleep(max(delay_s, 0))
            lanes = [
                lane.moment(began_ns, at_ns, paused=self.paused, figures=moments % 10 == 0)
                for lane in self._lanes
            ]
            moment = pb.DemoMoment(at_ns=at_ns, lanes=lanes, held_up=self._lab.held_up)
            events.put_nowait(pb.LiveEvent(moment=moment))
            for _ in range(MOMENT_NS // PACKET_NS):
                sound = pb.DemoSound(
                    number=sounds,
                    at_ns=began_ns + sounds * PACKET_NS,
                    opus=[SILENCE for _ in self._lanes],
                )
                events.put_nowait(pb.LiveEvent(sound=sound))
                sounds += 1
            for at in range(len(self._lanes)):
                for kind in (pb.FILE_KIND_SENDER_CAPTURE, pb.FILE_KIND_RECEIVER_CAPTURE):
                    file = pb.FileChunk(kind=kind, data=b"frame %d\n" % moments)
                    events.put_nowait(pb.LiveEvent(lane=at, file=file))


class _Lane:
    """A lane whose every 25th message is lost; bundling repairs it at once, a timeout later."""

    def __init__(self, spec: pb.LaneSpec) -> None:
        self.spec = spec
        self._messages = 0
        self._packets = 0
        self._until_ns = 0

    def moment(
        self, began_ns: int, at_ns: int, *, paused: bool, figures: bool
    ) -> pb.DemoLaneMoment:
        found = pb.DemoLaneMoment()
        bundles = pb.MECHANISM_BUNDLING in self.spec.mechanisms
        while began_ns + self._messages * MESSAGE_NS < at_ns - RTT_NS:
            number, sent_ns = self._messages, began_ns + self._messages * MESSAGE_NS
            self._messages += 1
            if not paused:
                self._send(found, number, sent_ns, bundles=bundles)
        found.socket.CopyFrom(
            pb.SocketState(at_ns=at_ns, snd_cwnd=10, in_flight=4, rto_us=330_000, rtt_us=131_000)
        )
        found.playout.buffer_ms, found.playout.target_ms = 60.0, 60.0
        found.playout.delay_ms = 125.0
        if figures:
            found.whole.CopyFrom(self._figures())
            found.last_minute.CopyFrom(self._figures())
        return found

    def _send(self, found: pb.DemoLaneMoment, number: int, sent_ns: int, *, bundles: bool) -> None:
        lost = number % EVERY_LOST == EVERY_LOST - 1
        late_ns = (MESSAGE_NS if bundles else 330_000_000) if lost else 0
        arrived_ns = sent_ns + RTT_NS // 2 + late_ns
        self._packets += 1
        found.departures.add(
            number=self._packets,
            forward=True,
            kind=pb.PACKET_KIND_BUNDLE if bundles and number else pb.PACKET_KIND_NEW,
            sent_ns=sent_ns,
            start=max(number - 1, 0) * 236 if bundles else number * 236,
            end=(number + 1) * 236,
            new_from=number * 236,
        )
        fate = found.fates.add(number=self._packets)
        if not lost:
            fate.arrived_ns = arrived_ns
        repair = pb.RECOVERY_BUNDLE if bundles else pb.RECOVERY_TIMEOUT
        found.messages.add(
            number=number,
            written_ns=sent_ns,
            sent_ns=sent_ns,
            arrived_ns=arrived_ns,
            available_ns=arrived_ns,
            recovery=repair if lost else pb.RECOVERY_NONE,
        )

    def _figures(self) -> pb.LaneFigures:
        bundles = pb.MECHANISM_BUNDLING in self.spec.mechanisms
        worst_us = 99_000.0 if bundles else 395_000.0
        one = pb.LatencyDistribution(
            samples=self._messages,
            min_us=65_000,
            p50_us=65_100,
            p99_us=worst_us,
            max_us=worst_us,
            cdf=[
                pb.CdfPoint(latency_us=65_000 + at * (worst_us - 65_000) / 199, share=at / 199)
                for at in range(200)
            ],
        )
        both = pb.Latency(per_byte=one, per_message=one)
        return pb.LaneFigures(
            metrics=pb.TraceMetrics(packets=self._packets, transport=both, application=both),
            felt=pb.FeltMetrics(messages=self._messages, sojourn=one),
        )

    def result(self) -> pb.DemoLaneResult:
        made_up = ParseDict(made_up_result("any").model_dump(mode="json"), pb.SessionResult())
        return pb.DemoLaneResult(
            check=made_up.check, figures=self._figures(), playout=made_up.playout
        )


async def _serve(path: Path) -> None:
    async with serving(DemoStandIn(), path) as address:
        sys.stdout.write(f"{address}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_serve(Path(sys.argv[1])))
