"""A study as its researcher sees it: where it stands, what it declares, what was done with it.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import date

from pydantic import BaseModel, Field

from thinlab.condition.words import ConditionWords
from thinlab.monitoring.monitor_counts import Target
from thinlab.study.definition import StudyDefinition
from thinlab.study.study_event import Event
from thinlab.study.study_state import StudyStatus


class StudyProgress(BaseModel):
    """One study in the list of all; previews and bots are in no count."""

    slug: str
    title: str = Field(description="In the study's first language.")
    languages: list[str]
    study_hash: str = Field(description="SHA-256 of the definition.")
    participant_path: str = Field(examples=["/s/demo"])
    access: str = Field(description="`link` or `invitation`.")
    state: StudyStatus
    ready: bool = Field(description="Whether every trial has its recordings.")
    live_lab_problem: str | None = Field(
        description="Why nothing can be typed now, so that nobody new is taken; null where it "
        "can, or where the study has nothing to type."
    )
    recordings_ready: int
    recordings_total: int
    joined: int
    live: int = Field(description="Under way, and heard from in the last minutes.")
    completed: int
    votes: int = Field(description="Training aside.")
    targets: list[Target] = Field(description="Stop rule and quotas.")
    stops_on: date | None


class StudyOverview(StudyProgress):
    """A study with its whole definition."""

    description: str
    definition: StudyDefinition
    conditions: dict[str, ConditionWords] = Field(description="Those of `definition`, in words.")
    events: list[Event] = Field(description="Newest first.")
