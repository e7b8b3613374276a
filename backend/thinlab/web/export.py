"""Routes of what researchers take home: votes, participants, and what each column means.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from enum import StrEnum
from typing import Any

from fastapi import APIRouter, Response
from fastapi.responses import StreamingResponse
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.export import rows
from thinlab.export.codebook import HEADER, codebook, columns_of_tables
from thinlab.export.column import Column
from thinlab.export.journal import JOURNAL, events
from thinlab.export.kind import OwnTable
from thinlab.export.participant_columns import participant_columns
from thinlab.export.table import WRITERS, Header, Rows
from thinlab.export.tidy_columns import of_members, tidy_columns
from thinlab.export.vote_columns import vote_columns
from thinlab.researcher import audit
from thinlab.researcher.audit import Act
from thinlab.study.catalogue import StoredStudy
from thinlab.trials.registry import KINDS
from thinlab.web.named_study import named, with_votes_visible
from thinlab.web.problems import problem_responses
from thinlab.web.services import Here, Services

router = APIRouter(default_response_class=Response)
CHUNK_BYTES = 256 * 1024


class Form(StrEnum):
    """A file format."""

    CSV = "csv"
    JSON = "json"
    PARQUET = "parquet"
    XLSX = "xlsx"


class TextForm(StrEnum):
    """A file format that people read."""

    CSV = "csv"
    JSON = "json"
    XLSX = "xlsx"


MEDIA_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "parquet": "application/vnd.apache.parquet",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
FILE: dict[int | str, dict[str, Any]] = {
    200: {"content": {"application/octet-stream": {"schema": {"type": "string"}}}}
}
ALWAYS_SHOWN = {**FILE, **problem_responses(401, 404, 422, 503)}
# Of what cannot be had while the direction of votes is hidden.
ONCE_SHOWN = {**FILE, **problem_responses(401, 404, 409, 422, 503)}


@asynccontextmanager
async def _taken(
    here: Services, slug: str, name: str, form: Form
) -> AsyncIterator[tuple[AsyncSession, StoredStudy]]:
    """A study whose votes may be seen; that a table of it was taken goes on record."""
    async with here.database.transaction() as session:
        study = await with_votes_visible(session, slug)
        yield session, study
        await on_record(session, slug, name, form)


@router.get("/studies/{slug}/export.{form}", operation_id="getExport", responses=ONCE_SHOWN)
async def export_votes(slug: str, form: Form, here: Here) -> Response:
    """One row a vote, of every version of the study; columns as in the codebook.

    Not while the direction of votes is hidden.
    """
    async with _taken(here, slug, "votes", form) as (session, study):
        columns = vote_columns(await rows.definitions(session, slug), KINDS)
    return await table(f"{slug}-votes", form, columns, rows.votes(here.database, study, KINDS))


@router.get("/studies/{slug}/tidy.{form}", operation_id="getTidyExport", responses=ONCE_SHOWN)
async def export_tidy(slug: str, form: Form, here: Here) -> Response:
    """One row for each vote and member: few columns, by condition and not by place.

    Not while the direction of votes is hidden.
    """
    async with _taken(here, slug, "tidy", form) as (session, study):
        columns = tidy_columns(await rows.definitions(session, slug), KINDS)
    lots = rows.votes(here.database, study, KINDS)
    by_member = (of_members(lot) async for lot in lots)
    return await table(f"{slug}-tidy", form, columns, by_member)


@router.get("/studies/{slug}/journal.{form}", operation_id="getJournalExport", responses=ONCE_SHOWN)
async def export_journal(slug: str, form: Form, here: Here) -> Response:
    """One row for each thing that happened on the page between a trial shown and its vote.

    Not while the direction of votes is hidden.
    """
    async with _taken(here, slug, "journal", form) as (_, study):
        lots = events(here.database, study)
    return await table(f"{slug}-journal", form, JOURNAL, lots)


def _offer(name: str, own: OwnTable) -> None:
    """A route for what a kind of trial keeps beside the votes."""

    @router.get(
        f"/studies/{{slug}}/{name}.{{form}}",
        operation_id=f"get{own.title}Export",
        summary=f"Export {own.title}",
        description=f"{own.meaning}\n\n"
        "Not while the direction of votes is hidden: it tells conditions.",
        responses=ONCE_SHOWN,
    )
    async def export_own(slug: str, form: Form, here: Here) -> Response:
        async with _taken(here, slug, name, form) as (_, study):
            lots = own.lots(here.database, study)
        return await table(f"{slug}-{name}", form, own.columns, lots)


for _kind in KINDS.values():
    for _name, _own in _kind.tables.items():
        _offer(_name, _own)


@router.get(
    "/studies/{slug}/participants.{form}",
    operation_id="getParticipantsExport",
    responses=ALWAYS_SHOWN,
)
async def export_participants(slug: str, form: Form, here: Here) -> Response:
    """One row a participant, with the answers to the questionnaire.

    Nothing in it tells how anybody voted: it can be had while a study runs.
    """
    async with here.database.transaction() as session:
        study = await named(session, slug)
        people = await rows.attendances(session, study)
        columns = participant_columns(await rows.definitions(session, slug))
        await on_record(session, slug, "participants", form)
    lots = all_at_once(list(people.values()))
    return await table(f"{slug}-participants", form, columns, lots)


@router.get("/studies/{slug}/codebook.{form}", operation_id="getCodebook", responses=ALWAYS_SHOWN)
async def export_codebook(slug: str, form: TextForm, here: Here) -> Response:
    """What each column of each export means."""
    async with here.database.transaction() as session:
        await named(session, slug)
        definitions = await rows.definitions(session, slug)
    book = codebook(columns_of_tables(definitions, KINDS))
    return await _file(f"{slug}-codebook", form.value, HEADER, all_at_once(book))


async def on_record(session: AsyncSession, slug: str, name: str, form: Form) -> None:
    """Notes that a table was taken home."""
    await audit.enter(session, Act.EXPORTED, study=slug, table=name, form=form.value)


async def table(
    name: str, form: Form, columns: Sequence[Column[Any]], lots: AsyncIterator[Iterable[Any]]
) -> Response:
    """A table as a download; `lots` of what its columns are over."""
    header = Header([column.name for column in columns], [column.kind for column in columns])
    return await _file(name, form.value, header, _cells(columns, lots))


async def all_at_once(entries: Iterable[Any]) -> AsyncIterator[Iterable[Any]]:
    """One lot."""
    yield entries


async def _cells(
    columns: Sequence[Column[Any]], lots: AsyncIterator[Iterable[Any]]
) -> AsyncIterator[Rows]:
    async for entries in lots:
        # Not yet worked out: that happens where they are written.
        yield ([column.cell(entry) for column in columns] for entry in entries)


async def _file(name: str, form: str, header: Header, lots: AsyncIterator[Rows]) -> Response:
    """A download, written to a file that has no name, in a thread, lot by lot.

    So that neither its size nor its making is felt by participants.
    """
    file = tempfile.TemporaryFile()  # noqa: SIM115 (closed when it is sent)
    try:
        writer = await asyncio.to_thread(WRITERS[form], file, header)
        async for lot in lots:
            await asyncio.to_thread(writer.add, lot)
        await asyncio.to_thread(writer.end)
    except BaseException:
        file.close()
        raise
    size_bytes = file.seek(0, os.SEEK_END)
    file.seek(0)

    async def content() -> AsyncIterator[bytes]:
        with file:
            while chunk := await asyncio.to_thread(file.read, CHUNK_BYTES):
                yield chunk

    return StreamingResponse(
        content(),
        media_type=MEDIA_TYPES[form],
        headers={
            "Content-Disposition": f'attachment; filename="{name}.{form}"',
            "Content-Length": str(size_bytes),
        },
    )
