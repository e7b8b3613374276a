"""Routes of the trials: open, hear, vote.

SPDX-License-Identifier: Apache-2.0
"""

import math

from fastapi import APIRouter, Response

from thinlab.participation import messages, places, presentation, vote
from thinlab.participation import participant as participation
from thinlab.participation.kind import NotDoneError, NotReadyError
from thinlab.trials.listening import heard
from thinlab.trials.registry import KINDS
from thinlab.web import trial_messages
from thinlab.web.audio import AUDIO_RESPONSE, wav_response
from thinlab.web.joining import full, preparing
from thinlab.web.participant_credentials import Token, participant_of
from thinlab.web.problems import ProblemError, problem_responses
from thinlab.web.services import Here, Services

router = APIRouter(prefix="/api", tags=["participant"])


def _not_yet(stage: messages.Stage) -> ProblemError:
    if stage in {messages.Stage.COMPLETE, messages.Stage.QUESTIONS_AFTER}:
        return ProblemError(409, "complete", "All trials are done.")
    return ProblemError(
        409,
        "not-yet",
        "Something else comes before the trials.",
        remedy="Ask for the participation's progress, and continue from there.",
    )


@router.post(
    "/participation/trials",
    operation_id="openTrials",
    responses=problem_responses(401, 409, 410, 503),
)
async def open_trials(token: Token, here: Here) -> messages.OpenTrials:
    """The trial to hear now and those that follow; the same ones until there is a vote."""
    async with here.database.transaction() as session:
        mine = await participation.seen(session, await participant_of(session, token))
        progress = await participation.progress(session, mine, KINDS)
        drawn = await presentation.is_drawn(session, progress.participant)
    if progress.due.stage is not messages.Stage.TRIALS:
        raise _not_yet(progress.due.stage)
    participant = progress.participant
    if not drawn:
        await _draw(here, progress)
    async with here.database.transaction() as session:
        try:
            opened = await presentation.open_next(session, progress.study, participant, KINDS)
        except presentation.AllVotedError as error:
            raise _not_yet(messages.Stage.COMPLETE) from error
    study, language = progress.study, participant.language
    return messages.OpenTrials(
        trials=[trial_messages.open_trial(one, study, language) for one in opened]
    )


async def _draw(here: Services, progress: participation.Progress) -> None:
    async with here.drawing, here.database.transaction() as session:
        try:
            await presentation.draw(session, progress.study, progress.participant, KINDS)
        except NotReadyError as error:
            raise preparing() from error
        except places.FullError as error:
            raise full() from error


@router.get(
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


def _not_done(error: NotDoneError) -> ProblemError:
    early = error.wait_s is not None
    return ProblemError(
        429 if early else 409,
        error.kind,
        error.title,
        field=error.field,
        remedy=error.remedy,
        headers={"Retry-After": str(math.ceil(error.wait_s or 0))} if early else None,
    )


@router.post(
    "/participation/votes",
    operation_id="castVote",
    status_code=201,
    responses={
        200: {"model": messages.VoteReceipt, "description": "Stored before with this key."},
        **problem_responses(401, 404, 409, 410, 413, 422, 429, 503),
    },
)
async def cast_vote(
    cast: messages.VoteCast, token: Token, here: Here, response: Response
) -> messages.VoteReceipt:
    """Stores the vote. The answer leaves only after the commit is on disk."""
    async with here.database.transaction() as session:
        participant = await participant_of(session, token)
        try:
            stored = await vote.cast(
                session, participant, cast, KINDS, build=here.build, timed=here.listening
            )
        except vote.UnknownTrialError as error:
            raise ProblemError(
                404, "no-such-trial", "There is no such trial.", field="trial_token"
            ) from error
        except vote.NotOnScaleError as error:
            raise ProblemError(
                422,
                "invalid",
                "This answer cannot be given on the trial's scale.",
                field="choice" if cast.choice else "score",
                remedy="Give one of the answers that the trial offers, as `choice` or as `score`.",
            ) from error
        except vote.NotNoticeableError as error:
            raise ProblemError(
                422,
                "invalid",
                "How noticeable the difference was does not fit the answer.",
                field="noticeable",
                remedy="Give a step where the trial asks for one and `choice` is the first or the "
                "second; else leave it out.",
            ) from error
        except vote.OtherAccountError as error:
            raise ProblemError(
                422,
                "invalid",
                "This account is of another kind of trial.",
                field="account.medium",
                remedy="Open the trials again, and say how the answer to this one was reached.",
            ) from error
        except NotDoneError as error:
            raise _not_done(error) from error
        except vote.OtherVoteError as error:
            raise ProblemError(
                409,
                "voted",
                "This trial has a vote already; the first one counts.",
                remedy="Continue with the next trial.",
            ) from error
    response.status_code = 201 if stored.new else 200
    return messages.VoteReceipt(
        vote_key=cast.vote_key, position=stored.position, received_at=stored.received_at
    )
