"""Routes of what researchers take home: votes, participants, and what each column means.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any

from fastapi import APIRouter, Response

from thinlab.export import rows
from thinlab.export.codebook import codebook
from thinlab.export.column import Column
from thinlab.export.participant_columns import participant_columns
from thinlab.export.table import Table, csv_of, json_of, parquet_of
from thinlab.export.vote_columns import VOTE_COLUMNS
from thinlab.web.named_study import named, with_votes_visible
from thinlab.web.problems import problem_responses
from thinlab.web.services import Here

router = APIRouter()


class Form(StrEnum):
    """A file format."""

    CSV = "csv"
    JSON = "json"
    PARQUET = "parquet"


class TextForm(StrEnum):
    """A file format that people read."""

    CSV = "csv"
    JSON = "json"


MEDIA_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
}
ENCODERS: dict[str, Callable[[Table], bytes]] = {
    "csv": csv_of,
    "json": json_of,
    "parquet": parquet_of,
}
FILE: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/octet-stream": {"schema": {"type": "string"}}}}
}


@router.get(
    "/studies/{slug}/export.{form}",
    operation_id="getExport",
    response_class=Response,
    responses={**FILE, **problem_responses(401, 404, 409, 422, 503)},
)
async def export_votes(slug: str, form: Form, here: Here) -> Response:
    """One row a vote, of every version of the study; columns as in the codebook.

    Not while the direction of votes is hidden.
    """
    async with here.database.transaction() as session:
        study = await with_votes_visible(session, slug)
        entries = await rows.votes(session, study)
    return await _file(f"{slug}-votes", form.value, VOTE_COLUMNS, entries)


@router.get(
    "/studies/{slug}/participants.{form}",
    operation_id="getParticipantsExport",
    response_class=Response,
    responses={**FILE, **problem_responses(401, 404, 422, 503)},
)
async def export_participants(slug: str, form: Form, here: Here) -> Response:
    """One row a participant, with the answers to the questionnaire.

    Nothing in it tells how anybody voted: it can be had while a study runs.
    """
    async with here.database.transaction() as session:
        study = await named(session, slug)
        people = await rows.attendances(session, study)
        columns = participant_columns(await rows.definitions(session, slug))
    return await _file(f"{slug}-participants", form.value, columns, list(people.values()))


@router.get(
    "/studies/{slug}/codebook.{form}",
    operation_id="getCodebook",
    response_class=Response,
    responses={**FILE, **problem_responses(401, 404, 422, 503)},
)
async def export_codebook(slug: str, form: TextForm, here: Here) -> Response:
    """What each column of both exports means."""
    async with here.database.transaction() as session:
        await named(session, slug)
        people = participant_columns(await rows.definitions(session, slug))
    book = codebook([("votes", VOTE_COLUMNS), ("participants", people)])
    return _download(f"{slug}-codebook", form.value, ENCODERS[form.value](book))


async def _file(
    name: str, form: str, columns: Sequence[Column[Any]], entries: Sequence[object]
) -> Response:
    def encode() -> bytes:
        return ENCODERS[form](Table.of(columns, entries))

    # Seconds for tens of thousands of votes, and participants must not wait for it.
    return _download(name, form, await asyncio.to_thread(encode))


def _download(name: str, form: str, content: bytes) -> Response:
    return Response(
        content,
        media_type=MEDIA_TYPES[form],
        headers={
            "Cache-Control": "no-store",
            "Content-Disposition": f'attachment; filename="{name}.{form}"',
        },
    )
