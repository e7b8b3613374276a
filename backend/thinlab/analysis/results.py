"""A study's results from the database: which votes count, and what they say.

The numerical libraries are imported on the first call and the work is done in a thread, so that
the server starts fast and goes on taking votes.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from thinlab.analysis.findings import LookFindings, SessionFindings, StudyResults
from thinlab.analysis.kind import Kinds
from thinlab.analysis.votes import (
    AnalysedBlock,
    AnalysedVote,
    AnalysisPlan,
    LeftOut,
    TrialWords,
)
from thinlab.database.schema import Participant, Presentation, Recording, Study, StudyEvent, Vote
from thinlab.study import catalogue, study_state
from thinlab.study.catalogue import StoredStudy
from thinlab.study.definition import StudyDefinition
from thinlab.study.interim_consistency import look_sizes
from thinlab.study.meaning import TrialMeaning, meanings
from thinlab.study.scale import PreferenceScale
from thinlab.study.study_event import EventKind
from thinlab.study.text import said

if TYPE_CHECKING:
    from thinlab.analysis.interim import Looked
    from thinlab.study.schedule import MemberName
    from thinlab.study.trial import ChoiceName

PERSONS = frozenset({"person"})
# So many results are kept; a researcher looks at few studies, again and again.
KEPT = 16


@dataclass(frozen=True)
class Reading:
    """What was read of a study: enough to work out its results without the database."""

    fingerprint: tuple[object, ...]
    """Changes whenever the results could."""
    plan: AnalysisPlan
    votes: tuple[AnalysedVote, ...]
    """Empty where the results are known already."""
    left_out: LeftOut
    looked: "Looked | None"
    """What was seen before the end, where looks are planned."""
    sessions: Mapping[str, SessionFindings]
    """What each kind of trial has to say of its live sessions, by medium."""


_known: OrderedDict[tuple[object, ...], StudyResults] = OrderedDict()


async def of_study(
    session: AsyncSession,
    study: StoredStudy,
    trial_kinds: Kinds,
    *,
    excluded: frozenset[int],
    kinds: frozenset[str] = PERSONS,
) -> StudyResults:
    """What the votes say. Holds the transaction while it works: a server takes two steps."""
    return await worked_out(await read(session, study, trial_kinds, excluded=excluded, kinds=kinds))


async def read(
    session: AsyncSession,
    study: StoredStudy,
    trial_kinds: Kinds,
    *,
    excluded: frozenset[int],
    kinds: frozenset[str] = PERSONS,
) -> Reading:
    """The votes of these kinds of participants; `excluded` are ids of participants."""
    plan = plan_of(study.definition)
    if kinds != PERSONS:
        # Who rehearses looks whenever they want.
        plan = replace(plan, looks=())
    fingerprint = await _fingerprint(session, study, excluded, kinds)
    looked = None
    if plan.looks:
        from thinlab.analysis.interim import Looked  # noqa: PLC0415 - slow to import

        status = await study_state.of(session, study)
        looked = Looked(await looks_taken(session, study.slug), ended=status.closed)
        fingerprint += (len(looked.taken), looked.ended)
    sessions = {
        medium: found
        for medium, trials in trial_kinds.items()
        if (
            found := await trials.session_findings(
                session, study.slug, excluded=excluded, kinds=kinds
            )
        )
    }
    if fingerprint in _known:
        return Reading(fingerprint, plan, (), LeftOut(), looked, sessions)
    votes, left_out = await _votes(session, study, trial_kinds, excluded, kinds)
    return Reading(fingerprint, plan, tuple(votes), left_out, looked, sessions)


async def worked_out(reading: Reading) -> StudyResults:
    """The results, in a thread; the same reading again costs nothing."""
    known = _known.get(reading.fingerprint)
    if known is None:
        known = await asyncio.to_thread(_analyse, reading)
        _known[reading.fingerprint] = known
        while len(_known) > KEPT:
            _known.popitem(last=False)
    if not reading.sessions:
        return known
    spoilt = [one.sentence for one in reading.sessions.values() if one.spoilt]
    well = [one.sentence for one in reading.sessions.values() if not one.spoilt]
    return known.model_copy(
        update={**reading.sessions, "sentences": [*spoilt, *known.sentences, *well]}
    )


def _analyse(reading: Reading) -> StudyResults:
    from thinlab.analysis.study import analyse  # noqa: PLC0415 - slow to import, see above

    if reading.looked is None:
        return analyse(reading.plan, reading.votes, reading.left_out)
    return analyse(reading.plan, reading.votes, reading.left_out, reading.looked)


async def votes_of(
    session: AsyncSession,
    study: StoredStudy,
    trial_kinds: Kinds,
    *,
    excluded: frozenset[int],
    among: frozenset[int],
) -> tuple[AnalysedVote, ...]:
    """The votes of these people alone, without the excluded among them."""
    votes, _ = await _votes(session, study, trial_kinds, excluded, PERSONS, among)
    return tuple(votes)


async def looks_taken(session: AsyncSession, slug: str) -> tuple[LookFindings, ...]:
    """What was found at each look of a study, as it was put on record."""
    rows = await session.scalars(
        select(StudyEvent.details)
        .where(StudyEvent.slug == slug, StudyEvent.kind == EventKind.LOOKED)
        .order_by(StudyEvent.id)
    )
    return tuple(LookFindings.model_validate(details) for details in rows)


async def _fingerprint(
    session: AsyncSession, study: StoredStudy, excluded: frozenset[int], kinds: frozenset[str]
) -> tuple[object, ...]:
    """Votes are only ever added, or deleted with a participant who withdraws."""
    last, votes, completed = (
        await session.execute(
            select(func.max(Vote.id), func.count(Vote.id), func.max(Participant.completed_at))
            .join(Presentation, Presentation.id == Vote.presentation_id)
            .join(Participant, Participant.id == Presentation.participant_id)
            .join(Study, Study.id == Participant.study_id)
            .where(Study.slug == study.slug)
        )
    ).one()
    bind = session.get_bind()
    return (str(bind.engine.url), study.id, last, votes, completed, excluded, kinds)


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
    published = definition.published or ()
    if declared is None:
        return AnalysisPlan(blocks, published=published)
    return AnalysisPlan(
        blocks,
        published=published,
        primary=frozenset(declared.primary),
        hypotheses=declared.hypotheses or (),
        rule=declared.rule or "any",
        looks=_looks(definition),
        confidence=declared.confidence,
        correction=declared.correction,
        hypothesis=said(declared.hypothesis, definition.languages[0]),
    )


def _looks(definition: StudyDefinition) -> tuple[int, ...]:
    plan, stop = definition.analysis, definition.stop
    if plan is None or plan.interim is None or stop is None or stop.completed is None:
        return ()
    return look_sizes(plan.interim, stop.completed)


async def _votes(
    session: AsyncSession,
    study: StoredStudy,
    trial_kinds: Kinds,
    excluded: frozenset[int],
    kinds: frozenset[str],
    among: frozenset[int] | None = None,
) -> tuple[list[AnalysedVote], LeftOut]:
    """The votes of completed sessions on trials as the study has them now."""
    first_heard, second_heard = aliased(Recording), aliased(Recording)
    rows = await session.execute(
        select(
            Participant.id,
            Participant.pseudonym,
            Participant.study_id,
            Participant.completed_at.is_not(None).label("completed"),
            Presentation.trial_id,
            Presentation.first_member,
            Presentation.training,
            Presentation.run,
            # Of one recording presented as two, both are there.
            first_heard.audio_sha256.label("first_sha256"),
            second_heard.audio_sha256.label("second_sha256"),
            Vote.choice,
            Vote.score,
            Vote.noticeable,
        )
        .join(Presentation, Presentation.participant_id == Participant.id)
        .join(Vote, Vote.presentation_id == Presentation.id)
        .join(Study, Study.id == Participant.study_id)
        .outerjoin(first_heard, first_heard.id == Presentation.first_recording_id)
        .outerjoin(second_heard, second_heard.id == Presentation.second_recording_id)
        .where(Study.slug == study.slug, Participant.kind.in_(kinds))
        .order_by(Vote.id)
    )
    found: list[AnalysedVote] = []
    unfinished = others = 0
    known = {study.id: meanings(study.definition)}
    for row in rows:
        if row.id in excluded or (among is not None and row.id not in among):
            continue
        if row.study_id not in known:
            earlier = await catalogue.by_id(session, row.study_id)
            known[row.study_id] = meanings(earlier.definition)
        meaning = known[row.study_id][row.trial_id]
        if not row.completed:
            unfinished += 1
        elif known[study.id].get(row.trial_id) != meaning:
            others += 1
        else:
            found.append(_analysed(row, meaning, trial_kinds[meaning.medium].trial_words))
    return found, LeftOut(len(excluded), unfinished, others)


def _analysed(
    row: Any,  # noqa: ANN401 (the row above)
    meaning: TrialMeaning,
    words: TrialWords,
) -> AnalysedVote:
    sounds = sorted(sound for sound in (row.first_sha256, row.second_sha256) if sound is not None)
    alike = meaning.kind == "pair" and len(sounds) > 1 and len(set(sounds)) == 1
    return AnalysedVote(
        participant=row.pseudonym,
        block=meaning.block,
        trial=row.trial_id,
        # Two that are the same bytes have no difference to prefer one for.
        kind="control" if alike else meaning.kind,
        clip=meaning.material,
        conditions=meaning.conditions,
        answer=row.score if row.choice is None else cast("ChoiceName", row.choice),
        words=words,
        first=cast("MemberName", row.first_member),
        training=row.training,
        noticeable=row.noticeable,
        run=row.run,
        # Sessions of one run and trial meet the same losses.
        recording=" ".join(sounds) or f"{row.trial_id} {row.run}",
        identical=alike,
    )
