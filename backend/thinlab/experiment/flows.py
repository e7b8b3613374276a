"""Flows of a cell, in groups that send alike, some with a sender of their own.

Those share the bottleneck of the sender that the grid compares.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, model_validator

from thinlab.condition.transport import Baseline, Mode, Transport, mechanisms_of, mode_of
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.experiment.stream import (
    MOST_BYTES,
    MOST_MESSAGES,
    StreamOrName,
    canonical,
    model,
)
from thinlab.experiment.tanks.known import Told
from thinlab.part import Name, Part

# The agent's own limits for one session.
MOST_FLOWS = 512
MOST_LANES = 4
# Behind a group's name: what comes back over its connections.
BACK = ", back"
NS_PER_MS = 1_000_000
SECONDS_PER_MINUTE = 60

# A mode by the name of what it means now: that, and no word, is what results are kept under.
ResolvedMode = Annotated[Mode, AfterValidator(lambda mode: mode_of(mechanisms_of(mode)))]
Delay = Annotated[float, Field(ge=0, le=86_400_000, allow_inf_nan=False)]


class FlowGroup(Part):
    """Flows that send the same kind of stream."""

    name: Name
    count: int = Field(
        default=1, ge=1, le=MOST_FLOWS, description="Connections; of a replay, times."
    )
    stream: StreamOrName
    back: StreamOrName | None = Field(
        default=None, description="What the other end sends over the same connection."
    )
    answers: bool = Field(
        default=False,
        description="Each message of `back` leaves when one of `stream` was read, after a gap.",
    )
    backward: bool = Field(
        default=False, description="The lane's receiver sends `stream`, and its sender `back`."
    )
    begins_ms: Delay = 0.0
    apart_ms: Delay = Field(default=0.0, description="From one flow's beginning to the next one's.")
    baseline: Baseline | None = Field(default=None, description="Its own; else the grid's.")
    mode: ResolvedMode | None = Field(
        default=None,
        description="Its own, for senders beside those that are compared; else the grid's.",
    )

    @model_validator(mode="before")
    @classmethod
    def _as_a_model_says(cls, data: Any) -> Any:  # noqa: ANN401 (whatever a file has)
        """A model's name stands for both of its ways and all of its connections."""
        if not isinstance(data, dict) or not isinstance(data.get("stream"), str):
            return data
        try:
            named = model(data["stream"])
        except ValueError:
            return data  # said where it stands
        meant: dict[str, Any] = {"count": named.connections}
        if named.back is not None and "back" not in data:
            meant |= {"back": named.back, "answers": named.answers}
        return {"name": named.name, **meant, **data}

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.stream.replay is not None and self.back is not None:
            raise ValueError("a replay has both ways in itself; remove `back`")
        if self.back is not None and self.back.replay is not None:
            raise ValueError("`back` cannot be a replay; give the replay as `stream`")
        if self.answers and (self.back is None or self.back.drawn is None):
            raise ValueError("`answers` needs a drawn stream in `back`; give one")
        return self

    @property
    def flows(self) -> int:
        """How many streams it has, both ways counted."""
        if self.stream.replay is not None:
            ways = [way for one in self.stream.replay.connections for way in (one.there, one.back)]
            return self.count * len([way for way in ways if way])
        return self.count * (1 if self.back is None else 2)

    def sender(self, subject: Transport) -> Transport:
        """Its own sender, or that of the grid."""
        if not self.has_own_sender:
            return subject
        return Transport(
            baseline=self.baseline or subject.baseline,
            mechanisms=subject.mechanisms if self.mode is None else mechanisms_of(self.mode),
        ).in_use

    @property
    def has_own_sender(self) -> bool:
        """Whether it has a lane of its own at the bottleneck."""
        return self.mode is not None or self.baseline is not None

    def identity(self) -> dict[str, Any]:
        """What decides what it sends, beside seed and time."""
        whole = self.model_dump(
            mode="json", exclude_defaults=True, exclude={"stream": True, "back": True}
        )
        back = {} if self.back is None else {"back": self.back.identity()}
        return {**whole, "stream": self.stream.identity(), **back}


@dataclass(frozen=True)
class PlannedFlow:
    """A flow as the agent is asked for it, and whose it is."""

    lane: int
    flow: int
    group: str
    """The group's name; of what comes back over its connections, with `, back`."""
    backward: bool
    begins_ns: int
    asked: pb.Flow
    tanks: Told | None = None
    """Of a captured game: what it tells a player of the tanks."""


# Sessions of an experiment mostly send the same, which is asked for several times in each: of a
# captured game, half a million messages.
@lru_cache(maxsize=4)
def plan(groups: tuple[FlowGroup, ...], minutes: float) -> tuple[PlannedFlow, ...]:
    """Every flow of a session, lane by lane: first those of the senders that are compared."""
    flows: list[PlannedFlow] = []
    for number, lane in enumerate(lanes(groups)):
        of_lane = [
            (group.name, pair)
            for group in lane
            for nth in range(group.count)
            for pair in _pairs(group, nth, minutes)
        ]
        place = 0
        for name, pair in of_lane:
            for asked, tanks in pair:
                group_name = name + BACK if asked.same_connection else name
                begins_ns = pair[0][0].begins_ns
                flows.append(
                    PlannedFlow(number, place, group_name, asked.backward, begins_ns, asked, tanks)
                )
                place += 1
    return tuple(flows)


