"""A study's results from the database: which votes count, and what they say.

The numerical libraries are imported on the first call and the work is done in a thread, so that
the server starts fast and goes on taking votes.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from typing import Any, cast

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.analysis.findings import StudyResults
from thinlab.analysis.votes import AnalysedBlock, AnalysedVote, AnalysisPlan, Choice, MemberName
from thinlab.database.schema import Participant, Presentation, Study, Vote
from thinlab.study import catalogue
from thinlab.study.catalogue import StoredStudy
from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.scale import PreferenceScale
from thinlab.study.text import said
from thinlab.study.trial import Trial, member_conditions

PERSONS = frozenset({"person"})


async def of_study(
    session: AsyncSession,
    study: StoredStudy,
    *,
    excluded: frozenset[int],
    kinds: frozenset[str] = PERSONS,
) -> StudyResults:
    """What the votes of these kinds of participants say; `excluded` are ids of participants."""
    votes, others = await _votes(session, study, excluded, kinds)
    plan = plan_of(study.definition)
    return await asyncio.to_thread(_analyse, plan, votes, len(excluded), others)


def _analyse(
    plan: AnalysisPlan, votes: list[AnalysedVote], excluded: int, others: int
) -> StudyResults:
    from thinlab.analysis.study import analyse  # noqa: PLC0415 - slow to import, see above

    return analyse(plan, votes, participants_excluded=excluded, votes_of_other_versions=others)


def plan_of(definition: StudyDefinition) -> AnalysisPlan:
    """What a study file declares about its analysis."""
    blocks = tuple(
        AnalysedBlock(
            block.id,
            block.scale.kind,
            no_difference=isinstance(block.scale, PreferenceScale)
            and block.scale.answers.no_difference is not None,
            trials=tuple(trial.id for trial in block.trials),
        )
        for block in definition.blocks
        if block.role == "trials"
    )
    declared = definition.analysis
    if declared is None:
        return AnalysisPlan(blocks)
    return AnalysisPlan(
        blocks,
        primary=frozenset(declared.primary),
        confidence=declared.confidence,
        correction=declared.correction,
        hypothesis=said(declared.hypothesis, definition.languages[0]),
    )


async def _votes(
    session: AsyncSession, study: StoredStudy, excluded: frozenset[int], kinds: frozenset[str]
) -> tuple[list[AnalysedVote], int]:
    """The votes on trials as the study has them now, and how many there are on others."""
    rows = await session.execute(
        select(
            Participant.pseudonym,
            Participant.study_id,
            Presentation.block_id,
            Presentation.trial_id,
            Presentation.first_member,
            Presentation.training,
            Vote.choice,
            Vote.score,
        )
        .join(Presentation, Presentation.participant_id == Participant.id)
        .join(Vote, Vote.presentation_id == Presentation.id)
        .join(Study, Study.id == Participant.study_id)
        .where(
            Study.slug == study.slug,
            Participant.kind.in_(kinds),
            Participant.id.not_in(excluded),
        )
        .order_by(Vote.id)
    )
    found: list[AnalysedVote] = []
    others = 0
    meanings: dict[int, dict[str, tuple[Any, ...]]] = {study.id: _meanings(study.definition)}
    now = meanings[study.id]
    for row in rows:
        if row.study_id not in meanings:
            earlier = await catalogue.by_id(session, row.study_id)
            meanings[row.study_id] = _meanings(earlier.definition)
        meaning = meanings[row.study_id][row.trial_id]
        if now.get(row.trial_id) != meaning:
            others += 1
            continue
        block_id, _, kind, clip, conditions = meaning
        found.append(
            AnalysedVote(
                participant=row.pseudonym,
                block=block_id,
                trial=row.trial_id,
                kind=kind,
                clip=clip,
                conditions=conditions,
                answer=row.score if row.choice is None else cast("Choice", row.choice),
                first=cast("MemberName", row.first_member),
                training=row.training,
            )
        )
    return found, others


def _meanings(definition: StudyDefinition) -> dict[str, tuple[Any, ...]]:
    """What a vote on each trial is about."""
    return {
        trial.id: _meaning(block, trial) for block in definition.blocks for trial in block.trials
    }


def _meaning(block: Block, trial: Trial) -> tuple[Any, ...]:
    return (block.id, block.scale.kind, trial.kind, trial.clip, member_conditions(trial))
