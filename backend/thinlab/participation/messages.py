"""What a participant's browser is sent and may send, whatever kinds of trials a study has.

Whoever checks the blinding reads this file and `messages.py` of each kind: no field may tell a
trial's condition, clip or role, and both members of a pair are described by the same numbers.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from typing_extensions import TypeAliasType

from thinlab.study.headphone_test import HeadphoneSignal
from thinlab.study.panel import Outcome
from thinlab.study.trial import ChoiceName, Medium

Token = Annotated[str, Field(min_length=20, max_length=100, pattern=r"^[A-Za-z0-9_-]+$")]
Count = Annotated[int, Field(ge=0, le=1_000_000)]
# Half a day: more than any trial lasts, less than what would overflow a column.
LONGEST_MS = 43_200_000


def _no_longer(value: object) -> object:
    # A page left open for days must not lose its vote for it.
    return min(value, LONGEST_MS) if isinstance(value, int) else value


Duration = Annotated[int, BeforeValidator(_no_longer), Field(ge=0, le=LONGEST_MS)]


class Message(BaseModel):
    """A body of a request or of a response: unknown keys are errors."""

    model_config = ConfigDict(extra="forbid")


class StudyState(StrEnum):
    """Whether a participant may join."""

    PREPARING = "preparing"
    OPEN = "open"
    FULL = "full"
    CLOSED = "closed"


# What study files say, too, is a name of the contract here, and the same words there.
Access = TypeAliasType(
    "Access",
    Annotated[Literal["link", "invitation"], Field(title="Access", description="Who may join.")],
)


Headphones = TypeAliasType(
    "Headphones",
    Annotated[
        Literal["required", "asked", "any"],
        Field(
            title="Headphones",
            description="Whether the headphone test has to be passed, is done and recorded, "
            "or is left out.",
        ),
    ],
)


class ConsentText(Message):
    """What a participant agrees to."""

    version: str
    paragraphs: list[str]


# What ids of panels are made of. A placeholder that nobody filled in, `%SURVEY_CODE%`, is none.
PanelId = Annotated[str, Field(min_length=1, max_length=128, pattern=r"^[A-Za-z0-9._~:@+=-]+$")]


class PanelIds(Message):
    """Whom a panel has sent, as the parameters of the address say."""

    participant: PanelId
    session: PanelId | None = None
    batch: PanelId | None = None


class PanelDoor(Message):
    """What a page has to know of the panel that sends its visitors."""

    title: str | None = Field(description="The panel's name; null: any panel's.")
    participant: str = Field(description="The parameter of the address with the id.")
    session: str | None = Field(description="That with this visit's; null: there is none.")
    batch: str | None = Field(description="That with the panel's name for the study; null: none.")
    deadline_minutes: int = Field(description="How long a place is reserved from joining on.")


class PanelEnd(Message):
    """What a panel's participant has come to, and what takes it back to the panel.

    Nobody is sent one before it is theirs.
    """

    outcome: Outcome
    code: str | None = Field(description="To enter at the panel; null: none is needed.")
    url: str | None = Field(description="Back to the panel; null: there is no address.")


class Arrival(Message):
    """Somebody has come from a panel; the same again changes nothing."""

    ids: PanelIds
    language: Annotated[str, Field(min_length=2, max_length=12)] | None = None
    declines: bool = Field(
        default=False, description="They have read what it is about, and will not take part."
    )


class Standing(StrEnum):
    """Where somebody from a panel stands who has come to the study's address."""

    WELCOME = "welcome"
    KNOWN = "known"
    ENDED = "ended"
    TOOK_PART = "took_part"


class Arrived(Message):
    """What is open to somebody who has come from a panel."""

    standing: Standing = Field(
        description="`welcome`: may join; `known`: has joined before, and joining goes on there; "
        "`ended`: never joined, and will not; `took_part`: had ended in an earlier visit."
    )
    end: PanelEnd | None = Field(description="Of `ended`; else null.")


