"""What is wished is what runs, whatever a take is doing when the wish comes.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import random
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from typing import Any, NoReturn

import grpc
import pytest
import pytest_asyncio

from tests.demo.conftest import SETTINGS, Stage
from tests.demo.stand_in_take import DemoStandIn
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.contract.generated.names import Editor
from thinlab.demo import take_supervisor
from thinlab.demo.clock import DemoClock
from thinlab.demo.presets import FIRST, PRESETS
from thinlab.demo.setting import DemoSettings
from thinlab.demo.state import DemoStage
from thinlab.demo.stream import (
    ClipStream,
    DemoStream,
    MicrophoneStream,
    SyntheticStream,
    TerminalStream,
)
from thinlab.demo.take import RunningTake
from thinlab.demo.take_request import lanes_of
from thinlab.demo.take_supervisor import TakeEnd, TakeSupervisor
from thinlab.lab.agent import AgentAwayError, AgentRefusedError
from thinlab.lab.demo import TakeCall

PATIENCE_S = 30.0
OFF, ALL = FIRST.lanes
SPARSE = SyntheticStream(kind="synthetic", payload_bytes=120, iat_ms=140)
DENSE = SyntheticStream(kind="synthetic", payload_bytes=120, iat_ms=20)
MICROPHONE = MicrophoneStream(kind="microphone")
TERMINAL = TerminalStream(kind="terminal", editor=Editor.VI, text="A text\n")
SPEECH, SONG = (ClipStream(kind="clip", clip=name) for name in ("speech", "song"))


class _Context:
    """A call's, without a network between."""

    async def abort(self, code: grpc.StatusCode, details: str) -> NoReturn:
        if code is grpc.StatusCode.INVALID_ARGUMENT:
            raise AgentRefusedError(details)
        raise AgentAwayError(details)


class _Call:
    """As `TakeCall`, to the stand-in itself."""

    def __init__(self, lab: DemoStandIn, opened: pb.DemoOpen) -> None:
        self._lab = lab
        self._inputs: asyncio.Queue[pb.LiveInput] = asyncio.Queue()
        self.say(pb.LiveInput(demo=opened))

    def say(self, one: pb.LiveInput) -> None:
        self._inputs.put_nowait(one)

    async def _said(self) -> AsyncIterator[pb.LiveInput]:
        while True:
            yield await self._inputs.get()

    async def events(self) -> AsyncGenerator[pb.LiveEvent, None]:
        async for event in self._lab.RunLive(self._said(), _Context()):
            yield event


class Kept:
    """A supervisor over scripted takes, its opener and its news in one."""

    def __init__(self, settings: DemoSettings) -> None:
        self.lab = DemoStandIn()
        self.clips_may_be_read = asyncio.Event()
        self.clips_may_be_read.set()
        self.clips_read = 0
        self.refused: list[str] = []
        self.turn = asyncio.Lock()
        self._news = asyncio.Condition()
        self.supervisor = TakeSupervisor(settings, DemoClock(time.time_ns()), self, self)
        self.keeping = asyncio.create_task(self.supervisor.keep())

    def open(self, request: pb.DemoOpen) -> tuple[TakeCall, bool]:
        return _Call(self.lab, request), True

    async def clip(self, name: str) -> bytes:
        self.clips_read += 1
        await self.clips_may_be_read.wait()
        return name.encode()

    def opening(self, take: RunningTake, settings: DemoSettings) -> None:
        pass

    def ready(self, take: RunningTake, ready: pb.LiveReady) -> None:
        del ready
        self.supervisor.took_off(take)

    def ended(self, take: RunningTake, end: TakeEnd) -> None:
        pass

    def stage_changed(self) -> None:
        pass

    def wish_refused(self, reason: str) -> None:
        self.refused.append(reason)

    def moment(self, take: RunningTake, moment: pb.DemoMoment) -> None:
        pass

    def screen(self, take: RunningTake, lane: int, screen: pb.TerminalScreen) -> None:
        pass

    def file(self, take: RunningTake, lane: int, file: pb.FileChunk) -> None:
        pass

    async def heard(self, take: RunningTake, sound: pb.DemoSound) -> None:
        pass

    def differs(self) -> str | None:
        """In what the lab's take is not what is wished; none: in nothing."""
        supervisor, take = self.supervisor, self.lab.take
        wished = supervisor.settings
        if supervisor.live is None or supervisor.live.number != self.lab.takes or take is None:
            return f"nothing runs: {supervisor.stage}"
        if supervisor.stage is not (DemoStage.PAUSED if supervisor.paused else DemoStage.RUNNING):
            return f"the stage is {supervisor.stage}"
        if take.specs != lanes_of(wished, take.specs[0].seed):
            return "lanes or path"
        return self._stream_differs(wished.stream) or (
            None if take.paused == supervisor.paused else "paused"
        )

    def _stream_differs(self, wished: DemoStream) -> str | None:
        take = self.lab.take
        assert take is not None
        if take.stream != wished.asked().WhichOneof("kind"):
            return f"{take.stream} runs, {wished.kind} is wished"
        if isinstance(wished, SyntheticStream) and take.synthetic != wished.paced():
            return "size and pace"
        played = self.lab.opened[-1].stream.audio.source_s16le_48k_mono.decode()
        if isinstance(wished, ClipStream) and played != wished.clip:
            return f"the clip {played} runs, {wished.clip} is wished"
        return None

    async def agrees(self) -> None:
        """Returns once the lab runs what is wished."""
        await until(lambda: self.differs() is None, lambda: f"{self.differs()}")

    async def wish(self, **changes: Any) -> None:  # noqa: ANN401 (a setting's value)
        """As the presenter's commands do it."""
        async with self.turn:
            supervisor = self.supervisor
            new = supervisor.settings.model_copy(update=changes)
            if len(new.lanes) != len(supervisor.settings.lanes) or "stream" in changes:
                supervisor.replace(new)
            else:
                await supervisor.change(new)

    async def pace(self, stream: SyntheticStream) -> None:
        """As the presenter's command does it."""
        async with self.turn:
            if isinstance(self.supervisor.settings.stream, SyntheticStream):
                await self.supervisor.set_synthetic(stream)