def part_names(planned: Sequence[PlannedFlow]) -> list[str]:
    """What has results of its own: groups, what comes back to them, and rivals together."""
    together = together_name(planned)
    names = dict.fromkeys(one.group for one in planned)
    return [*names, *([together] if together else [])]


def together_name(planned: Sequence[PlannedFlow]) -> str:
    """Of all flows that go there, by their groups; empty where they are of one."""
    there = dict.fromkeys(one.group for one in planned if not one.backward)
    return " + ".join(there) if len(there) > 1 else ""


def lanes(groups: Sequence[FlowGroup]) -> list[list[FlowGroup]]:
    """Groups by their senders, those of the grid's sender first."""
    own: dict[tuple[Baseline | None, str | None], list[FlowGroup]] = {}
    for group in groups:
        if group.has_own_sender:
            own.setdefault((group.baseline, group.mode), []).append(group)
    return [[group for group in groups if not group.has_own_sender], *own.values()]


def _pairs(
    group: FlowGroup, nth: int, minutes: float
) -> Iterable[list[tuple[pb.Flow, Told | None]]]:
    """The flows over one connection; of a replay, over each of its connections."""
    begins_ms = group.begins_ms + nth * group.apart_ms
    begins_ns = round(begins_ms * NS_PER_MS)
    left = minutes - begins_ms / 1000 / SECONDS_PER_MINUTE
    there, again = group.backward, not group.backward
    replay = group.stream.replay
    if replay is not None:
        for one in replay.connections:
            ways = [(one.there, there, None), (one.back, again, replay.known(one))]
            yield [
                (
                    pb.Flow(
                        stream=replay.message(writes, left),
                        backward=backward,
                        begins_ns=begins_ns,
                        same_connection=bool(one.there) and backward is again,
                    ),
                    tanks,
                )
                for writes, backward, tanks in ways
                if writes
            ]
        return
    pair = [pb.Flow(stream=group.stream.one.message(left), backward=there, begins_ns=begins_ns)]
    if group.back is not None:
        pair.append(
            pb.Flow(
                stream=group.back.one.message(0 if group.answers else left),
                backward=again,
                begins_ns=0 if group.answers else begins_ns,
                same_connection=True,
                answers=group.answers,
            )
        )
    yield [(asked, None) for asked in pair]


def refuse_what_does_not_fit(groups: Sequence[FlowGroup]) -> None:
    """Raises `ValueError` for what no session has room for, whatever it lasts."""
    names = [group.name for group in groups]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"`flows`: two groups are called `{twice}`; name each differently")
    if all(group.has_own_sender for group in groups):
        raise ValueError(
            "`flows`: every group has a `mode` or `baseline` of its own, so that the grid's modes "
            "would change nothing; leave it out of those that are compared"
        )
    flows = sum(group.flows for group in groups)
    if flows > MOST_FLOWS:
        raise ValueError(
            f"`flows`: {flows} streams together, both ways counted, are more than {MOST_FLOWS}; "
            "make a `count` smaller"
        )
    if len(lanes(groups)) > MOST_LANES:
        raise ValueError(
            f"`flows`: more than {MOST_LANES - 1} senders of their own beside the grid's; let "
            "groups share a `mode` and `baseline`"
        )


def refuse_what_lasts_too_long(groups: Sequence[FlowGroup], minutes: float) -> None:
    """Raises `ValueError` for what is more than a session holds, on average where it is drawn."""
    whole = 0.0
    for group in groups:
        begins_s = (group.begins_ms + (group.count - 1) * group.apart_ms) / 1000
        if begins_s >= minutes * SECONDS_PER_MINUTE:
            raise ValueError(
                f"`flows`: `{group.name}` has a flow that begins after {begins_s:g} s, when the "
                f"run's {minutes:g} minutes are over; give more minutes, or let it begin earlier"
            )
        there = group.stream.size(minutes)
        sizes = [there]
        if group.answers and group.back is not None and group.back.drawn is not None:
            answer = group.back.drawn.message_bytes.mean
            sizes.append(there.model_copy(update={"bytes": there.messages * answer}))
        elif group.back is not None:
            sizes.append(group.back.size(minutes))
        for size in sizes:
            if size.messages > MOST_MESSAGES:
                raise ValueError(
                    f"`minutes`: {minutes:g} minutes of `{group.name}` are more than "
                    f"{MOST_MESSAGES} messages; give fewer minutes"
                )
            whole += group.count * size.bytes
    if whole > MOST_BYTES:
        raise ValueError(
            f"`minutes`: {minutes:g} minutes of all flows are {whole / (1 << 20):.0f} MiB, and a "
            f"session holds {MOST_BYTES >> 20} MiB; give fewer minutes, flows or bytes"
        )


def identity(groups: Sequence[FlowGroup]) -> str:
    """All flows as text, for seeds and for telling cells apart."""
    return canonical([group.identity() for group in groups])