class StudyPage(Message):
    """What the first page of a study shows, in one of its languages."""

    slug: str
    language: str = Field(description="Of the texts here.")
    languages: list[str] = Field(description="That the study is offered in.")
    title: str
    description: str
    state: StudyState
    access: Access
    panel: PanelDoor | None = Field(description="Null: people come by themselves.")
    consent: ConsentText
    contact: str | None = Field(description="Whom to ask.")
    retention_days: int | None = Field(
        description="After so long nobody can tell any more whose answers they are; null: never."
    )
    headphones: Headphones
    media: list[Medium] = Field(description="Which kinds of trials there are.")
    keep_text: bool = Field(description="Whether what is typed is stored, not only its times.")
    has_training: bool
    debriefs: bool = Field(
        description="Whether participants can be told at the end what they heard or typed."
    )
    trials_total: int
    minutes: int | None = Field(description="About how long it takes; null while preparing.")
    credits: list[str] = Field(
        description="Whose voices and music the study uses, as their licences ask; in no order."
    )


ParticipantKind = TypeAliasType(
    "ParticipantKind",
    Annotated[
        Literal["person", "preview", "bot"],
        Field(title="ParticipantKind", description="Who takes part: only persons count."),
    ],
)


class Joining(Message):
    """A browser joins; the same `join_key` again gives the same participant."""

    consent_version: Annotated[str, Field(min_length=1, max_length=64)]
    join_key: UUID
    language: Annotated[str, Field(min_length=2, max_length=12)] | None = Field(
        default=None,
        description="The study's first language if left out or not offered.",
    )
    invitation: Token | None = Field(default=None, description="From an invitation's link.")
    panel: PanelIds | None = Field(
        default=None, description="Of a person, where a panel sends them; else of no meaning."
    )
    kind: ParticipantKind = Field(
        default="person",
        description="A preview or a bot needs a researcher's session; neither ever counts.",
    )


class Stage(StrEnum):
    """What this participant has to do next."""

    SOUND_CHECK = "sound_check"
    HEARING_CHECK = "hearing_check"
    CONNECTION_CHECK = "connection_check"
    QUESTIONS_BEFORE = "questions_before"
    TRIALS = "trials"
    QUESTIONS_AFTER = "questions_after"
    COMPLETE = "complete"
    HEADPHONES_FAILED = "headphones_failed"
    HEARING_FAILED = "hearing_failed"
    CONNECTION_FAILED = "connection_failed"
    INELIGIBLE = "ineligible"
    TIMED_OUT = "timed_out"
    WITHDRAWN = "withdrawn"


class Participation(Message):
    """How far a participant is. The code exists once the server holds every answer."""

    study: str
    language: str
    state: Stage
    headphones: Headphones = Field(description="Of the version of the study that was joined.")
    headphone_signal: HeadphoneSignal = Field(description="Of the test, where there is one.")
    headphones_tries: int = Field(description="Tries of the headphone test so far.")
    headphones_tries_left: int = Field(description="And how many can follow.")
    headphones_passed: bool | None = Field(description="By the last of them; null without any.")
    connection_tries: int = Field(description="Checks of the connection so far.")
    trials_total: int
    trials_done: int
    completion_code: str | None
    end: PanelEnd | None = Field(
        description="Of who came from a panel and has come to an end; else null."
    )
    kind: ParticipantKind


class Joined(Message):
    """The participant's credentials, for `Authorization: Bearer …`."""

    participant_token: str
    withdraw_token: str = Field(description="Can do nothing but withdraw.")
    participation: Participation


class QuestionOption(Message):
    """One of the answers to choose from."""

    id: str
    label: str


QuestionKind = TypeAliasType(
    "QuestionKind",
    Annotated[
        Literal["choice", "number", "text"],
        Field(title="QuestionKind", description="How a question is answered."),
    ],
)


class QuestionForm(Message):
    """A question beside the trials."""

    id: str
    kind: QuestionKind
    text: str
    required: bool
    options: list[QuestionOption] = Field(description="Of a choice; else empty.")
    several: bool = Field(description="Whether several options may be chosen.")
    minimum: int | None = Field(description="Of a number.")
    maximum: int | None = Field(description="Of a number.")
    max_length: int | None = Field(description="Of a text, in characters.")


class Questions(Message):
    """The questions to answer now."""

    questions: list[QuestionForm]


AnswerText = Annotated[str, Field(max_length=4000)]
AnswerId = Annotated[str, Field(min_length=1, max_length=64)]


class Answers(Message):
    """Answers to all questions of this stage; null for one left out."""

    answers: Annotated[
        dict[
            AnswerId,
            AnswerText
            | Annotated[int, Field(ge=-(10**9), le=10**9)]
            | Annotated[list[AnswerId], Field(max_length=30)]
            | None,
        ],
        Field(max_length=100),
    ]


