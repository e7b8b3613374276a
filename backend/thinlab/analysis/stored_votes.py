"""The votes of a study from the database: which count, and what each is about.

SPDX-License-Identifier: Apache-2.0
"""

from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import aliased

from thinlab.analysis.kind import Kinds
from thinlab.analysis.votes import AnalysedVote, LeftOut, TrialWords
from thinlab.database.schema import Participant, Presentation, Recording, Study, Vote
from thinlab.study import catalogue
from thinlab.study.catalogue import StoredStudy
from thinlab.study.meaning import TrialMeaning, meanings
from thinlab.study.scale import RATINGS

if TYPE_CHECKING:
    from thinlab.study.schedule import MemberName
    from thinlab.study.trial import ChoiceName

PERSONS = frozenset({"person"})


async def fingerprint_of(
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


async def votes_of(
    session: AsyncSession,
    study: StoredStudy,
    trial_kinds: Kinds,
    excluded: frozenset[int],
    kinds: frozenset[str],
    among: frozenset[int] | None = None,
) -> tuple[list[AnalysedVote], LeftOut]:
    """The votes of completed sessions on trials as the study has them now.

    Where `among` is given, of these participants alone.
    """
    first_heard, second_heard = aliased(Recording), aliased(Recording)
    rows = await session.execute(
        select(
            Participant.id,
            Participant.pseudonym,
            Presentation.id.label("presentation"),
            Participant.study_id,
            Participant.language,
            Participant.completed_at.is_not(None).label("completed"),
            Presentation.trial_id,
            Presentation.first_member,
            Presentation.x_place,
            Presentation.training,
            Presentation.run,
            Presentation.position,
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
        elif not meaning.is_still(known[study.id].get(row.trial_id), row.language):
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
    two_alike = meaning.kind == "pair" and len(sounds) > 1 and len(set(sounds)) == 1
    # What a condition did to a recording is rated, though it be nothing.
    alike = two_alike and meaning.scale not in RATINGS
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
        right=row.choice == row.x_place if row.x_place and row.choice else None,
        noticeable=row.noticeable,
        run=row.run,
        # Sessions of one run and trial meet the same losses.
        recording=" ".join(sounds) or f"{row.trial_id} {row.run}",
        identical=alike,
        position=row.position,
        presentation=row.presentation,
    )
