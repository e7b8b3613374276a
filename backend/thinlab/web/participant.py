"""Routes of the participant's page: join, hear a trial, vote.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Depends, Response, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from thinlab.database.schema import Participant
from thinlab.recording import wav
from thinlab.study import catalogue, participation, presentation, vote
from thinlab.study.definition import used_clips
from thinlab.web import participant_messages as messages
from thinlab.web.problems import ProblemError, problem_responses
from thinlab.web.researcher_session import signed_in
from thinlab.web.services import Here, Services

router = APIRouter(prefix="/api", tags=["participant"])

bearer = HTTPBearer(auto_error=False, scheme_name="participant", description="`participant_token`.")
UNSTORED = {"Cache-Control": "no-store"}
AUDIO_RESPONSE: dict[int | str, dict[str, object]] = {
    200: {"content": {"audio/wav": {"schema": {"type": "string", "format": "binary"}}}}
}


async def participant_token(
    credentials: Annotated[HTTPAuthorizationCredentials | None, Security(bearer)],
) -> str:
    """The bearer token of a request, not yet looked up."""
    if credentials is None:
        raise unknown_participant()
    return credentials.credentials


Token = Annotated[str, Depends(participant_token)]


def unknown_participant() -> ProblemError:
    return ProblemError(
        401,
        "unknown-participant",
        "This participation is not known.",
        remedy="Open the study's address again.",
        headers={"WWW-Authenticate": "Bearer"},
    )


def no_such_study() -> ProblemError:
    return ProblemError(
        404,
        "no-such-study",
        "There is no such study.",
        remedy="Check the address that you were given.",
    )


def _wording(study: catalogue.StoredStudy) -> messages.AnswerWording:
    return messages.AnswerWording(**study.definition.answers.model_dump())


def _participation(progress: participation.Progress) -> messages.Participation:
    return messages.Participation(
        study=progress.study.slug,
        state=(
            messages.ParticipationState.OPEN
            if progress.completion_code is None
            else messages.ParticipationState.COMPLETE
        ),
        trials_total=progress.trials_total,
        trials_done=progress.trials_done,
        completion_code=progress.completion_code,
        preview=progress.preview,
    )


def _state(study: catalogue.StoredStudy, ready: bool) -> messages.StudyState:
    if not study.definition.open:
        return messages.StudyState.CLOSED
    return messages.StudyState.OPEN if ready else messages.StudyState.PREPARING


@router.get("/studies/{slug}", operation_id="getStudy", responses=problem_responses(404, 503))
async def study_page(slug: str, here: Here) -> messages.StudyPage:
    """What the study's first page shows."""
    async with here.database.transaction() as session:
        study = await catalogue.current(session, slug)
        if study is None:
            raise no_such_study()
        ready = await catalogue.is_ready(session, study)
    definition = study.definition
    return messages.StudyPage(
        slug=definition.slug,
        title=definition.title,
        description=definition.description,
        state=_state(study, ready),
        consent=messages.ConsentText(
            version=definition.consent.version, paragraphs=list(definition.consent.paragraphs)
        ),
        question=definition.question,
        answers=_wording(study),
        trials_total=len(definition.trials),
        credits=here.clips.credits(used_clips(definition)),
    )


@router.get(
    "/studies/{slug}/sound-check",
    operation_id="getSoundCheck",
    response_class=Response,
    responses={**AUDIO_RESPONSE, **problem_responses(404, 503)},
)
async def sound_check(slug: str, here: Here) -> Response:
    """Undegraded speech to set the volume by, WAV, 48 kHz mono."""
    async with here.database.transaction() as session:
        study = await catalogue.current(session, slug)
    if study is None:
        raise no_such_study()
    samples = await asyncio.to_thread(here.clips.samples, study.definition.sound_check)
    return Response(wav.encode(samples), media_type="audio/wav", headers=UNSTORED)


@router.post(
    "/studies/{slug}/participants",
    operation_id="join",
    status_code=201,
    responses={
        200: {"model": messages.Joined, "description": "Joined before with this key."},
        **problem_responses(403, 404, 409, 422, 503),
    },
)
async def join(
    slug: str,
    joining: messages.Joining,
    here: Here,
    response: Response,
    researcher: Annotated[bool, Depends(signed_in)],
) -> messages.Joined:
    """A new participant, or the same one again for the same `join_key`."""
    if joining.preview and not researcher:
        raise ProblemError(
            403,
            "preview-needs-researcher",
            "Only a signed-in researcher can preview a study.",
            field="preview",
            remedy="Sign in on the researcher's page first.",
        )
    async with here.database.transaction() as session:
        study = await catalogue.current(session, slug)
        if study is None:
            raise no_such_study()
        try:
            joined = await participation.join(
                session,
                study,
                join_key=joining.join_key,
                consent_version=joining.consent_version,
                preview=joining.preview,
            )
        except participation.OtherConsentError as error:
            raise ProblemError(
                409,
                "consent-changed",
                "The consent text has changed.",
                field="consent_version",
                remedy="Load the page again and read the current text.",
            ) from error
        except participation.NotOpenError as error:
            raise _not_open(study) from error
        progress = await participation.progress(session, joined.participant)
    response.status_code = 201 if joined.new else 200
    response.headers.update(UNSTORED)
    return messages.Joined(participant_token=joined.token, participation=_participation(progress))


