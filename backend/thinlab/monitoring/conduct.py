"""What participants did, as far as exclusion rules look at it: counts, made by PostgreSQL.

No direction of a vote is in here: that an answer was wrong, the same as all
others or quick, but never which it was.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, RowMapping, String, any_, cast, func, literal, select
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Participant, Presentation, QuestionnaireAnswer, Vote
from thinlab.monitoring import attended, rhythms
from thinlab.monitoring.rhythm import Verdict
from thinlab.participation.attention import Attention
from thinlab.study.catalogue import StoredStudy
from thinlab.study.definition import StudyDefinition
from thinlab.study.known_answer import failed
from thinlab.study.page import is_open_reference
from thinlab.study.rules import Answered, DecisionUnder, JournalRule, ReferenceUnder
from thinlab.study.scale import SCORES
from thinlab.study.scales.preference import PreferenceScale

CHECKED = ("trapping", "gold", "control", "reference")
CHOICES = ("first", "second", "no_difference")

Rows = Sequence[RowMapping]


@dataclass
class Failures:
    """Answers to trials of one kind that can fail, and how many did."""

    votes: int = 0
    failed: int = 0


@dataclass
class Conduct:
    """One participant. Training is never counted."""

    sound_checked: bool = False
    headphones_passed: bool | None = None
    hearing: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Outcomes of the tests of hearing that were done, by test."""
    trapping: Failures = field(default_factory=Failures)
    gold: Failures = field(default_factory=Failures)
    control: Failures = field(default_factory=Failures)
    reference: Failures = field(default_factory=Failures)
    """Hidden references, and how many were rated lower than a rule allows."""
    same_throughout: dict[str, tuple[int, int]] = field(default_factory=dict)
    """By scale: votes, and how many different answers are among them; trapping trials aside."""
    votes: int = 0
    votes_under_ms: dict[int, int] = field(default_factory=dict)
    """How many votes took less than a rule's limit, by that limit."""
    attention: list[Attention] = field(default_factory=list)
    """Of each trial heard; only where some rule looks at it."""
    rhythm: Verdict | None = None
    """Of what was typed; none where nothing is."""
    answers: dict[str, set[str]] = field(default_factory=dict)
    """Options chosen in the questionnaire, by question."""


@dataclass(frozen=True)
class Gathered:
    """What the database holds of everybody who joined one version."""

    rows: Rows
    """A row of counts for each."""
    questionnaire: Rows
    journals: Rows
    rhythms: Rows


def _limits_ms(rules: StudyDefinition) -> list[int]:
    return sorted({rule.ms for rule in rules.exclusion if isinstance(rule, DecisionUnder)})


async def gathered(
    session: AsyncSession, study: StoredStudy, rules: StudyDefinition, kind: str
) -> Gathered:
    """Of everybody who joined this version and has not withdrawn.

    `rules`: whose rules will look.
    """
    whose = (
        Participant.study_id == study.id,
        Participant.kind == kind,
        Participant.withdrawn_at.is_(None),
    )
    watched = any(isinstance(rule, JournalRule) for rule in rules.exclusion)
    typed = "typed" in study.definition.media
    return Gathered(
        await _rows_of(session, study, rules, whose),
        await _questionnaire_of(session, study, rules, kind),
        await attended.rows_of(session, whose) if watched else [],
        await rhythms.rows_of(session, whose) if typed else [],
    )


async def _rows_of(
    session: AsyncSession,
    study: StoredStudy,
    rules: StudyDefinition,
    whose: Sequence[ColumnElement[bool]],
) -> Rows:
    counted = (
        select(Presentation.participant_id, *_counts(study.definition, rules))
        .join(Vote, Vote.presentation_id == Presentation.id)
        .join(Participant, Participant.id == Presentation.participant_id)
        .where(*whose, Presentation.training.is_(False))
        .group_by(Presentation.participant_id)
        .subquery()
    )
    rows = await session.execute(
        select(
            Participant.id,
            Participant.headphones_passed,
            Participant.hearing,
            Participant.sound_checked_at.is_not(None).label("sound_checked"),
            *(column for column in counted.c if column.name != "participant_id"),
        )
        .outerjoin(counted, counted.c.participant_id == Participant.id)
        .where(*whose)
    )
    return rows.mappings().all()


