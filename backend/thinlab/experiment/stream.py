"""What flows of an experiment send: one kind of the contract's streams each, or a model's name.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import json
import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, ValidationInfo, model_validator

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.contract.generated.names import IatDistribution
from thinlab.experiment.beside import Beside
from thinlab.experiment.number import Number
from thinlab.experiment.tanks.known import Told, known_in
from thinlab.located_yaml import parse
from thinlab.part import Milliseconds, Name, Part, Text

MODELS = Path(__file__).parent / "models"
# The agent's own limits for one session.
MOST_BYTES = 32 << 20
MOST_MESSAGES = 1_000_000

# What `make captures` links there, beside the experiments that are shipped.
CAPTURES = "captures"

MS_PER_MINUTE = 60_000
US_PER_MS = 1000
UINT32 = 2**32 - 1
NS_PER_S = 1_000_000_000


class Size(Part):
    """How much there is to send, on average where it is drawn."""

    messages: float
    bytes: float


class SyntheticStream(Part):
    """Messages of one size, evenly or at the times of a Poisson process."""

    message_bytes: int = Field(ge=1, le=1_048_576)
    iat_ms: Annotated[Milliseconds, Field(gt=0)]
    iat_spread_ms: Milliseconds = 0.0
    iat_distribution: IatDistribution = IatDistribution.EVEN

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.iat_spread_ms * 2 > self.iat_ms:
            raise ValueError(
                "`iat_spread_ms` is more than half of `iat_ms`: messages would overtake each "
                "other; make it smaller"
            )
        if self.iat_spread_ms and self.iat_distribution is IatDistribution.EXPONENTIAL:
            raise ValueError(
                "`iat_spread_ms` has no meaning where `iat_distribution` is exponential; remove it"
            )
        return self

    def messages(self, minutes: float) -> int:
        """How many messages that many minutes have."""
        return max(1, round(minutes * MS_PER_MINUTE / self.iat_ms))

    def size(self, minutes: float) -> Size:
        """What that many minutes have."""
        messages = self.messages(minutes)
        return Size(messages=messages, bytes=messages * self.message_bytes)

    def message(self, minutes: float) -> pb.Stream:
        """As the agent takes it."""
        stream = pb.SyntheticStream(
            payload_bytes=self.message_bytes,
            iat_us=round(self.iat_ms * US_PER_MS),
            iat_spread_us=round(self.iat_spread_ms * US_PER_MS),
            messages=min(self.messages(minutes), UINT32),
        )
        if self.iat_distribution is IatDistribution.EXPONENTIAL:
            stream.iat_distribution = pb.IAT_DISTRIBUTION_EXPONENTIAL
        return pb.Stream(synthetic=stream)


class DrawnStream(Part):
    """Messages whose sizes and gaps are drawn; in bursts with pauses, or without end."""

    message_bytes: Number
    gap_ms: Number = Field(description="From one message of a burst to the next.")
    burst_messages: Number | None = None
    pause_ms: Number | None = Field(default=None, description="Between bursts.")

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.burst_messages is None) != (self.pause_ms is None):
            raise ValueError("`burst_messages` and `pause_ms` go together; give both or neither")
        return self

    @property
    def mean_gap_ms(self) -> float:
        """Between messages, pauses included."""
        if self.burst_messages is None or self.pause_ms is None:
            return self.gap_ms.mean
        burst = max(1.0, self.burst_messages.mean)
        return (self.gap_ms.mean * (burst - 1) + self.pause_ms.mean) / burst

    def size(self, minutes: float) -> Size:
        """What that many minutes have on average."""
        gap_ms = self.mean_gap_ms
        messages = 1 + minutes * MS_PER_MINUTE / gap_ms if gap_ms else math.inf
        return Size(messages=messages, bytes=messages * self.message_bytes.mean)

    def message(self, minutes: float) -> pb.Stream:
        """As the agent takes it; of no minutes, what answers: it ends with what it answers."""
        drawn = pb.DrawnStream(
            payload_bytes=self.message_bytes.message(),
            gap_us=self.gap_ms.message(US_PER_MS),
            lasts_us=max(1, round(minutes * MS_PER_MINUTE * US_PER_MS)) if minutes else 0,
        )
        if self.burst_messages is not None and self.pause_ms is not None:
            drawn.burst_messages.CopyFrom(self.burst_messages.message())
            drawn.pause_us.CopyFrom(self.pause_ms.message(US_PER_MS))
        return pb.Stream(drawn=drawn)


class BulkStream(Part):
    """One write that keeps the socket full, however long it takes."""

    bytes: int = Field(ge=1, le=MOST_BYTES)

    def size(self, _: float) -> Size:
        """All of it."""
        return Size(messages=1, bytes=self.bytes)

    def message(self, _: float) -> pb.Stream:
        """As the agent takes it."""
        return pb.Stream(bulk=pb.BulkStream(bytes=self.bytes))


class Write(Part):
    """What an application handed to its socket."""

    at_ns: int = Field(ge=0)
    bytes: int = Field(ge=1, le=MOST_BYTES)


class Connection(Part):
    """A connection of a capture."""

    client: str
    server: str
    there: tuple[Write, ...]
    back: tuple[Write, ...]


class Captured(Part):
    """What `lab-agent stream of` prints."""

    connections: tuple[Connection, ...] = Field(min_length=1)


class ReplayStream(Part):
    """What applications wrote in a capture, each connection by itself: `there` from its client."""

    file: str = Field(description="What `lab-agent stream of` printed, beside the experiment.")
    loop_s: float | None = Field(
        default=None,
        gt=0,
        le=86_400,
        description="It begins again this often; without it, it is sent once.",
    )
    ways: Literal["there", "back", "both"] = "both"
    content: str = Field(default="", repr=False, description="Not to be written: the file's.")
    positions: str | None = Field(
        default=None,
        description="Of a game: what `captures/game/positions` wrote of the tanks. Measured is how "
        "far they are from where players see them.",
    )
    positions_content: str = Field(
        default="", repr=False, description="Not to be written: the file's."
    )

    @model_validator(mode="before")
    @classmethod
    def _read(cls, data: Any, info: ValidationInfo) -> Any:  # noqa: ANN401 (whatever a file has)
        beside = Beside.of(info)
        if not isinstance(data, Mapping) or beside is None:
            return data
        read: dict[str, str] = {}
        for field, content in (("file", "content"), ("positions", "positions_content")):
            if content in data:
                raise ValueError(f"`{content}` is the file's; leave it out")
            if isinstance(data.get(field), str):
                read[content] = _beside(beside, data[field])
        return {**data, **read}

    @model_validator(mode="after")
    def _holds(self) -> Self:
        try:
            captured = captured_in(self.content)
        except ValueError as error:
            raise ValueError(
                f"{self.file} is not what `lab-agent stream of CAPTURE` prints; make it with that"
            ) from error
        if self.loop_s is not None and self.loop_s * NS_PER_S < captured_ns(captured):
            raise ValueError(
                f"`loop_s` is shorter than the capture, {captured_ns(captured) / NS_PER_S:.3f} s; "
                "make it longer"
            )
        if self.positions is not None:
            self._expect_to_fit(captured)
        return self

    def _expect_to_fit(self, captured: "Captured") -> None:
        made = f"{self.positions} is not what `make captures` makes beside {self.file}; run it"
        try:
            told = known_in(self.positions_content)
        except ValueError as error:
            raise ValueError(made) from error
        for one in captured.connections:
            known = told.get((one.client, one.server))
            written = sum(write.bytes for write in one.back)
            if known is None or known.ends.max(initial=0) > written:
                raise ValueError(made)

    def known(self, connection: "Connection") -> Told | None:
        """What the server says of tanks over a connection; nothing where nobody asks."""
        if self.positions is None:
            return None
        return known_in(self.positions_content)[connection.client, connection.server]

    @property
    def connections(self) -> tuple[Connection, ...]:
        """The capture's, those ways alone that are wanted."""
        kept = [
            one.model_copy(
                update={
                    "there": one.there if self.ways != "back" else (),
                    "back": one.back if self.ways != "there" else (),
                }
            )
            for one in captured_in(self.content).connections
        ]
        return tuple(one for one in kept if one.there or one.back)

    def size(self, minutes: float) -> Size:
        """What that many minutes have."""
        once_s = captured_ns(captured_in(self.content)) / NS_PER_S
        times = 1.0 if self.loop_s is None else minutes * 60 / self.loop_s
        times = min(times, minutes * 60 / once_s) if once_s and self.loop_s is None else times
        writes = [write for one in self.connections for write in (*one.there, *one.back)]
        return Size(
            messages=len(writes) * times, bytes=sum(write.bytes for write in writes) * times
        )

    def message(self, writes: tuple[Write, ...], minutes: float) -> pb.Stream:
        """One way of a connection as the agent takes it."""
        return pb.Stream(
            replay=pb.ReplayStream(
                messages=[
                    pb.ReplayMessage(at_ns=one.at_ns, payload_bytes=one.bytes) for one in writes
                ],
                lasts_ns=round(minutes * 60 * NS_PER_S),
                every_ns=round((self.loop_s or 0) * NS_PER_S),
            )
        )