def _not_open(study: catalogue.StoredStudy) -> ProblemError:
    if not study.definition.open:
        return ProblemError(409, "closed", "This study takes no more participants.")
    return ProblemError(
        409,
        "preparing",
        "This study is being prepared.",
        remedy="Try again in a minute.",
        headers={"Retry-After": "5"},
    )


async def _participant(here: Services, token: str) -> Participant:
    async with here.database.transaction() as session:
        participant = await participation.by_token(session, token)
    if participant is None:
        raise unknown_participant()
    return participant


@router.get(
    "/participation",
    operation_id="getParticipation",
    responses=problem_responses(401, 503),
)
async def my_participation(token: Token, here: Here, response: Response) -> messages.Participation:
    """How far this participant is."""
    participant = await _participant(here, token)
    response.headers.update(UNSTORED)
    async with here.database.transaction() as session:
        return _participation(await participation.progress(session, participant))


@router.post(
    "/participation/trials",
    operation_id="openTrial",
    responses=problem_responses(401, 409, 503),
)
async def open_trial(token: Token, here: Here, response: Response) -> messages.OpenTrial:
    """Opens the next trial, or returns the one that is open."""
    participant = await _participant(here, token)
    response.headers.update(UNSTORED)
    async with here.database.transaction() as session:
        study = await catalogue.by_id(session, participant.study_id)
        try:
            opened = await presentation.open_next(session, study, participant)
        except presentation.AllVotedError as error:
            raise ProblemError(409, "complete", "All trials are done.") from error
        except presentation.NotReadyError as error:
            raise _not_open(study) from error
    return messages.OpenTrial(
        trial_token=opened.trial_token,
        position=opened.position,
        trials_total=len(study.definition.trials),
        duration_ms=opened.duration_ms,
        sample_rate_hz=wav.SAMPLE_RATE_HZ,
        first=messages.RecordingHandle(recording_token=opened.first_token),
        second=messages.RecordingHandle(recording_token=opened.second_token),
        question=study.definition.question,
        answers=_wording(study),
    )


@router.get(
    "/recordings/{recording_token}",
    operation_id="getRecording",
    response_class=Response,
    responses={**AUDIO_RESPONSE, **problem_responses(401, 404, 410, 503)},
)
async def recording(recording_token: str, token: Token, here: Here) -> Response:
    """One of the open trial's recordings, WAV, 48 kHz mono."""
    participant = await _participant(here, token)
    async with here.database.transaction() as session:
        try:
            found = await presentation.recording_of(session, participant, recording_token)
        except presentation.UnknownTokenError as error:
            raise ProblemError(404, "no-such-recording", "There is no such recording.") from error
        except presentation.VotedError as error:
            raise ProblemError(
                410,
                "voted",
                "This trial is done; its recordings can no longer be heard.",
                remedy="Go on with the next trial.",
            ) from error
    # A stored file, read whole: same code, same headers, same length for both members.
    samples = await here.store.samples(found.key)
    return Response(wav.encode(samples), media_type="audio/wav", headers=UNSTORED)


@router.post(
    "/participation/votes",
    operation_id="castVote",
    status_code=201,
    responses={
        200: {"model": messages.VoteReceipt, "description": "Stored before with this key."},
        **problem_responses(401, 404, 409, 413, 422, 503),
    },
)
async def cast_vote(
    cast: messages.VoteCast, token: Token, here: Here, response: Response
) -> messages.VoteReceipt:
    """Stores the vote. The answer leaves only after the commit is on disk."""
    participant = await _participant(here, token)
    response.headers.update(UNSTORED)
    ballot = vote.Ballot(
        trial_token=cast.trial_token,
        vote_key=cast.vote_key,
        choice=vote.Choice(cast.choice.value),
        plays_first=cast.plays_first,
        plays_second=cast.plays_second,
        switches=cast.switches,
        decision_ms=cast.decision_ms,
        played_first=cast.played_first.value if cast.played_first else None,
        output_latency_ms=cast.output_latency_ms,
        events=[event.model_dump(mode="json", exclude_none=True) for event in cast.events],
    )
    async with here.database.transaction() as session:
        try:
            stored = await vote.cast(session, participant, ballot, build=here.build)
        except vote.UnknownTrialError as error:
            raise ProblemError(
                404, "no-such-trial", "There is no such trial.", field="trial_token"
            ) from error
        except vote.OtherVoteError as error:
            raise ProblemError(
                409,
                "voted",
                "This trial has a vote already; the first one counts.",
                remedy="Go on with the next trial.",
            ) from error
    response.status_code = 201 if stored.new else 200
    return messages.VoteReceipt(
        vote_key=cast.vote_key, position=stored.position, received_at=stored.received_at
    )


@router.get("/health", operation_id="getHealth", responses=problem_responses(503))
async def health(here: Here) -> messages.Health:
    """200 while votes can be stored; 503 while the database is away."""
    async with here.database.transaction() as session:
        await participation.answers(session)
    return messages.Health(status="ok")
