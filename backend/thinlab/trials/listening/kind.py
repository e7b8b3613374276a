"""Listening, as the rooms below know it.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.analysis.findings import SessionFindings
from thinlab.analysis.votes import TrialWords
from thinlab.contract.generated.results import SessionResult
from thinlab.database.schema import Participant, Presentation, Recording
from thinlab.export.kind import OwnTable
from thinlab.monitoring.kind import SessionCounts
from thinlab.participation.kind import Due, NotReadyError, Opened, Places, Recordings, Undergone
from thinlab.study.catalogue import StoredStudy
from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.kind import Clips
from thinlab.study.scale import is_paired
from thinlab.study.schedule import MemberName
from thinlab.study.trial import Medium, Trial, member_conditions, presented
from thinlab.trials.listening import heard, hearing, messages, sound_check
from thinlab.trials.listening.account import ACCOUNT, PLAYBACK
from thinlab.trials.listening.columns import PERCEIVED, RECORDING
from thinlab.trials.listening.consistency import inconsistencies_of_listening
from thinlab.trials.listening.duration import trial_seconds
from thinlab.trials.listening.exported import HeardRecordings
from thinlab.trials.listening.form import heard_trial
from thinlab.trials.listening.measured import DELAY_METRICS, measured
from thinlab.trials.listening.outline import outline_of_sound_check


class ListeningKind:
    """What the rooms below ask of trials that are heard."""

    medium: Medium = "heard"
    is_live = False
    is_sent_ahead = True
    words = "two recordings"
    place_words = "recording presented"
    trial_words = TrialWords(
        sensed="heard",
        copies="copies of one recording",
        people="listeners",
        meet_these="who hear these recordings",
    )
    delay_metrics = DELAY_METRICS
    place_columns = RECORDING
    perceived: tuple[str, ...] = PERCEIVED
    block_columns = PLAYBACK
    account_columns = ACCOUNT
    tables: Mapping[str, OwnTable] = MappingProxyType({})
    inconsistencies = staticmethod(inconsistencies_of_listening)
    checks = staticmethod(outline_of_sound_check)
    check = staticmethod(heard.check)
    measured = staticmethod(measured)
    # All recordings of the study at once: many votes are about each.
    reader = staticmethod(HeardRecordings.of)

    def check_due(self, definition: StudyDefinition, participant: Participant) -> Due | None:
        """The sound and the headphones first, then the tests of hearing."""
        return sound_check.due(definition, participant) or hearing.due(definition, participant)

    def seconds(
        self,
        definition: StudyDefinition,  # noqa: ARG002
        block: Block,
        trial: Trial,
        duration_ms: int | None,
    ) -> float:
        """By the length of the recordings."""
        if duration_ms is None:
            raise ValueError(f"trial {trial.id} has no recordings")
        return trial_seconds(block, duration_ms)

    def tasks(self, definition: StudyDefinition, language: str) -> Iterable[str]:  # noqa: ARG002
        """None: clips are named where they are played."""
        return ()

    def manner(self, block: Block) -> str:
        """How recordings are played."""
        share = block.heard_share_at_least
        asked = "" if share is None else f", {share * 100:g} % of each to be heard"
        return f"playback {block.playback}{asked}"

    def subject(self, definition: StudyDefinition, trial: Trial, clips: Clips) -> str:  # noqa: ARG002
        """The clip, and its length."""
        name = presented(trial)
        return f"{name} {clips[name].length_ms / 1000:.1f} s"

    def places(
        self, block: Block, trial: Trial, run: int, first_member: MemberName, found: Recordings
    ) -> Places:
        """The first and the second recording; no second where one is judged alone."""
        a, b = found.get((trial.id, run, "a")), found.get((trial.id, run, "b"))
        if a is None or (b is None and len(member_conditions(trial)) > 1):
            raise NotReadyError
        if b is not None:
            first, second = (a, b) if first_member == "a" else (b, a)
            return Places(first, second, has_second=True)
        # One recording in a trial of two: both places get it, under two tokens.
        paired = is_paired(block.scale)
        return Places(a, a if paired else None, has_second=paired)

    async def places_done(
        self,
        session: AsyncSession,  # noqa: ARG002
        presentation: Presentation,  # noqa: ARG002
    ) -> frozenset[str]:
        """None: whoever comes back hears both again."""
        return frozenset()

    def form(
        self,
        opened: Opened,
        study: StoredStudy,  # noqa: ARG002
        language: str,  # noqa: ARG002
        common: dict[str, Any],
    ) -> messages.HeardTrial:
        """As `PresentedKind`."""
        return heard_trial(opened, common)

    async def undergone(self, session: AsyncSession, presentation: Presentation) -> list[Undergone]:
        """Of each recording, what its one way met."""
        ids = (presentation.first_recording_id, presentation.second_recording_id)
        rows = [await session.get_one(Recording, id_) for id_ in ids if id_ is not None]
        return [_undergone(row) for row in rows]

    async def session_counts(
        self,
        session: AsyncSession,  # noqa: ARG002
        slug: str,  # noqa: ARG002
        kind: str,  # noqa: ARG002
    ) -> SessionCounts | None:
        """None: what is heard was recorded before."""
        return None

    async def session_findings(
        self,
        session: AsyncSession,  # noqa: ARG002
        slug: str,  # noqa: ARG002
        *,
        excluded: frozenset[int],  # noqa: ARG002
        kinds: frozenset[str],  # noqa: ARG002
    ) -> SessionFindings | None:
        """None: what is heard was recorded before."""
        return None


def _undergone(row: Recording) -> Undergone:
    if not row.result:
        # A reference: there was no way.
        return Undergone([], None)
    result = SessionResult.model_validate(row.result)
    return Undergone([result.metrics], result.felt)
