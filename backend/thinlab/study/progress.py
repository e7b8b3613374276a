"""Counts and findings of a study, gathered for its researcher.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter
from typing import Protocol

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Participant, Presentation, Recording, Vote
from thinlab.recording.clips import Clips
from thinlab.recording.metrics import SessionResult
from thinlab.study import catalogue
from thinlab.study.catalogue import StoredStudy
from thinlab.study.overview import (
    ConditionOverview,
    DirectionOverview,
    RecordingOverview,
    RecordingStatus,
    StudyOverview,
    StudyProgress,
    TrialOverview,
    TrialVotes,
)
from thinlab.study.text import said
from thinlab.study.trial import Trial, member_conditions


class Making(Protocol):
    """What is being recorded now."""

    def is_making(self, study: StoredStudy) -> bool:
        """Whether recordings of this study are on their way."""
        ...

    def on_the_way(
        self, study: StoredStudy, trial_id: str, member: str
    ) -> tuple[float, str | None]:
        """Share done and problem of one member's recording."""
        ...


async def of_study(session: AsyncSession, study: StoredStudy) -> StudyProgress:
    """The counts of one study."""
    participants = await session.execute(
        select(func.count(), func.count(Participant.completed_at)).where(
            Participant.study_id == study.id, Participant.kind == "person"
        )
    )
    joined, completed = participants.one()
    votes = sum((await _votes(session, study)).values())
    return StudyProgress(
        slug=study.slug,
        title=said(study.definition.title, study.definition.languages[0]),
        study_hash=study.content_hash,
        open=study.definition.open,
        participants_joined=joined,
        participants_completed=completed,
        votes=votes,
        recordings_ready=await catalogue.members_ready(session, study),
        recordings_total=catalogue.members_total(study.definition),
    )


async def _votes(session: AsyncSession, study: StoredStudy) -> Counter[tuple[str, str, str]]:
    """Votes by trial, first member and choice."""
    rows = await session.execute(
        select(Presentation.trial_id, Presentation.first_member, Vote.choice, func.count())
        .join(Vote, Vote.presentation_id == Presentation.id)
        .join(Participant, Participant.id == Presentation.participant_id)
        .where(Participant.study_id == study.id, Participant.kind == "person")
        .group_by(Presentation.trial_id, Presentation.first_member, Vote.choice)
    )
    return Counter({(trial, first, choice): n for trial, first, choice, n in rows if choice})


def chosen_member(first_member: str, choice: str) -> str | None:
    """Which member of the pair a choice means; none for no difference."""
    if choice == "no_difference":
        return None
    other = "b" if first_member == "a" else "a"
    return first_member if choice == "first" else other


async def overview(
    session: AsyncSession, study: StoredStudy, making: Making, clips: Clips
) -> StudyOverview:
    """The study with its trials, recordings, metrics and votes."""
    counts = await of_study(session, study)
    recordings = await catalogue.recordings_of(session, study)
    votes = await _votes(session, study)
    trials = [
        TrialOverview(
            id=trial.id,
            kind=trial.kind,
            clip=trial.clip,
            clip_title=clips.manifest[trial.clip].title,
            clip_attribution=clips.credits([trial.clip])[0],
            recordings=[
                _recording(study, trial, member, condition, recordings, making)
                for member, condition in zip("ab", member_conditions(trial), strict=False)
            ],
            same_audio=_same_audio(trial, recordings),
            votes=_tally(trial, votes),
        )
        for trial in study.definition.trials
    ]
    return StudyOverview(
        **counts.model_dump(),
        description=said(study.definition.description, study.definition.languages[0]),
        participant_path=f"/s/{study.slug}",
        making=making.is_making(study),
        trials=trials,
    )


def _same_audio(trial: Trial, recordings: dict[tuple[str, int, str], Recording]) -> bool | None:
    found = [
        recordings.get((trial.id, 0, member)) for member in "ab"[: len(member_conditions(trial))]
    ]
    sums = {recording.audio_sha256 for recording in found if recording is not None}
    return len(sums) == 1 if None not in found else None


def _tally(trial: Trial, votes: Counter[tuple[str, str, str]]) -> TrialVotes:
    tally: Counter[str | None] = Counter()
    for (trial_id, first_member, choice), times in votes.items():
        if trial_id == trial.id:
            # A control's members are the same: there the place in the presentation tells.
            first = "a" if trial.kind != "pair" else first_member
            tally[chosen_member(first, choice)] += times
    return TrialVotes(a=tally["a"], b=tally["b"], no_difference=tally[None])


def _recording(
    study: StoredStudy,
    trial: Trial,
    member: str,
    condition: str,
    recordings: dict[tuple[str, int, str], Recording],
    making: Making,
) -> RecordingOverview:
    share, problem = making.on_the_way(study, trial.id, member)
    row = recordings.get((trial.id, 0, member))
    return RecordingOverview(
        id=row.id if row else None,
        status=_status(row, problem, making.is_making(study)),
        progress_share=1.0 if row else share,
        problem=problem,
        clip=trial.clip,
        condition=_condition(study, condition),
        seed=trial.seed,
        duration_ms=row.duration_ms if row else None,
        made_at=row.made_at if row else None,
        host_build=row.host_build if row else None,
        result=SessionResult.model_validate(row.result) if row else None,
    )


def _status(row: Recording | None, problem: str | None, making: bool) -> RecordingStatus:
    if row is not None:
        return RecordingStatus.READY
    if problem is not None:
        return RecordingStatus.FAILED
    return RecordingStatus.MAKING if making else RecordingStatus.MISSING


def _condition(study: StoredStudy, name: str) -> ConditionOverview:
    condition = study.definition.conditions[name]
    return ConditionOverview(
        name=name,
        mode=condition.mode,
        mechanisms=list(condition.mode.mechanisms),
        baseline=condition.baseline,
        rtt_ms=condition.path.rtt_ms,
        forward=DirectionOverview(**condition.path.forward.model_dump()),
        backward=DirectionOverview(**condition.path.backward.model_dump()),
    )
