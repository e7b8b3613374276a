"""Routes of a participant's session beside the trials: progress, sound check, questions, leaving.

SPDX-License-Identifier: Apache-2.0
"""

from fastapi import APIRouter, Response
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Participant
from thinlab.study import participation, questionnaire, sound_check, withdrawal
from thinlab.web import participant_messages as messages
from thinlab.web import trial_messages
from thinlab.web.participant_credentials import Token, participant_of, unknown_participant
from thinlab.web.problems import ProblemError, problem_responses
from thinlab.web.services import Here

router = APIRouter(prefix="/api/participation", tags=["participant"])
UNSTORED = {"Cache-Control": "no-store"}


async def _progress(session: AsyncSession, token: str) -> participation.Progress:
    return await participation.progress(session, await participant_of(session, token))


@router.get("", operation_id="getParticipation", responses=problem_responses(401, 410, 503))
async def my_participation(token: Token, here: Here, response: Response) -> messages.Participation:
    """How far this participant is, and what comes next."""
    response.headers.update(UNSTORED)
    async with here.database.transaction() as session:
        return trial_messages.participation(await _progress(session, token))


@router.delete(
    "",
    operation_id="withdraw",
    status_code=204,
    responses=problem_responses(401, 503),
)
async def withdraw(token: Token, here: Here) -> Response:
    """Deletes all of this participant's answers. Takes either of their tokens."""
    async with here.database.transaction() as session:
        participant = await participation.by_either_token(session, token)
        if participant is None:
            raise unknown_participant()
        participant_id = participant.id
    # Before the rows are locked: what is being stored of the session waits for that lock.
    await here.live.switchboard.end_of(participant_id)
    async with here.database.transaction() as session:
        participant = await session.get_one(Participant, participant_id)
        typed = await withdrawal.withdraw(session, participant)
    here.live.shelf.remove(typed)
    return Response(status_code=204, headers=UNSTORED)


@router.post(
    "/sound-check",
    operation_id="checkSound",
    responses=problem_responses(401, 410, 422, 503),
)
async def check_sound(
    checked: messages.SoundCheck, token: Token, here: Here, response: Response
) -> messages.Participation:
    """How the sound was set; once more on another device."""
    response.headers.update(UNSTORED)
    test = checked.headphones
    async with here.database.transaction() as session:
        row = await sound_check.store(
            session,
            await participant_of(session, token),
            checked.level_percent,
            None if test is None else sound_check.HeadphoneTest(test.correct, test.of, test.tries),
        )
        return trial_messages.participation(await participation.progress(session, row))


def _not_asked() -> ProblemError:
    return ProblemError(
        409,
        "not-asked",
        "There are no questions to answer now.",
        remedy="Ask how far the participation is, and go on from there.",
    )


@router.get(
    "/questions", operation_id="getQuestions", responses=problem_responses(401, 409, 410, 503)
)
async def questions(token: Token, here: Here, response: Response) -> messages.Questions:
    """The questions to answer now."""
    response.headers.update(UNSTORED)
    async with here.database.transaction() as session:
        progress = await _progress(session, token)
    try:
        asked = questionnaire.asked(progress)
    except questionnaire.NotAskedError as error:
        raise _not_asked() from error
    language = progress.participant.language
    return messages.Questions(
        questions=[trial_messages.question_form(question, language) for question in asked]
    )


@router.post(
    "/answers",
    operation_id="answerQuestions",
    responses=problem_responses(401, 409, 410, 422, 503),
)
async def answer_questions(
    given: messages.Answers, token: Token, here: Here, response: Response
) -> messages.Participation:
    """Stores the answers of a stage. The same again is harmless."""
    response.headers.update(UNSTORED)
    async with here.database.transaction() as session:
        progress = await _progress(session, token)
        try:
            await questionnaire.answer(session, progress, given.answers)
        except questionnaire.NotAskedError as error:
            raise _not_asked() from error
        except questionnaire.OtherAnswerError as error:
            raise ProblemError(
                409,
                "answered",
                "These questions are answered already; the first answers count.",
                remedy="Go on with what comes next.",
            ) from error
        except questionnaire.WrongAnswerError as error:
            raise ProblemError(
                422,
                "invalid",
                "An answer does not fit its question.",
                detail=f"{error.question_id}: {error}",
                field=f"answers.{error.question_id}",
                remedy="Correct this answer and send all of them again.",
            ) from error
        return trial_messages.participation(await _progress(session, token))