class PreferenceWording(Message):
    """The words on the answer buttons."""

    first: str
    second: str
    no_difference: str | None = Field(description="Null: one of the two has to be chosen.")


class ScoreLabel(Message):
    """One step of a scale."""

    score: int
    label: str


class NoticeableForm(Message):
    """How noticeable the difference was, asked after one of the two was preferred."""

    question: str
    labels: list[ScoreLabel] = Field(description="From the least to the most.")


class PreferenceForm(Message):
    """Which of the two; answered by `choice`, and by `noticeable` where that is asked."""

    kind: Literal["preference"]
    question: str
    answers: PreferenceWording
    noticeable: NoticeableForm | None = Field(description="Null: not asked.")


class ScoreForm(Message):
    """Answered by `score`: the second compared to the first (ccr, dcr), or one recording (acr).

    With `mushra` by `ratings`, 0 to 100 for each of several; its labels are of fifths, 5 to 1.
    """

    kind: Literal["ccr", "acr", "dcr", "mushra"]
    question: str
    labels: list[ScoreLabel] = Field(description="From the best to the worst.")


class AbxWording(Message):
    """The words on the answer buttons."""

    first: str
    second: str


class AbxForm(Message):
    """Which of the two X is; answered by `choice`."""

    kind: Literal["abx"]
    question: str
    answers: AbxWording


ScaleForm = Annotated[PreferenceForm | ScoreForm | AbxForm, Field(discriminator="kind")]


class PresentedTrial(Message):
    """What every trial has. Asking again before the vote gives the same one."""

    trial_token: str
    position: int = Field(description="1 for the first trial.")
    trials_total: int
    training: bool = Field(description="For practice: marked so for the participant too.")
    introduction: str | None = Field(description="To be read before this trial.")
    break_before: bool = Field(description="A good moment to rest.")
    scale: ScaleForm


Choice = TypeAliasType(
    "Choice",
    Annotated[
        ChoiceName,
        Field(title="Choice", description="An answer, in the words of the presentation."),
    ],
)


Member = TypeAliasType(
    "Member",
    Annotated[
        Literal[
            "first",
            "second",
            "x",
            "third",
            "fourth",
            "fifth",
            "sixth",
            "seventh",
            "eighth",
            "ninth",
            "tenth",
            "eleventh",
            "twelfth",
        ],
        Field(title="Member", description="A recording's place in the presentation."),
    ],
)


class PlayerAction(StrEnum):
    """What happened in the player."""

    PLAY = "play"
    PAUSE = "pause"
    SWITCH = "switch"
    SEEK = "seek"
    LOOP = "loop"
    ENDED = "ended"
    HIDDEN = "hidden"
    VISIBLE = "visible"


class PlayerEvent(Message):
    """One action, for the record."""

    at_ms: Duration = Field(description="Since the trial was shown.")
    action: PlayerAction
    member: Member | None = Field(default=None, description="Which one is heard from now on.")
    position_ms: Duration | None = Field(default=None, description="In the recording.")


class Account(Message):
    """How an answer was reached, as its kind of trial tells it."""

    medium: Medium


class Rating(Message):
    """Of one of several sounds that are rated beside each other."""

    recording_token: Token
    score: Annotated[int, Field(ge=0, le=100)]
    account: Account


class VoteCast(Message):
    """An answer to the open trial, with an account of how it was reached."""

    trial_token: Token
    vote_key: UUID = Field(description="The browser's key: sending it again is harmless.")
    choice: Choice | None = Field(
        default=None, description="On a scale of preference, or of which of the two X is."
    )
    score: Annotated[int, Field(ge=-3, le=5)] | None = Field(
        default=None, description="On a scale of scores."
    )
    noticeable: Annotated[int, Field(ge=1, le=4)] | None = Field(
        default=None, description="Where it is asked, beside a preference for one of the two."
    )
    ratings: Annotated[list[Rating], Field(min_length=1, max_length=12)] | None = Field(
        default=None, description="Of all sounds of a page, on a scale that rates several at once."
    )
    decision_ms: Duration = Field(description="From the trial shown to the vote.")
    account: Account
    events: Annotated[list[PlayerEvent], Field(max_length=2000)] = []


class VoteReceipt(Message):
    """The vote is on disk. The same key again gives the same receipt."""

    vote_key: UUID
    position: int
    received_at: datetime


class Health(Message):
    """Whether the server can take votes."""

    status: str
