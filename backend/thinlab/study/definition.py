"""What a study is: the types behind `survey/*.yaml` and its JSON Schema.

These types are the truth; `survey/study.schema.json` is generated from them.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import json
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

Name = Annotated[
    str,
    Field(
        pattern=r"^[a-z0-9]+(?:[-_][a-z0-9]+)*$",
        max_length=64,
        description="Lower-case letters, digits, `-` and `_`.",
        examples=["speech"],
    ),
]
Text = Annotated[str, Field(min_length=1, max_length=4000)]
Share = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]


class Part(BaseModel):
    """A piece of a study file: unknown keys are errors, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Mechanism(StrEnum):
    """One change to the kernel's TCP, switched per lane."""

    LINEAR_TIMEOUTS = "linear_timeouts"
    EARLY_FAST_RETRANSMIT = "early_fast_retransmit"
    BUNDLING = "bundling"


class Mode(StrEnum):
    """A named set of mechanisms."""

    OFF = "off"
    ALL = "all"
    LINEAR_TIMEOUTS = "linear_timeouts"
    EARLY_FAST_RETRANSMIT = "early_fast_retransmit"
    BUNDLING = "bundling"

    @property
    def mechanisms(self) -> tuple[Mechanism, ...]:
        """The mechanisms that this mode switches on."""
        if self is Mode.OFF:
            return ()
        return tuple(Mechanism) if self is Mode.ALL else (Mechanism(self.value),)


class Baseline(StrEnum):
    """The rest of the sender's TCP configuration."""

    NEWRENO2008 = "newreno2008"
    MODERN = "modern"
    BBR = "bbr"


class GilbertElliott(Part):
    """Loss in bursts: a good and a bad state with a loss share each."""

    good_to_bad_share: Share
    bad_to_good_share: Share
    loss_share_bad: Share = 1.0
    loss_share_good: Share = 0.0


class Direction(Part):
    """What the emulator does to packets in one direction, delay aside."""

    loss_share: Share = Field(default=0.0, description="Uniform loss, 0…1.", examples=[0.02])
    gilbert_elliott: GilbertElliott | None = Field(
        default=None, description="Loss in bursts; instead of `loss_share`."
    )
    jitter_ms: float = Field(default=0.0, ge=0, le=10_000, allow_inf_nan=False)
    rate_kbit_per_s: int = Field(default=0, ge=0, description="0: unlimited.")
    queue_packets: int = Field(default=0, ge=0, le=1_000_000, description="0: 1000.")
    corrupt_share: Share = 0.0

    @model_validator(mode="after")
    def _one_kind_of_loss(self) -> Self:
        if self.gilbert_elliott is not None and self.loss_share > 0:
            raise ValueError("give either `loss_share` or `gilbert_elliott`, not both")
        return self


class Path(Part):
    """Round-trip time, split evenly, and what happens in each direction."""

    rtt_ms: float = Field(ge=0, le=60_000, allow_inf_nan=False, examples=[130])
    forward: Direction = Field(default=Direction(), description="Sender to receiver.")
    backward: Direction = Field(default=Direction(), description="Receiver to sender.")


class Condition(Part):
    """How a clip is sent: mode, baseline and path."""

    mode: Mode
    baseline: Baseline = Baseline.NEWRENO2008
    path: Path


class PairTrial(Part):
    """Two recordings of one clip under two conditions, with the same seed."""

    kind: Literal["pair"] = "pair"
    id: Name
    clip: Name = Field(description="A clip of `clips/manifest.yaml`.")
    conditions: tuple[Name, Name] = Field(
        description="Two of the study's conditions: the pair's members.",
        examples=[["plain", "modified"]],
    )
    seed: int = Field(ge=0, lt=2**63, description="Of the emulator's randomness.")

    @model_validator(mode="after")
    def _two_conditions(self) -> Self:
        if self.conditions[0] == self.conditions[1]:
            raise ValueError(
                "a pair compares two different conditions; for two copies of one "
                "recording use `kind: control` with one `condition`"
            )
        return self


class ControlTrial(Part):
    """One recording presented as if it were two."""

    kind: Literal["control"]
    id: Name
    clip: Name = Field(description="A clip of `clips/manifest.yaml`.")
    condition: Name
    seed: int = Field(ge=0, lt=2**63, description="Of the emulator's randomness.")


Trial = Annotated[PairTrial | ControlTrial, Field(discriminator="kind")]


class Consent(Part):
    """What a participant agrees to; the version is stored with the consent."""

    version: Annotated[str, Field(min_length=1, max_length=64)]
    paragraphs: Annotated[tuple[Text, ...], Field(min_length=1)]


class Answers(Part):
    """The words on the three answer buttons."""

    first: Annotated[str, Field(min_length=1, max_length=80)] = "The first"
    second: Annotated[str, Field(min_length=1, max_length=80)] = "The second"
    no_difference: Annotated[str, Field(min_length=1, max_length=80)] = "No difference"


class StudyDefinition(Part):
    """One study: what a participant reads, and which recordings they compare."""

    slug: Name = Field(description="In the participant's address: `/s/<slug>`.")
    title: Annotated[str, Field(min_length=1, max_length=200)]
    description: Text
    open: bool = Field(default=True, description="Whether new participants may join.")
    consent: Consent
    question: Text
    answers: Answers = Answers()
    sound_check: Name = Field(
        description="A clip of `clips/manifest.yaml`, played as it is to set the volume by."
    )
    conditions: Annotated[dict[Name, Condition], Field(min_length=1)]
    trials: Annotated[tuple[Trial, ...], Field(min_length=1, max_length=100)]

    @model_validator(mode="after")
    def _trials_have_own_ids(self) -> Self:
        ids = [trial.id for trial in self.trials]
        double = sorted({id_ for id_ in ids if ids.count(id_) > 1})
        if double:
            raise ValueError(f"trial ids must differ; more than once: {', '.join(double)}")
        return self

    @property
    def content_hash(self) -> str:
        """SHA-256 over the definition's canonical JSON, 64 hex digits."""
        canonical = json.dumps(self.model_dump(mode="json"), sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(canonical.encode()).hexdigest()


def member_conditions(trial: PairTrial | ControlTrial) -> tuple[str, ...]:
    """Names of the conditions a trial needs recordings for: two, or one for a control."""
    return trial.conditions if isinstance(trial, PairTrial) else (trial.condition,)


def used_clips(definition: StudyDefinition) -> set[str]:
    """Names of all clips that a study plays."""
    return {definition.sound_check, *(trial.clip for trial in definition.trials)}
