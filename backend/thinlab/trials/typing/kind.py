"""Typing, as the rooms below know it.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.analysis.votes import TrialWords
from thinlab.contract.generated.results import TerminalResult
from thinlab.database.schema import Participant, Presentation, TypingSession
from thinlab.export.column import Column
from thinlab.export.entry import VoteEntry
from thinlab.export.kind import OwnTable, Reader
from thinlab.participation.kind import Due, NotDoneError, Places, Recordings, Undergone
from thinlab.participation.messages import Account
from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.inconsistency import Inconsistency
from thinlab.study.kind import Clips
from thinlab.study.schedule import MemberName
from thinlab.study.trial import Medium, Trial, presented
from thinlab.trials.typing import connection_check, findings, watch
from thinlab.trials.typing import session as typing_session
from thinlab.trials.typing.account import ACCOUNT
from thinlab.trials.typing.columns import PERCEIVED, SESSION
from thinlab.trials.typing.consistency import inconsistencies_of_typing
from thinlab.trials.typing.duration import typed_seconds
from thinlab.trials.typing.exported import SessionsOfVotes
from thinlab.trials.typing.form import typed_trial
from thinlab.trials.typing.measured import DELAY_METRICS, measured
from thinlab.trials.typing.outline import outline_of_check, outline_of_tasks
from thinlab.trials.typing.tables import KEYSTROKES, SESSIONS


class TypingKind:
    """What the rooms below ask of trials that are typed."""

    medium: Medium = "typed"
    is_live = True
    is_sent_ahead = False
    words = "two sessions"
    place_words = "session typed"
    trial_words = TrialWords(
        sensed="felt",
        copies="sessions alike",
        people="typists",
        meet_these="who meet these losses",
    )
    delay_metrics = DELAY_METRICS
    place_columns = SESSION
    perceived: tuple[str, ...] = PERCEIVED
    block_columns: tuple[Column[VoteEntry], ...] = ()
    account_columns = ACCOUNT
    tables: Mapping[str, OwnTable] = MappingProxyType(
        {"typing-sessions": SESSIONS, "keystrokes": KEYSTROKES}
    )
    # Each task with its words: blocks name them only.
    tasks = staticmethod(outline_of_tasks)
    form = staticmethod(typed_trial)
    session_counts = staticmethod(watch.counts)
    session_findings = staticmethod(findings.of_study)
    measured = staticmethod(measured)

    def inconsistencies(
        self,
        definition: StudyDefinition,
        clips: Clips,  # noqa: ARG002
    ) -> Iterable[Inconsistency]:
        """As `DefinedKind`."""
        return inconsistencies_of_typing(definition)

    def seconds(
        self,
        definition: StudyDefinition,
        block: Block,  # noqa: ARG002
        trial: Trial,
        duration_ms: int | None,  # noqa: ARG002
    ) -> float:
        """By what there is to type."""
        return typed_seconds(definition.tasks[presented(trial)], definition.languages)

    def checks(self, definition: StudyDefinition, clips: Clips) -> Iterable[str]:  # noqa: ARG002
        """The check of the connection."""
        return outline_of_check(definition)

    def manner(self, block: Block) -> str:  # noqa: ARG002
        """As `DefinedKind`."""
        return "typed"

    def subject(self, definition: StudyDefinition, trial: Trial, clips: Clips) -> str:  # noqa: ARG002
        """The task, and its limit."""
        name = presented(trial)
        task = definition.tasks[name]
        return f"{name} ({task.kind}, up to {task.limit_s} s)"

    def check_due(
        self,
        definition: StudyDefinition,  # noqa: ARG002
        participant: Participant,
    ) -> Due | None:
        """The check of the connection."""
        return connection_check.due(participant)

    def places(
        self,
        block: Block,  # noqa: ARG002
        trial: Trial,  # noqa: ARG002
        run: int,  # noqa: ARG002
        first_member: MemberName,  # noqa: ARG002
        found: Recordings,  # noqa: ARG002
    ) -> Places:
        """Two, for sessions to come."""
        return Places(None, None, has_second=True)

    async def places_done(
        self, session: AsyncSession, presentation: Presentation
    ) -> frozenset[str]:
        """Those whose session counts; a first that is too old does not any more."""
        await typing_session.void_stale_first(session, presentation)
        return await typing_session.places_done(session, presentation)

    async def check(
        self,
        session: AsyncSession,
        presentation: Presentation,
        definition: StudyDefinition,  # noqa: ARG002
        account: Account,  # noqa: ARG002
        *,
        timed: bool,  # noqa: ARG002
    ) -> None:
        """Raises `NotDoneError` until both sessions are done."""
        if not await typing_session.is_typed(session, presentation):
            raise NotDoneError(
                "not-typed",
                "A session of this trial is yet to be typed.",
                "Open the trials again, and type the session that is not done.",
            )

    async def undergone(self, session: AsyncSession, presentation: Presentation) -> list[Undergone]:
        """Of each session, what both ways met: keys there, echoes back."""
        rows = await session.scalars(
            select(TypingSession)
            .where(TypingSession.presentation_id == presentation.id, TypingSession.state == "done")
            .order_by(TypingSession.place)
        )
        results = [TerminalResult.model_validate(row.result) for row in rows]
        return [Undergone([one.metrics_forward, one.metrics_backward], one.felt) for one in results]

    async def reader(self, session: AsyncSession, slug: str) -> Reader:  # noqa: ARG002
        """Reads the sessions of each lot of votes: there are too many to hold."""
        return SessionsOfVotes()
