"""Routes of a participant's session beside the trials: progress, sound check, questions, leaving.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Response
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Participant
from thinlab.participation import huggins, messages, questionnaire, withdrawal
from thinlab.participation import participant as participation
from thinlab.trials.listening import headphones, sound_check
from thinlab.trials.registry import KINDS
from thinlab.web import trial_messages
from thinlab.web.audio import AUDIO_RESPONSE
from thinlab.web.participant_credentials import Token, participant_of, unknown_participant
from thinlab.web.problems import ProblemError, problem_responses
from thinlab.web.services import Here

router = APIRouter(prefix="/api/participation", tags=["participant"])


async def _progress(session: AsyncSession, token: str) -> participation.Progress:
    return await participation.progress(session, await participant_of(session, token), KINDS)


@router.get("", operation_id="getParticipation", responses=problem_responses(401, 410, 503))
async def my_participation(token: Token, here: Here) -> messages.Participation:
    """How far this participant is, and what comes next."""
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
    here.live.store.remove(typed)
    return Response(status_code=204)


@router.post(
    "/sound-check",
    operation_id="checkSound",
    responses=problem_responses(401, 404, 410, 422, 503),
)
async def check_sound(
    checked: messages.SoundCheck, token: Token, here: Here
) -> messages.Participation:
    """How the sound was set; once more on another device."""
    tried = checked.headphones
    async with here.database.transaction() as session:
        row = await sound_check.store(
            session, await participant_of(session, token), checked.level_percent
        )
        if tried is not None:
            try:
                await headphones.answer(session, row, tried.number, tried.answers)
            except headphones.NoTryError as error:
                raise _no_such_try() from error
        return trial_messages.participation(await participation.progress(session, row, KINDS))


def _no_such_try() -> ProblemError:
    return ProblemError(
        404,
        "no-such-try",
        "There is no such try of the headphone test.",
        remedy="Begin the test, and listen to its rounds.",
    )


@router.post(
    "/headphones",
    operation_id="beginHeadphoneTest",
    responses=problem_responses(401, 409, 410, 503),
)
async def begin_headphones(token: Token, here: Here) -> messages.HeadphoneTry:
    """Begins a try of the headphone test, or goes on with the one that is open."""
    async with here.database.transaction() as session:
        try:
            begun = await headphones.begin(session, await participant_of(session, token))
        except headphones.SettledError as error:
            raise ProblemError(
                409,
                "settled",
                "The headphone test is passed, or has been tried often enough.",
                remedy="Ask for the participation's progress, and continue from there.",
            ) from error
    return messages.HeadphoneTry(number=begun.number, rounds=headphones.ROUNDS)


@router.get(
    "/headphones/{number}/{round}",
    operation_id="getHeadphoneRound",
    response_class=Response,
    responses={**AUDIO_RESPONSE, **problem_responses(401, 404, 410, 422, 503)},
)
async def headphone_round(
    number: Annotated[int, Path(ge=1, le=100)],
    round_: Annotated[int, Path(alias="round", ge=1, le=headphones.ROUNDS)],
    token: Token,
    here: Here,
) -> Response:
    """A round of an open try: three noises of a second, half a second apart, in two channels."""
    async with here.database.transaction() as session:
        try:
            test = await headphones.of_try(session, await participant_of(session, token), number)
        except headphones.NoTryError as error:
            raise _no_such_try() from error
    tone = test.tones[round_ - 1]
    content = await asyncio.to_thread(huggins.round_of, test.seed, round_, tone)
    return Response(content, media_type="audio/wav")


def _not_asked() -> ProblemError:
    return ProblemError(
        409,
        "not-asked",
        "There are no questions to answer now.",
        remedy="Ask for the participation's progress, and continue from there.",
    )


@router.get(
    "/questions", operation_id="getQuestions", responses=problem_responses(401, 409, 410, 503)
)
async def questions(token: Token, here: Here) -> messages.Questions:
    """The questions to answer now."""
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
    given: messages.Answers, token: Token, here: Here
) -> messages.Participation:
    """Stores the answers of a stage. The same again is harmless."""
    async with here.database.transaction() as session:
        progress = await _progress(session, token)
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
        return trial_messages.participation(await _progress(session, token))
