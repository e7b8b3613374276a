"""Routes of the researcher's page: sign in, overview, recordings, export.

SPDX-License-Identifier: Apache-2.0
"""

from enum import StrEnum
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import FileResponse, StreamingResponse

from thinlab.export import codebook, rows
from thinlab.recording import wav
from thinlab.researcher import account
from thinlab.study import catalogue, progress
from thinlab.study.overview import StudyOverview, StudyProgress
from thinlab.web import researcher_messages as messages
from thinlab.web.problems import ProblemError, problem_responses
from thinlab.web.researcher_session import (
    COOKIE,
    forget_cookie,
    require_researcher,
    same_origin,
    set_cookie,
    signed_in,
)
from thinlab.web.services import Here

router = APIRouter(
    prefix="/api/researcher", tags=["researcher"], dependencies=[Depends(same_origin)]
)
inside = APIRouter(dependencies=[Depends(require_researcher)])
UNSTORED = {"Cache-Control": "no-store"}
BINARY = {"schema": {"type": "string", "format": "binary"}}


class Side(StrEnum):
    """Where a capture was taken."""

    SENDER = "sender"
    RECEIVER = "receiver"


def no_such_study() -> ProblemError:
    return ProblemError(
        404,
        "no-such-study",
        "There is no such study.",
        remedy="Put its definition into survey/ and start again.",
    )


def _no_such_recording() -> ProblemError:
    return ProblemError(404, "no-such-recording", "There is no such recording, or not yet.")


@router.get("/state", operation_id="getResearcherState", responses=problem_responses(503))
async def state(
    here: Here, response: Response, researcher: Annotated[bool, Depends(signed_in)]
) -> messages.ResearcherState:
    """What the sign-in page needs to know."""
    response.headers.update(UNSTORED)
    async with here.database.transaction() as session:
        password_set = await account.password_is_set(session)
    return messages.ResearcherState(password_set=password_set, signed_in=researcher)


@router.post(
    "/password",
    operation_id="setPassword",
    status_code=204,
    responses=problem_responses(403, 409, 422, 503),
)
async def set_password(first: messages.FirstPassword, request: Request, here: Here) -> Response:
    """Sets the password, once, and signs in."""
    try:
        token = await account.set_first_password(here.database, first.setup_token, first.password)
    except account.PasswordExistsError as error:
        raise ProblemError(
            409, "password-set", "A password is set already.", remedy="Sign in with it."
        ) from error
    except account.WrongSetupTokenError as error:
        raise ProblemError(
            403,
            "wrong-setup-token",
            "This is not the setup token of this server.",
            field="setup_token",
            remedy="Open the researcher's address exactly as printed at start.",
        ) from error
    return set_cookie(Response(status_code=204), token, request)


@router.post(
    "/session",
    operation_id="signIn",
    status_code=204,
    responses=problem_responses(403, 422, 503),
)
async def sign_in(given: messages.SignIn, request: Request, here: Here) -> Response:
    """Signs in; the session is an HttpOnly cookie."""
    token = await account.sign_in(here.database, given.password)
    if token is None:
        raise ProblemError(
            403,
            "wrong-password",
            "The password is not right.",
            field="password",
            remedy="Try again; `thinlab reset-password` on the server lets you set a new one.",
        )
    return set_cookie(Response(status_code=204), token, request)


@router.delete("/session", operation_id="signOut", status_code=204)
async def sign_out(request: Request, here: Here) -> Response:
    """Signs out."""
    token = request.cookies.get(COOKIE)
    if token:
        async with here.database.transaction() as session:
            await account.sign_out(session, token)
    return forget_cookie(Response(status_code=204))


@inside.get("/studies", operation_id="listStudies", responses=problem_responses(401, 503))
async def studies(here: Here) -> list[StudyProgress]:
    """All current studies with their counts."""
    async with here.database.transaction() as session:
        return [
            await progress.of_study(session, study)
            for study in await catalogue.all_current(session)
        ]


@inside.get(
    "/studies/{slug}", operation_id="getStudyOverview", responses=problem_responses(401, 404, 503)
)
async def study(slug: str, here: Here) -> StudyOverview:
    """One study: progress, votes, recordings with metrics and CDFs."""
    async with here.database.transaction() as session:
        stored = await catalogue.current(session, slug)
        if stored is None:
            raise no_such_study()
        return await progress.overview(session, stored, here.recorder, here.clips)


@inside.post(
    "/studies/{slug}/record",
    operation_id="recordMissing",
    status_code=202,
    responses=problem_responses(401, 404, 503),
)
async def record_missing(slug: str, here: Here) -> messages.Making:
    """Makes the study's missing and failed recordings, in the background."""
    async with here.database.transaction() as session:
        stored = await catalogue.current(session, slug)
    if stored is None:
        raise no_such_study()
    return messages.Making(queued=await here.recorder.ask(stored))


@inside.get(
    "/studies/{slug}/export.csv",
    operation_id="getExport",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/csv": BINARY}}, **problem_responses(401, 404, 503)},
)
async def export_csv(slug: str, here: Here) -> Response:
    """One row a vote, of every version of the study; columns as in the codebook."""
    async with here.database.transaction() as session:
        if await catalogue.current(session, slug) is None:
            raise no_such_study()
        text = await rows.csv_of_votes(session, slug)
    return Response(text, media_type="text/csv", headers=_download(f"{slug}-votes.csv"))


@inside.get(
    "/studies/{slug}/codebook.csv",
    operation_id="getCodebook",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/csv": BINARY}}, **problem_responses(401, 404, 503)},
)
async def codebook_csv(slug: str, here: Here) -> Response:
    """What each column of the export means."""
    async with here.database.transaction() as session:
        if await catalogue.current(session, slug) is None:
            raise no_such_study()
    return Response(
        codebook.csv(), media_type="text/csv", headers=_download(f"{slug}-codebook.csv")
    )


def _download(name: str) -> dict[str, str]:
    return {**UNSTORED, "Content-Disposition": f'attachment; filename="{name}"'}


@inside.get(
    "/recordings/{recording_id}/audio",
    operation_id="getRecordingAudio",
    response_class=Response,
    responses={
        200: {"content": {"audio/wav": BINARY}},
        **problem_responses(401, 404, 503),
    },
)
async def audio(recording_id: int, here: Here) -> Response:
    """A recording as WAV, 48 kHz mono."""
    async with here.database.transaction() as session:
        key = await catalogue.recording_key(session, recording_id)
    if key is None:
        raise _no_such_recording()
    return Response(
        wav.encode(await here.store.samples(key)), media_type="audio/wav", headers=UNSTORED
    )


@inside.get(
    "/recordings/{recording_id}/captures/{side}.pcapng",
    operation_id="getCapture",
    response_class=FileResponse,
    responses={
        200: {"content": {"application/vnd.tcpdump.pcap": BINARY}},
        **problem_responses(401, 404, 503),
    },
)
async def capture(recording_id: int, side: Side, here: Here) -> Response:
    """The packets as the sender or the receiver saw them."""
    async with here.database.transaction() as session:
        key = await catalogue.recording_key(session, recording_id)
    if key is None:
        raise _no_such_recording()
    return FileResponse(
        here.store.capture(key, side.value),
        media_type="application/vnd.tcpdump.pcap",
        headers=_download(f"recording-{recording_id}-{side.value}.pcapng"),
    )


router.include_router(inside)