def _beside(beside: Beside, name: str) -> str:
    """What a file beside the experiment holds. Raises `ValueError`."""
    if Path(name).is_absolute() or ".." in Path(name).parts:
        raise ValueError(f"`{name}` is not beside the experiment: put a copy there, and name it")
    try:
        content = (beside.folder / name).read_text(encoding="utf-8")
    except FileNotFoundError as error:
        if Path(name).parts[:1] != (CAPTURES,):
            raise ValueError(f"there is no file {beside.folder / name}; name another") from error
        raise ValueError(f"{name} has not been made yet; run `make captures`") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{beside.folder / name} cannot be read: {error}") from error
    beside.names.add(name)
    return content


@cache
def captured_in(content: str) -> Captured:
    """The description in a file. Raises `ValueError`."""
    return Captured.model_validate_json(content)


def captured_ns(captured: Captured) -> int:
    """When the last write was."""
    return max(write.at_ns for one in captured.connections for write in (*one.there, *one.back))


class Stream(Part):
    """One of its fields."""

    synthetic: SyntheticStream | None = None
    drawn: DrawnStream | None = None
    bulk: BulkStream | None = None
    replay: ReplayStream | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        kinds = list(type(self).model_fields)
        if len([kind for kind in kinds if getattr(self, kind) is not None]) != 1:
            raise ValueError(f"give one of {', '.join(kinds)}, or a model's name")
        return self

    @property
    def one(self) -> SyntheticStream | DrawnStream | BulkStream:
        """What is sent one way: anything but a replay."""
        kind = self.synthetic or self.drawn or self.bulk
        if kind is None:
            raise TypeError("a replay is sent connection by connection")
        return kind

    def size(self, minutes: float) -> Size:
        """What that many minutes have."""
        return (self.replay or self.one).size(minutes)

    def identity(self) -> dict[str, Any]:
        """What decides the messages, beside the seed and the time."""
        whole = self.model_dump(mode="json", exclude_defaults=True)
        if self.replay is not None:
            # Of what is sent: what is measured of it changes nothing.
            for name in ("content", "file", "positions", "positions_content"):
                whole["replay"].pop(name, None)
            whole["replay"]["sha256"] = hashlib.sha256(self.replay.content.encode()).hexdigest()
        return whole


