"""Routes of the researcher's recordings: have them made, listen, look, take the captures home.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from enum import StrEnum
from typing import Annotated, TypeVar

from fastapi import APIRouter, Path, Query, Response
from fastapi.responses import FileResponse
from pydantic import BaseModel, Field

from thinlab.clips import wav
from thinlab.contract.generated.results import SessionResult
from thinlab.recording import overview, registry, trial_recordings
from thinlab.recording.overview import StudyRecordings
from thinlab.study import catalogue
from thinlab.web.named_study import named
from thinlab.web.problems import ProblemError, problem_responses
from thinlab.web.services import Here

router = APIRouter()
# A number that the database can hold; another names nothing.
RecordingId = Annotated[int, Path(ge=1, le=2**63 - 1)]
BINARY = {"schema": {"type": "string", "format": "binary"}}

FOUND = problem_responses(401, 404, 503)
Found = TypeVar("Found")


class Asked(BaseModel):
    """What pressing Record came to."""

    under_way: int = Field(description="Recordings now queued or being made.")


class Waveform(BaseModel):
    """The outline of a recording, and what the playout did to it."""

    duration_ms: int
    bucket_ms: float
    lowest: list[float] = Field(description="Lowest sample of each bucket, −1…1.")
    highest: list[float] = Field(description="Highest sample of each bucket, −1…1.")


class Side(StrEnum):
    """Where a capture was taken."""

    SENDER = "sender"
    RECEIVER = "receiver"


def _there(found: Found | None) -> Found:
    """What was looked for. Raises 404 where there is nothing."""
    if found is None:
        raise ProblemError(404, "no-such-recording", "There is no such recording, or not yet.")
    return found


async def _key(recording_id: int, here: Here) -> str:
    async with here.database.transaction() as session:
        return _there(await catalogue.recording_key(session, recording_id))


@router.get("/studies/{slug}/recordings", operation_id="getStudyRecordings", responses=FOUND)
async def study_recordings(slug: str, here: Here) -> StudyRecordings:
    """A study's recordings by trial and run: ready, under way, failed and why."""
    async with here.database.transaction() as session:
        return await overview.of_study(session, await named(session, slug), here.clips)


@router.post(
    "/studies/{slug}/record",
    operation_id="recordMissing",
    status_code=202,
    responses=FOUND,
)
async def record_missing(slug: str, here: Here) -> Asked:
    """Asks for the study's missing and failed recordings; they are made in the background."""
    async with here.database.transaction() as session:
        study = await named(session, slug)
        under_way = await trial_recordings.ask_for_missing(session, study, here.clips, here.store)
    here.recorder.wake()
    return Asked(under_way=under_way)


@router.get(
    "/recordings/{recording_id}/audio",
    operation_id="getRecordingAudio",
    response_class=FileResponse,
    responses={200: {"content": {"audio/wav": BINARY}}, **FOUND},
)
async def audio(recording_id: RecordingId, here: Here) -> Response:
    """A recording as WAV, 48 kHz mono; in ranges, too, without which a player cannot seek."""
    whole = await here.store.audio(await _key(recording_id, here))
    return FileResponse(whole.path, media_type="audio/wav")


@router.get("/recordings/{recording_id}/result", operation_id="getRecordingResult", responses=FOUND)
async def result(recording_id: RecordingId, here: Here) -> SessionResult:
    """All that was measured while a recording was made, with latency distributions."""
    async with here.database.transaction() as session:
        return _there(await registry.result_of(session, recording_id))


@router.get(
    "/recordings/{recording_id}/waveform",
    operation_id="getWaveform",
    responses=problem_responses(401, 404, 422, 503),
)
async def waveform(
    recording_id: RecordingId,
    here: Here,
    buckets: Annotated[int, Query(ge=1, le=4000)] = 1200,
) -> Waveform:
    """The outline of a recording, in at most so many buckets."""
    # Loads NumPy, which nobody needs who takes part.
    from thinlab.recording.waveform import outline  # noqa: PLC0415

    samples = await here.store.samples(await _key(recording_id, here))
    shape = await asyncio.to_thread(outline, samples, buckets)
    return Waveform(
        duration_ms=wav.duration_ms(samples),
        bucket_ms=shape.bucket_ms,
        lowest=shape.lowest,
        highest=shape.highest,
    )


@router.get(
    "/recordings/{recording_id}/captures/{side}.pcapng",
    operation_id="getCapture",
    response_class=FileResponse,
    responses={
        200: {"content": {"application/vnd.tcpdump.pcap": BINARY}},
        **problem_responses(401, 404, 422, 503),
    },
)
async def capture(recording_id: RecordingId, side: Side, here: Here) -> Response:
    """The packets as the sender or the receiver saw them."""
    path = here.store.capture(await _key(recording_id, here), side.value)
    path = _there(path if await asyncio.to_thread(path.is_file) else None)
    name = f"recording-{recording_id}-{side.value}.pcapng"
    return FileResponse(
        path,
        media_type="application/vnd.tcpdump.pcap",
        filename=name,
    )
