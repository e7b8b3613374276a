"""Routes of the questions beside the trials.

SPDX-License-Identifier: Apache-2.0
"""

from fastapi import APIRouter

from thinlab.participation import messages, questionnaire
from thinlab.trials.registry import KINDS
from thinlab.web import trial_messages
from thinlab.web.participant_credentials import Token, progress_of
from thinlab.web.problems import ProblemError, out_of_turn, problem_responses
from thinlab.web.services import Here

router = APIRouter(prefix="/api/participation", tags=["participant"])


def _not_asked() -> ProblemError:
    return out_of_turn("not-asked", "There are no questions to answer now.")


@router.get(
    "/questions", operation_id="getQuestions", responses=problem_responses(401, 409, 410, 503)
)
async def questions(token: Token, here: Here) -> messages.Questions:
    """The questions to answer now."""
    async with here.database.transaction() as session:
        progress = await progress_of(session, token)
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
    given: messages.Answers, token: Token, here: Here
) -> messages.Participation:
    """Stores the answers of a stage. The same again is harmless."""
    async with here.database.transaction() as session:
        progress = await progress_of(session, token)
        try:
            await questionnaire.answer(session, progress, given.answers, KINDS)
        except questionnaire.NotAskedError as error:
            raise _not_asked() from error
        except questionnaire.OtherAnswerError as error:
            raise ProblemError(
                409,
                "answered",
                "These questions are answered already; the first answers count.",
                remedy="Continue with what comes next.",
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
        return trial_messages.participation(await progress_of(session, token))
