"""A condition as people write it into files: a mode's name, a round trip split evenly.

What is written is kept beside what it meant when the file was loaded: a mode that
is given a further mechanism later changes nothing that was loaded before.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated, Any, Self

from pydantic import (
    BeforeValidator,
    Discriminator,
    Field,
    Tag,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticKnownError

from thinlab.condition import profiles
from thinlab.condition.condition import Condition, too_long
from thinlab.condition.path import Direction, Impairments, Path
from thinlab.condition.reference import Reference
from thinlab.condition.transport import (
    ALL,
    SETS,
    Baseline,
    Bundling,
    Mechanism,
    Mode,
    Sctp,
    Tcp,
    Transport,
    UdpLite,
    in_order,
    mechanisms_of,
    unfit,
)
from thinlab.contract.generated.names import Codec
from thinlab.part import Milliseconds, Part


class WrittenDirection(Impairments):
    """One direction, with a delay of its own where the two differ."""

    delay_ms: Milliseconds | None = Field(
        default=None,
        description="In both directions, instead of `rtt_ms`.",
    )


class WrittenPath(Part):
    """Round-trip time, split evenly, and what happens in each direction."""

    rtt_ms: Milliseconds | None = Field(
        default=None,
        description="Round-trip time; or a `delay_ms` in each direction.",
        examples=[130],
    )
    forward: WrittenDirection = Field(default=WrittenDirection(), description="Sender to receiver.")
    backward: WrittenDirection = Field(
        default=WrittenDirection(), description="Receiver to sender."
    )

    @model_validator(mode="after")
    def _one_kind_of_delay(self) -> Self:
        delays = {self.forward.delay_ms is not None, self.backward.delay_ms is not None}
        if delays != {self.rtt_ms is None}:
            raise ValueError("give `rtt_ms`, or `delay_ms` in `forward` and in `backward`")
        return self

    def resolved(self) -> Path:
        """The path that is meant."""
        return Path(forward=self._way(self.forward), backward=self._way(self.backward))

    def _way(self, written: WrittenDirection) -> Direction:
        delay_ms = written.delay_ms if self.rtt_ms is None else self.rtt_ms / 2
        return Direction.model_validate({**dict(written), "delay_ms": delay_ms})

    @classmethod
    def of(cls, path: Path) -> Self:
        """A path, written the shortest way."""
        there, back = path.forward, path.backward
        if there.delay_ms != back.delay_ms:
            return cls.model_validate({"forward": dict(there), "backward": dict(back)})
        ways = {
            name: {**dict(way), "delay_ms": None}
            for name, way in (("forward", there), ("backward", back))
        }
        return cls.model_validate({"rtt_ms": path.rtt_ms, **ways})


def _named(value: Any) -> Any:  # noqa: ANN401 (whatever a file has)
    if not isinstance(value, str):
        return value
    profile = profiles.named(value)
    if profile is None:
        *most, last = (f"'{one.name}'" for one in profiles.NAMED)
        raise PydanticKnownError("literal_error", {"expected": f"{', '.join(most)} or {last}"})
    return WrittenPath.of(profile.path)


def _or_a_name(schema: dict[str, Any]) -> None:
    path = {"$ref": schema.pop("$ref")}
    schema["anyOf"] = [path, {"enum": [one.name for one in profiles.NAMED]}]


PathOrName = Annotated[WrittenPath, BeforeValidator(_named), Field(json_schema_extra=_or_a_name)]


class WrittenCondition(Part):
    """How something is sent: mode, baseline and path."""

    mode: Mode
    mechanisms: tuple[Mechanism, ...] | None = Field(
        default=None,
        validate_default=True,
        description="What `mode` means; to be left out, unless `all`, `recommended` or "
        "`all_of_sctp` is to mean something else than when the file is first loaded.",
    )
    baseline: Baseline = Baseline.NEWRENO2008
    bundling: Bundling = Bundling()
    tcp: Tcp = Tcp()
    sctp: Sctp = Sctp()
    udp_lite: UdpLite = UdpLite()
    codec: Codec = Field(
        default=Codec.OPUS,
        description="Of sound. `opus`: 48 kHz, the papers' Skype; a damaged packet is thrown away. "
        "`g711`: a telephone's 3.4 kHz; a damaged byte is one wrong sample. Conditions that are "
        "compared have the same.",
    )
    path: PathOrName = Field(description="Written out, or a named path.")

    @field_validator("mechanisms")
    @classmethod
    def _resolved(
        cls, mechanisms: tuple[Mechanism, ...] | None, info: ValidationInfo
    ) -> tuple[Mechanism, ...] | None:
        mode = info.data.get("mode")
        if mode is None:
            return mechanisms
        if mechanisms is None:
            return mechanisms_of(mode)
        if mode not in SETS and set(mechanisms) != set(mechanisms_of(mode)):
            raise ValueError(f"these are not the mechanisms of `mode: {mode}`")
        return in_order(mechanisms)

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if reason := unfit(self.baseline, self.meant):
            raise ValueError(reason)
        if reason := too_long(self.baseline, self.path.forward, self.path.backward):
            raise ValueError(reason)
        return self

    @property
    def resolved(self) -> Condition:
        """The condition that is meant."""
        return Condition(
            transport=Transport(
                baseline=self.baseline,
                mechanisms=self.meant,
                bundling=self.bundling,
                tcp=self.tcp,
                sctp=self.sctp,
                udp_lite=self.udp_lite,
            ),
            path=self.path.resolved(),
            codec=self.codec,
        )

    @property
    def meant(self) -> tuple[Mechanism, ...]:
        """The mechanisms."""
        return mechanisms_of(self.mode) if self.mechanisms is None else self.mechanisms

    @property
    def means_what_it_did_first(self) -> bool:
        """Whether the mode alone says all, as it did before mechanisms were written beside it."""
        came_later = self.mode in SETS and self.mode != ALL
        return not came_later and self.meant == mechanisms_of(self.mode)

    def as_it_was_meant(self, before: Self) -> Self:
        """This, with names of sets meaning what they meant when it was first loaded.

        Unless the file says itself what it means.
        """
        if self.mode != before.mode or "mechanisms" in self.model_fields_set:
            return self
        return self.model_copy(update={"mechanisms": before.meant})


def _form(value: Any) -> str:  # noqa: ANN401 (whatever a file has)
    named = value if isinstance(value, dict) else ()
    return "made_directly" if isinstance(value, Reference) or "reference" in named else "sent"


AnyWrittenCondition = Annotated[
    Annotated[WrittenCondition, Tag("sent")] | Annotated[Reference, Tag("made_directly")],
    Discriminator(_form),
]
"""Either form of a condition: `reference` tells them apart."""