def _counts(definition: StudyDefinition, rules: StudyDefinition) -> list[ColumnElement[int]]:
    answer = func.coalesce(Vote.choice, cast(Vote.score, String))
    # What a trapping trial's clip asks for is no answer of the listener's own.
    dictated = [trial.id for trial in definition.trials if trial.kind == "trapping"]
    case = func.concat_ws(" ", Presentation.trial_id, Presentation.first_member, answer)
    counts: list[ColumnElement[int]] = [func.count().label("votes")]
    counts += [
        func.count().filter(Vote.decision_ms < ms).label(f"under_{ms}_ms")
        for ms in _limits_ms(rules)
    ]
    for kind, (trials, failures) in _checks(definition, rules).items():
        counts += [
            func.count().filter(Presentation.trial_id.in_(trials)).label(f"{kind}_votes"),
            func.count()
            .filter(case == any_(literal(failures, ARRAY(String))))
            .label(f"{kind}_failed"),
        ]
    for scale in {block.scale.kind for block in definition.blocks}:
        # Blocks on one scale are one sequence of answers.
        blocks = [block.id for block in definition.blocks if block.scale.kind == scale]
        own = (Presentation.block_id.in_(blocks), Presentation.trial_id.not_in(dictated))
        counts += [
            func.count().filter(*own).label(f"{scale}_votes"),
            func.count(answer.distinct()).filter(*own).label(f"{scale}_different"),
        ]
    return counts


def _checks(
    definition: StudyDefinition, rules: StudyDefinition
) -> dict[str, tuple[list[str], list[str]]]:
    """By kind: trials whose answers can fail, and each failing `trial first-member answer`."""
    found: dict[str, tuple[list[str], list[str]]] = {kind: ([], []) for kind in CHECKED}
    answers: list[tuple[str | None, int | None]] = [(choice, None) for choice in CHOICES]
    answers += [(None, score) for score in SCORES]
    for rule in rules.exclusion:
        if isinstance(rule, ReferenceUnder):
            found["reference"] = _references(definition, rule.score)
    for block in definition.blocks:
        forced = (
            isinstance(block.scale, PreferenceScale) and block.scale.answers.no_difference is None
        )
        for trial in block.trials:
            # With forced choice a control has no right answer.
            if trial.kind not in CHECKED or (trial.kind == "control" and forced):
                continue
            trials, failures = found[trial.kind]
            trials.append(trial.id)
            failures += [
                f"{trial.id} {first} {score if choice is None else choice}"
                for first in "ab"
                for choice, score in answers
                if failed(trial, block.scale, first, choice, score)
            ]
    return found


def _references(definition: StudyDefinition, least: int) -> tuple[list[str], list[str]]:
    """Trials that present a page's reference, and each answer to one that is too low."""
    trials = [
        trial.id
        for block in definition.blocks
        for trial in block.trials
        if is_open_reference(definition, block, trial)
    ]
    return trials, [f"{trial} a {score}" for trial in trials for score in range(least)]


async def _questionnaire_of(
    session: AsyncSession, study: StoredStudy, rules: StudyDefinition, kind: str
) -> Rows:
    """The answers that some rule looks at."""
    asked = {rule.question for rule in rules.exclusion if isinstance(rule, Answered)}
    if not asked:
        return []
    rows = await session.execute(
        select(
            QuestionnaireAnswer.participant_id,
            QuestionnaireAnswer.question_id,
            QuestionnaireAnswer.answer,
        )
        .join(Participant, Participant.id == QuestionnaireAnswer.participant_id)
        .where(
            Participant.study_id == study.id,
            Participant.kind == kind,
            QuestionnaireAnswer.question_id.in_(asked),
        )
    )
    return rows.mappings().all()


def made_of(
    found: Gathered, definition: StudyDefinition, rules: StudyDefinition
) -> dict[int, Conduct]:
    """Everybody by participant id. Pure, and slow for many: not for the event loop."""
    limits_ms = _limits_ms(rules)
    scales = {block.scale.kind for block in definition.blocks}
    attention = attended.by_participant(found.journals)
    verdicts = rhythms.by_participant(found.rhythms)
    made = {
        row["id"]: Conduct(
            sound_checked=row["sound_checked"],
            headphones_passed=row["headphones_passed"],
            hearing=row["hearing"] or {},
            votes=row["votes"] or 0,
            votes_under_ms={ms: row[f"under_{ms}_ms"] or 0 for ms in limits_ms},
            same_throughout={
                scale: (row[f"{scale}_votes"], row[f"{scale}_different"])
                for scale in scales
                if row[f"{scale}_votes"]
            },
            trapping=_failures(row, "trapping"),
            gold=_failures(row, "gold"),
            control=_failures(row, "control"),
            reference=_failures(row, "reference"),
            attention=attention.get(row["id"], []),
            rhythm=verdicts.get(row["id"]),
        )
        for row in found.rows
    }
    for row in found.questionnaire:
        answer = row["answer"]
        chosen = answer if isinstance(answer, list) else [answer]
        if row["participant_id"] in made:
            options = {str(option) for option in chosen}
            made[row["participant_id"]].answers[row["question_id"]] = options
    return made


def _failures(row: RowMapping, kind: str) -> Failures:
    return Failures(row[f"{kind}_votes"] or 0, row[f"{kind}_failed"] or 0)
