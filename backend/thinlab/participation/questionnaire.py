"""A participant's answers to the study's questions: stored once, harmless to send again.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Participant, QuestionnaireAnswer
from thinlab.participation.kind import Kinds
from thinlab.participation.messages import Stage
from thinlab.participation.participant import Progress, complete_if_done, seen
from thinlab.study.definition import StudyDefinition
from thinlab.study.question import Answer, ChoiceQuestion, Question, problem_with

STAGES = {Stage.QUESTIONS_BEFORE: "before", Stage.QUESTIONS_AFTER: "after"}


class NotAskedError(Exception):
    """It is not the time for questions."""


class OtherAnswerError(Exception):
    """A question holds another answer already."""


class WrongAnswerError(Exception):
    """An answer does not fit its question; carries which one and why."""

    def __init__(self, question_id: str, problem: str) -> None:
        super().__init__(problem)
        self.question_id = question_id


def asked(progress: Progress) -> list[Question]:
    """The questions to answer now. Raises `NotAskedError`."""
    if progress.due.stage not in STAGES:
        raise NotAskedError
    when = STAGES[progress.due.stage]
    return [one for one in progress.study.definition.questionnaire if one.when == when]


async def answer(
    session: AsyncSession,
    progress: Progress,
    answers: Mapping[str, Answer | None],
    kinds: Kinds,
) -> None:
    """Stores the answers of a stage, all or none.

    Raises `NotAskedError`, `OtherAnswerError`, `WrongAnswerError`.
    """
    if await _holds_already(session, progress, answers):
        return
    questions = asked(progress)
    known = {question.id for question in questions}
    for name in answers:
        if name not in known:
            raise WrongAnswerError(name, "there is no such question now")
    for question in questions:
        problem = problem_with(question, answers.get(question.id))
        if problem is not None:
            raise WrongAnswerError(question.id, problem)
    whole = {question.id: answers.get(question.id) for question in questions}
    row = await seen(session, progress.participant)
    await session.execute(
        insert(QuestionnaireAnswer)
        .values(
            [
                {
                    "participant_id": row.id,
                    "question_id": name,
                    "answer": _plain(given),
                }
                for name, given in whole.items()
            ]
        )
        .on_conflict_do_nothing()
    )
    if not await _holds_already(session, progress, whole):
        raise OtherAnswerError
    row.ineligible_by = next(
        (
            one.id
            for one in questions
            if isinstance(one, ChoiceQuestion) and one.screened_out_by(whole[one.id])
        ),
        None,
    )
    await session.flush()
    await complete_if_done(session, row, kinds)


def _plain(given: Answer | None) -> Answer | None:
    return None if given in ("", []) else given


async def _holds_already(
    session: AsyncSession, progress: Progress, answers: Mapping[str, Answer | None]
) -> bool:
    """Whether all these answers are stored as they are; raises `OtherAnswerError` for others."""
    held = await answers_of(session, progress.participant, progress.study.definition)
    for name, given in answers.items():
        if name in held and held[name] != _plain(given):
            raise OtherAnswerError
    return bool(answers) and set(answers) <= set(held)


async def answers_of(
    session: AsyncSession, participant: Participant, definition: StudyDefinition
) -> dict[str, Answer | None]:
    """What a participant has answered, by question."""
    rows = await session.execute(
        select(QuestionnaireAnswer.question_id, QuestionnaireAnswer.answer).where(
            QuestionnaireAnswer.participant_id == participant.id
        )
    )
    ids = {question.id for question in definition.questionnaire}
    return {name: given for name, given in rows if name in ids}