async def until(holds: Callable[[], bool], otherwise: Callable[[], str] = lambda: "") -> None:
    """Waits for a condition."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not holds():
                await asyncio.sleep(0.005)
    except TimeoutError:
        pytest.fail(otherwise())


Keep = Callable[[DemoStream], Kept]


@pytest_asyncio.fixture
async def keep() -> AsyncIterator[Keep]:
    """Starts keepers, and ends them."""
    all_kept: list[Kept] = []

    def started(stream: DemoStream) -> Kept:
        kept = Kept(FIRST.model_copy(update={"stream": stream}))
        all_kept.append(kept)
        return kept

    yield started
    for kept in all_kept:
        kept.lab.may_open.set()
        kept.clips_may_be_read.set()
        kept.supervisor.end()
        await kept.keeping


Wish = Callable[[Kept], Awaitable[None]]


async def _paused(kept: Kept) -> None:
    kept.supervisor.pause(paused=True)


@pytest.mark.parametrize(
    "wish",
    [
        lambda kept: kept.wish(lanes=[OFF, ALL, OFF]),
        lambda kept: kept.wish(lanes=[ALL]),
        lambda kept: kept.wish(lanes=[ALL, OFF]),
        lambda kept: kept.wish(path=PRESETS[2].path),
        lambda kept: kept.pace(DENSE),
        lambda kept: kept.wish(stream=DENSE),
        lambda kept: kept.wish(stream=MICROPHONE),
        _paused,
    ],
    ids=["more lanes", "fewer", "others", "path", "pace", "another pace", "stream", "pause"],
)
async def test_what_is_wished_while_a_take_opens_is_what_runs(keep: Keep, wish: Wish) -> None:
    kept = keep(SPARSE)
    kept.lab.may_open.clear()
    await until(lambda: kept.lab.takes == 1)
    await wish(kept)
    kept.lab.may_open.set()
    await kept.agrees()
    assert (kept.refused, kept.supervisor.problem) == ([], None)


async def test_lanes_that_come_and_go_while_a_take_opens(keep: Keep) -> None:
    kept = keep(SPARSE)
    kept.lab.may_open.clear()
    await until(lambda: kept.lab.takes == 1)
    for lanes in ([OFF, ALL, OFF], [OFF, ALL, OFF, ALL], [ALL, OFF], [ALL, ALL]):
        await kept.wish(lanes=lanes)
    kept.lab.may_open.set()
    await kept.agrees()
    assert kept.supervisor.settings.lanes == [ALL, ALL]


async def test_a_wish_for_the_next_take_is_not_told_to_the_one_that_ends(keep: Keep) -> None:
    kept = keep(MICROPHONE)
    await kept.agrees()
    await kept.wish(stream=SPARSE)
    await kept.pace(DENSE)
    await kept.wish(lanes=[OFF, ALL, OFF])
    await kept.wish(lanes=[OFF, ALL, ALL])
    assert kept.supervisor.live is None, "nothing is said or typed into it"
    await kept.agrees()
    assert kept.lab.misled == []


async def test_another_stream_while_a_clip_is_read(keep: Keep) -> None:
    kept = keep(SPEECH)
    kept.clips_may_be_read.clear()
    await until(lambda: kept.clips_read == 1)
    await kept.wish(stream=SONG)
    kept.clips_may_be_read.set()
    await kept.agrees()
    kept.clips_may_be_read.clear()
    await kept.wish(stream=SPEECH)
    await until(lambda: kept.clips_read > 2)
    await kept.wish(stream=SPARSE)
    kept.clips_may_be_read.set()
    await kept.agrees()


async def test_the_end_while_a_clip_is_read(keep: Keep) -> None:
    kept = keep(SPEECH)
    kept.clips_may_be_read.clear()
    await until(lambda: kept.clips_read == 1)
    kept.supervisor.end()
    kept.clips_may_be_read.set()
    await kept.keeping
    assert (kept.supervisor.stage, kept.lab.takes) == (DemoStage.ENDED, 0)


async def test_what_the_lanes_cannot_have_when_they_are_ready_is_told_and_taken_back(
    keep: Keep,
) -> None:
    kept = keep(SPARSE)
    kept.lab.may_open.clear()
    await until(lambda: kept.lab.takes == 1)
    await kept.wish(path=PRESETS[2].path)
    kept.lab.problem = "lanes[0].forward.jitter_us: at most 1 s"
    kept.lab.may_open.set()
    await until(lambda: bool(kept.refused))
    await kept.agrees()
    assert kept.supervisor.settings.path == FIRST.path


async def test_lanes_that_do_not_answer_are_opened_again(
    keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = keep(SPARSE)
    await kept.agrees()
    monkeypatch.setattr("thinlab.demo.take.CHANGE_PATIENCE_S", 0.0)
    kept.lab.deaf = True
    await kept.wish(lanes=[ALL, OFF])
    kept.lab.deaf = False
    await kept.agrees()
    assert kept.lab.takes == 2


async def test_what_is_refused_for_good_is_tried_again_with_other_settings(keep: Keep) -> None:
    kept = keep(SPARSE)
    kept.lab.may_open.clear()
    kept.lab.refuses_when_ready = "lanes[0].forward.delay_us: at most 10 s"
    await until(lambda: kept.lab.takes == 1)
    await kept.wish(path=PRESETS[2].path)
    kept.lab.may_open.set()
    await kept.agrees()
    assert kept.supervisor.problem is None


WISHES = 40


def wish_of(chance: random.Random, kept: Kept) -> Awaitable[None]:
    """Something that can be wished."""
    lanes = chance.choices([OFF, ALL], k=chance.randint(1, 4))
    same = chance.choices([OFF, ALL], k=len(kept.supervisor.settings.lanes))
    pace = SPARSE.model_copy(update={"iat_ms": float(chance.randint(10, 900))})
    stream = chance.choice([SPARSE, DENSE, MICROPHONE, TERMINAL, SPEECH, SONG])
    path = chance.choice(PRESETS).path

    async def pause() -> None:
        kept.supervisor.pause(paused=chance.random() < 0.5)

    async def type_and_speak() -> None:
        kind = kept.supervisor.settings.stream.kind
        if kept.supervisor.live is not None and kind == "terminal":
            kept.supervisor.live.press(b"x")
        if kept.supervisor.live is not None and kind == "microphone":
            kept.supervisor.live.microphone(b"\0\0")

    wishes: list[Callable[[], Awaitable[None]]] = [
        lambda: kept.wish(lanes=lanes),
        lambda: kept.wish(lanes=same),
        lambda: kept.wish(path=path),
        lambda: kept.wish(stream=stream),
        lambda: kept.pace(pace),
        lambda: kept.pace(pace),
        pause,
        type_and_speak,
    ]
    return chance.choice(wishes)()


@pytest.mark.parametrize("seed", range(60))
async def test_whatever_is_wished_whenever_is_what_runs_in_the_end(
    keep: Keep, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(take_supervisor, "PAUSES_S", (0.0,) * 1000)
    chance = random.Random(seed)  # noqa: S311
    beginnings: list[DemoStream] = [SPARSE, SPEECH, TERMINAL]
    kept = keep(chance.choice(beginnings))
    gates = (kept.lab.may_open, kept.clips_may_be_read)
    wishing = []
    for _ in range(WISHES):
        wishing.append(asyncio.ensure_future(wish_of(chance, kept)))
        match chance.randrange(12):
            case 0 | 1:
                chance.choice(gates).clear()
            case 2 | 3 | 4:
                chance.choice(gates).set()
            case 5:
                kept.lab.host_dies.set()
        for _ in range(chance.choice((0, 1, 3, 10, 40))):
            await asyncio.sleep(0)
    for gate in gates:
        gate.set()
    refusals = await asyncio.gather(*wishing, return_exceptions=True)
    assert {type(one) for one in refusals} <= {type(None)}, refusals
    await kept.agrees()
    assert (kept.lab.misled, kept.refused) == ([], [])


async def test_lanes_and_keys_of_a_console_while_a_take_opens_and_ends(stage: Stage) -> None:
    stage.lab.may_open.clear()
    summary = await stage.start()
    console = await stage.console(summary["demo_id"])
    lane = SETTINGS["lanes"][0]
    assert (await console.do("set_lanes", lanes=[lane] * 3))["type"] == "done"
    stage.lab.may_open.set()
    state = await console.state(stage="running")
    assert (len(state["lanes"]), len(stage.lab.opened[-1].lanes)) == (3, 3)
    terminal = {"kind": "terminal", "editor": "vi", "text": ""}
    # Not one after the other: the key finds the clip's take on its way out.
    await console.say(do="set_stream", stream=terminal)
    refused = await console.do("key", data="x")
    assert refused["text"] == "No terminal is open."
    await console.state(take=state["take"] + 1, stage="running")
    assert stage.lab.misled == []
