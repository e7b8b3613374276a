"""A running demo as its consoles see it, and as the audience may.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Protocol

from thinlab.condition import profiles, words
from thinlab.demo import audience_message as seen
from thinlab.demo.audience import Audience
from thinlab.demo.audience_message import NO_DIFFERENCE
from thinlab.demo.clock import DemoClock
from thinlab.demo.held_up import HeldUp
from thinlab.demo.limits import LENGTH_LIMIT_MS
from thinlab.demo.microphone import Microphone
from thinlab.demo.state import (
    Advice,
    AudienceCount,
    DemoState,
    LaneState,
    PollChoice,
    PollState,
)
from thinlab.demo.take_supervisor import TakeSupervisor
from thinlab.demo.wording import SettingsWords, lane_names


class Running(Protocol):
    """What of a demo shows."""

    demo_id: int
    title: str
    code: str
    join_url: str
    clock: DemoClock
    supervisor: TakeSupervisor
    audience: Audience
    microphone: Microphone
    held_up: HeldUp
    take_number: int
    take_at_ms: float | None
    on_its_way: dict[int, str]
    advice: list[Advice]


def for_consoles(demo: Running) -> DemoState:
    """All of it."""
    supervisor, audience = demo.supervisor, demo.audience
    settings, order = supervisor.settings, audience.order
    listening = audience.listening()
    names = lane_names(settings.lanes)
    profile = profiles.of_path(settings.path)
    return DemoState(
        type="state",
        at_ms=demo.clock.now_ms(),
        demo_id=demo.demo_id,
        title=demo.title,
        code=demo.code,
        join_url=demo.join_url,
        stage=supervisor.stage,
        take=demo.take_number,
        take_at_ms=demo.take_at_ms,
        limit_ms=LENGTH_LIMIT_MS,
        preset=None if profile is None else profile.name,
        path=settings.path,
        lanes=[
            LaneState(
                lane=at,
                letter=order.letter(at),
                name=names[at],
                named=lane.name is not None,
                baseline=lane.baseline,
                mechanisms=list(lane.mechanisms),
                bundling=lane.bundling,
                sctp=lane.sctp,
                udp_lite=lane.udp_lite,
                listeners=listening[at],
            )
            for at, lane in enumerate(settings.lanes)
        ],
        stream=settings.stream,
        words=SettingsWords.of(settings),
        on_its_way=list(demo.on_its_way.values()),
        microphone_live=demo.microphone.live,
        blind=order.blind,
        poll=_poll(demo),
        audience=AudienceCount(watching=audience.watching, listening=sum(listening.values())),
        problem=supervisor.problem,
        held_up=demo.held_up.lately,
        advice=demo.advice,
    )


def _poll(demo: Running) -> PollState | None:
    poll = demo.audience.poll
    if poll is None:
        return None
    counts = poll.counts()
    return PollState(
        number=poll.number,
        question=poll.question,
        open=poll.open,
        choices=[
            PollChoice(letter=letter, lane=lane, name=name, votes=counts[letter])
            for letter, lane, name in zip(poll.letters, poll.order, poll.names, strict=True)
        ],
        no_difference=counts[NO_DIFFERENCE],
        votes=counts.total(),
        revealed=poll.revealed,
    )


def for_audience(demo: Running) -> seen.AudienceState:
    """What they may know."""
    supervisor, order = demo.supervisor, demo.audience.order
    settings = supervisor.settings
    names = lane_names(settings.lanes)
    lanes = []
    for letter, lane in zip(order.letters, order.lanes, strict=True):
        revealed = None
        if not order.blind:
            sender = settings.lanes[lane]
            revealed = seen.RevealedLane(
                lane=lane,
                name=names[lane],
                baseline=sender.baseline,
                mechanisms=list(sender.mechanisms),
                sender=words.transport(sender),
                plainly=words.plainly(sender),
            )
        lanes.append(seen.AudienceLane(letter=letter, revealed=revealed))
    return seen.AudienceState(
        type="state",
        at_ms=demo.clock.now_ms(),
        title=demo.title,
        code=demo.code,
        stage=supervisor.stage,
        blind=order.blind,
        stream=settings.stream.kind,
        sound=settings.stream.heard,
        take=demo.take_number,
        lanes=lanes,
        path=None if order.blind else settings.path,
        path_in_full=None if order.blind else words.in_full(settings.path),
        poll=_poll_seen(demo),
    )


def _poll_seen(demo: Running) -> seen.AudiencePoll | None:
    poll, blind = demo.audience.poll, demo.audience.order.blind
    if poll is None:
        return None
    counts = poll.counts()
    result = None
    # Who has yet to vote is not to follow the others.
    if not poll.open:
        result = seen.PollResult(
            choices=[
                seen.LetterVotes(letter=letter, name=None if blind else name, votes=counts[letter])
                for letter, name in zip(poll.letters, poll.names, strict=True)
            ],
            no_difference=counts[NO_DIFFERENCE],
        )
    return seen.AudiencePoll(
        number=poll.number,
        question=poll.question,
        open=poll.open,
        votes=counts.total(),
        result=result,
        revealed=poll.revealed,
    )
