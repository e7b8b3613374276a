"""The tables, by noun.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.database.schema.access import AccessToken, AuditEntry, ServerSecret, WebSession
from thinlab.database.schema.base import Base
from thinlab.database.schema.demo import Demo, DemoEvent, DemoPoll, DemoTake, DemoVote
from thinlab.database.schema.panel import PanelReturn, PanelSeat
from thinlab.database.schema.participant import (
    ExclusionEntry,
    HeadphoneTest,
    HearingTest,
    Invitation,
    Participant,
    QuestionnaireAnswer,
)
from thinlab.database.schema.presentation import Allocation, Presentation, RecordingFetch, Vote
from thinlab.database.schema.recording import (
    PredictedQuality,
    Recording,
    RecordingJob,
    TrialRecording,
)
from thinlab.database.schema.study import Study, StudyEvent
from thinlab.database.schema.typing_session import Keystroke, TypingSession

__all__ = [
    "AccessToken",
    "Allocation",
    "AuditEntry",
    "Base",
    "Demo",
    "DemoEvent",
    "DemoPoll",
    "DemoTake",
    "DemoVote",
    "ExclusionEntry",
    "HeadphoneTest",
    "HearingTest",
    "Invitation",
    "Keystroke",
    "PanelReturn",
    "PanelSeat",
    "Participant",
    "PredictedQuality",
    "Presentation",
    "QuestionnaireAnswer",
    "Recording",
    "RecordingFetch",
    "RecordingJob",
    "ServerSecret",
    "Study",
    "StudyEvent",
    "TrialRecording",
    "TypingSession",
    "Vote",
    "WebSession",
]
