"""What participants did, as far as exclusion rules look at it: counts, gathered by PostgreSQL.

No direction of a vote is in here: that an answer was wrong, the same as all
others or quick, but never which it was.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Select, String, case, cast, func, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Participant, Presentation, QuestionnaireAnswer, Vote
from thinlab.study.catalogue import StoredStudy
from thinlab.study.definition import StudyDefinition
from thinlab.study.known_answer import failed, is_checked
from thinlab.study.rules import Answered, DecisionUnder
from thinlab.study.scale import PreferenceScale


@dataclass
class Failures:
    """Answers to trials of one kind that can fail, and how many did."""

    votes: int = 0
    failed: int = 0


@dataclass
class Conduct:
    """One participant. Training is never counted."""

    headphones_passed: bool | None = None
    trapping: Failures = field(default_factory=Failures)
    gold: Failures = field(default_factory=Failures)
    control: Failures = field(default_factory=Failures)
    same_throughout: dict[str, tuple[int, int]] = field(default_factory=dict)
    """By scale: votes, and how many different answers are among them; trapping trials aside."""
    votes: int = 0
    votes_under_ms: dict[int, int] = field(default_factory=dict)
    """How many votes took less than a rule's limit, by that limit."""
    answers: dict[str, set[str]] = field(default_factory=dict)
    """Options chosen in the questionnaire, by question."""


async def of_version(
    session: AsyncSession, study: StoredStudy, rules: StudyDefinition, kind: str
) -> dict[int, Conduct]:
    """Everybody who joined this version, by participant id. `rules`: whose rules will look."""
    found: dict[int, Conduct] = {}
    of_kind = (Participant.study_id == study.id, Participant.kind == kind)
    people = await session.execute(
        select(Participant.id, Participant.headphones_passed).where(*of_kind)
    )
    for participant_id, passed in people:
        found[participant_id] = Conduct(headphones_passed=passed)
    voted = (
        select(Presentation.participant_id)
        .join(Vote, Vote.presentation_id == Presentation.id)
        .join(Participant, Participant.id == Presentation.participant_id)
        .where(*of_kind, Presentation.training.is_(False))
    )
    await _count_failures(session, study.definition, voted, found)
    await _count_answers(session, study.definition, voted, found)
    await _count_quick(session, rules, voted, found)
    await _gather_questionnaire(session, rules, found)
    return found


async def _count_failures(
    session: AsyncSession,
    definition: StudyDefinition,
    voted: Select[Any],
    found: dict[int, Conduct],
) -> None:
    checked = {trial.id: trial for trial in definition.trials if is_checked(trial)}
    if not checked:
        return
    rows = await session.execute(
        voted.add_columns(
            Presentation.trial_id, Presentation.first_member, Vote.choice, Vote.score
        ).where(Presentation.trial_id.in_(checked))
    )
    forced = {
        trial.id
        for block in definition.blocks
        for trial in block.trials
        if isinstance(block.scale, PreferenceScale) and block.scale.answers.no_difference is None
    }
    for participant_id, trial_id, first_member, choice, score in rows:
        trial = checked[trial_id]
        if trial.kind == "control" and trial_id in forced:
            continue
        kept: Failures = getattr(found[participant_id], trial.kind)
        kept.votes += 1
        kept.failed += bool(failed(trial, first_member, choice, score))


async def _count_answers(
    session: AsyncSession,
    definition: StudyDefinition,
    voted: Select[Any],
    found: dict[int, Conduct],
) -> None:
    # What a trapping trial's clip asks for is no answer of the listener's own.
    dictated = [trial.id for trial in definition.trials if trial.kind == "trapping"]
    # Blocks on one scale are one sequence of answers.
    scale = case(
        {block.id: block.scale.kind for block in definition.blocks}, value=Presentation.block_id
    )
    answer = func.coalesce(Vote.choice, cast(Vote.score, String))
    rows = await session.execute(
        voted.add_columns(scale, func.count(), func.count(answer.distinct()))
        .where(Presentation.trial_id.not_in(dictated))
        .group_by(Presentation.participant_id, scale)
    )
    for participant_id, on_scale, votes, different in rows:
        found[participant_id].same_throughout[on_scale] = (votes, different)


async def _count_quick(
    session: AsyncSession, rules: StudyDefinition, voted: Select[Any], found: dict[int, Conduct]
) -> None:
    limits = sorted({rule.ms for rule in rules.exclusion if isinstance(rule, DecisionUnder)})
    quick = [func.count().filter(Vote.decision_ms < ms) for ms in limits]
    rows = await session.execute(
        voted.add_columns(func.count(), *quick).group_by(Presentation.participant_id)
    )
    for participant_id, votes, *under in map(tuple, rows):
        found[participant_id].votes = votes
        found[participant_id].votes_under_ms = dict(zip(limits, under, strict=True))


async def _gather_questionnaire(
    session: AsyncSession, rules: StudyDefinition, found: dict[int, Conduct]
) -> None:
    asked = {rule.question for rule in rules.exclusion if isinstance(rule, Answered)}
    if not asked:
        return
    rows = await session.execute(
        select(
            QuestionnaireAnswer.participant_id,
            QuestionnaireAnswer.question_id,
            QuestionnaireAnswer.answer,
        ).where(
            QuestionnaireAnswer.question_id.in_(asked),
            QuestionnaireAnswer.participant_id.in_(found),
        )
    )
    for participant_id, question_id, answer in rows:
        chosen = answer if isinstance(answer, list) else [answer]
        found[participant_id].answers[question_id] = {str(option) for option in chosen}
