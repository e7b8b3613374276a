"""A study as its researcher sees it: progress, votes, and what was heard.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import datetime
from enum import StrEnum
from typing import Literal

from pydantic import BaseModel, Field

from thinlab.recording.metrics import SessionResult
from thinlab.study.condition import Baseline, GilbertElliott, Mechanism, Mode


class RecordingStatus(StrEnum):
    """Where a recording is on its way."""

    MISSING = "missing"
    MAKING = "making"
    READY = "ready"
    FAILED = "failed"


class StudyProgress(BaseModel):
    """Counts of one study; previews are not in them."""

    slug: str
    title: str
    study_hash: str = Field(description="SHA-256 of the definition.")
    open: bool
    participants_joined: int
    participants_completed: int
    votes: int
    recordings_ready: int
    recordings_total: int


class DirectionOverview(BaseModel):
    """What the emulator did in one direction."""

    loss_share: float = Field(description="Uniform loss.")
    gilbert_elliott: GilbertElliott | None = Field(description="Loss in bursts.")
    jitter_ms: float
    rate_kbit_per_s: int
    queue_packets: int
    corrupt_share: float


class ConditionOverview(BaseModel):
    """Under which condition a recording was made."""

    name: str
    mode: Mode
    mechanisms: list[Mechanism]
    baseline: Baseline
    rtt_ms: float
    forward: DirectionOverview
    backward: DirectionOverview


class RecordingOverview(BaseModel):
    """One recording, ready or on its way."""

    id: int | None = Field(description="For audio and captures; null until recorded once.")
    status: RecordingStatus
    progress_share: float = Field(description="Of the making, 0…1.")
    problem: str | None = Field(description="Why the making failed, and the remedy.")
    clip: str
    condition: ConditionOverview
    seed: int
    duration_ms: int | None
    made_at: datetime | None
    host_build: str | None
    result: SessionResult | None


class TrialVotes(BaseModel):
    """Votes by member of the pair; for a control, by place in the presentation."""

    a: int = Field(description="Pair: the first condition. Control: the first presented.")
    b: int = Field(description="Pair: the second condition. Control: the second presented.")
    no_difference: int


class TrialOverview(BaseModel):
    """One trial with its one or two recordings."""

    id: str
    kind: Literal["pair", "control", "single", "gold", "trapping"]
    clip: str
    clip_title: str
    clip_attribution: str = Field(description="To be shown wherever the clip can be heard.")
    recordings: list[RecordingOverview] = Field(description="Member a, member b; a control: one.")
    same_audio: bool | None = Field(
        description="Whether both members are the same bytes: then there is nothing to prefer. "
        "Null until both are recorded; true for a control."
    )
    votes: TrialVotes


class StudyOverview(StudyProgress):
    """A study with all its trials."""

    description: str
    participant_path: str = Field(examples=["/s/demo"])
    making: bool = Field(description="Whether recordings are being made now.")
    trials: list[TrialOverview]