class Model(Part):
    """An application's streams, as data: `models/*.yaml`."""

    name: Name
    title: Text
    source: Text = Field(description="Where its figures come from, and what is assumed.")
    connections: int = Field(default=1, ge=1, le=256, description="That it has at once.")
    stream: Stream = Field(description="What the measured end sends.")
    back: Stream | None = Field(
        default=None, description="What the other end sends over the same connection."
    )
    answers: bool = Field(
        default=False, description="Each message of `back` leaves when one of `stream` was read."
    )
    published: dict[str, float] = Field(
        default={}, description="The stream's row of a published table; only tests look at it."
    )


def model(name: str) -> Model:
    """The model of that name. Raises `ValueError`."""
    found = models()
    if name not in found:
        raise ValueError(f"no model is called `{name}`; there are: {', '.join(found)}")
    return found[name]


@cache
def models() -> dict[str, Model]:
    """Every model by its name."""
    read = [
        Model.model_validate(parse(file, str(MODELS / "ssh.yaml")).data)
        for file in sorted(MODELS.glob("*.yaml"))
    ]
    return {one.name: one for one in read}


def _named(value: object) -> object:
    return model(value).stream if isinstance(value, str) else value


# Written out, or what a model's measured end sends.
StreamOrName = Annotated[Stream, BeforeValidator(_named)]


def canonical(parts: object) -> str:
    """Data as text that is always the same."""
    return json.dumps(parts, sort_keys=True, separators=(",", ":"))
