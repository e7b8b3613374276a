"""Routes of trials that are heard: the check of the sound, the headphone test, recordings.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Path, Response

from thinlab.participation import participant as participation
from thinlab.participation.messages import Participation
from thinlab.study.headphone_test import ROUNDS
from thinlab.study.hearing.registry import HearingTestName
from thinlab.trials.listening import heard, hearing, sound_check
from thinlab.trials.listening.checks.headphones import tries as headphones
from thinlab.trials.listening.messages import (
    HeadphoneTry,
    HearingAnswers,
    HearingRoundAnswer,
    HearingRounds,
    HearingTry,
    SoundCheck,
)
from thinlab.trials.registry import KINDS
from thinlab.web import trial_messages
from thinlab.web.audio import AUDIO_RESPONSE, wav_response
from thinlab.web.participant_credentials import Token, participant_of
from thinlab.web.problems import ProblemError, out_of_turn, problem_responses
from thinlab.web.services import Here

checks = APIRouter(prefix="/api/participation", tags=["participant"])
trials = APIRouter(prefix="/api", tags=["participant"])


@checks.post(
    "/sound-check",
    operation_id="checkSound",
    responses=problem_responses(401, 404, 410, 422, 503),
)
async def check_sound(checked: SoundCheck, token: Token, here: Here) -> Participation:
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
        "There is no such try of the test.",
        remedy="Begin the test, and listen to its rounds.",
    )


@checks.post(
    "/headphones",
    operation_id="beginHeadphoneTest",
    responses=problem_responses(401, 409, 410, 503),
)
async def begin_headphones(token: Token, here: Here) -> HeadphoneTry:
    """Begins a try of the headphone test, or goes on with the one that is open."""
    async with here.database.transaction() as session:
        try:
            begun = await headphones.begin(session, await participant_of(session, token))
        except headphones.SettledError as error:
            raise out_of_turn(
                "settled", "The headphone test is passed, or has been tried often enough."
            ) from error
    return HeadphoneTry(number=begun.number, rounds=ROUNDS)


@checks.get(
    "/headphones/{number}/{round}",
    operation_id="getHeadphoneRound",
    response_class=Response,
    responses={**AUDIO_RESPONSE, **problem_responses(401, 404, 410, 422, 503)},
)
async def headphone_round(
    number: Annotated[int, Path(ge=1, le=100)],
    round_: Annotated[int, Path(alias="round", ge=1, le=ROUNDS)],
    token: Token,
    here: Here,
) -> Response:
    """A round of an open try: three sounds of a second, half a second apart, in two channels."""
    async with here.database.transaction() as session:
        participant = await participant_of(session, token)
        rule = await headphones.rule_of(session, participant)
        try:
            test = await headphones.of_try(session, participant, number)
        except headphones.NoTryError as error:
            raise _no_such_try() from error
    content = await asyncio.to_thread(headphones.sound_of, test, round_, rule.signal)
    return Response(content, media_type="audio/wav")


@checks.post(
    "/hearing",
    operation_id="beginHearingTest",
    responses=problem_responses(401, 409, 410, 503),
)
async def begin_hearing(token: Token, here: Here) -> HearingTry:
    """Begins a try of the next test of hearing or equipment, or goes on with the open one."""
    async with here.database.transaction() as session:
        try:
            rule, begun = await hearing.begin(session, await participant_of(session, token))
        except headphones.SettledError as error:
            raise out_of_turn(
                "settled", "The tests of hearing are passed, or have been tried often enough."
            ) from error
    return HearingTry(
        test=rule.test,
        number=begun.number,
        rounds=rule.rounds,
        sounds=rule.sounds,
        needed=rule.needed,
        answered=hearing.answered(begun),
    )


@checks.get(
    "/hearing/{test}/{number}/{round}",
    operation_id="getHearingRound",
    response_class=Response,
    responses={**AUDIO_RESPONSE, **problem_responses(401, 404, 410, 422, 503)},
)
async def hearing_round(
    test: HearingTestName,
    number: Annotated[int, Path(ge=1, le=100)],
    round_: Annotated[int, Path(alias="round", ge=1, le=100)],
    token: Token,
    here: Here,
) -> Response:
    """A round of an open try, in one channel; of one whose answers are sent one by one, the due."""
    try:
        async with here.database.transaction() as session:
            participant = await participant_of(session, token)
            rule, begun = await hearing.of_try(session, participant, test, number)
        content = await asyncio.to_thread(hearing.sound_of, rule, begun, round_, here.digits)
    except headphones.NoTryError as error:
        raise _no_such_try() from error
    return Response(content, media_type="audio/wav")


@checks.post(
    "/hearing-answers",
    operation_id="answerHearingTest",
    responses=problem_responses(401, 404, 410, 422, 503),
)
async def answer_hearing(given: HearingAnswers, token: Token, here: Here) -> Participation:
    """Has a try judged; the same again changes nothing."""
    async with here.database.transaction() as session:
        try:
            row = await hearing.answer(
                session,
                await participant_of(session, token),
                given.test,
                given.number,
                given.answers,
            )
        except headphones.NoTryError as error:
            raise _no_such_try() from error
        return trial_messages.participation(await participation.progress(session, row, KINDS))


@checks.post(
    "/hearing-rounds",
    operation_id="answerHearingRound",
    responses=problem_responses(401, 404, 410, 422, 503),
)
async def answer_hearing_round(
    given: HearingRoundAnswer, token: Token, here: Here
) -> HearingRounds:
    """Stores the answer to the round that is due; to an earlier one it changes nothing."""
    async with here.database.transaction() as session:
        try:
            begun = await hearing.answer_round(session, await participant_of(session, token), given)
        except headphones.NoTryError as error:
            raise _no_such_try() from error
        except hearing.UnfitError as error:
            raise ProblemError(
                422,
                "unfit-answer",
                "This is no answer to a round of the test.",
                remedy="Send `answer` as the test asks for it: three digits.",
            ) from error
        count = hearing.answered(begun)
        return HearingRounds(answered=count, over=count == len(begun.rights))


@trials.get(
    "/recordings/{recording_token}",
    operation_id="getRecording",
    response_class=Response,
    responses={**AUDIO_RESPONSE, **problem_responses(401, 404, 410, 503)},
)
async def recording(recording_token: str, token: Token, here: Here) -> Response:
    """One recording of an open trial, WAV, 48 kHz mono."""
    async with here.database.transaction() as session:
        participant = await participant_of(session, token)
        try:
            key = await heard.recording_key_of(session, participant, recording_token)
        except heard.UnknownTokenError as error:
            raise ProblemError(404, "no-such-recording", "There is no such recording.") from error
        except heard.VotedError as error:
            raise ProblemError(
                410,
                "voted",
                "This trial is done; its recordings can no longer be heard.",
                remedy="Continue with the next trial.",
            ) from error
    # A stored file: same code, same headers, same length for both members.
    return wav_response(await here.store.audio(key))
