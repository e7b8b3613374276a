"""Routes of the researcher's experiments: what there is, its report, cells, sessions, captures.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Query, Response
from fastapi.responses import FileResponse, HTMLResponse
from pydantic import Field

from thinlab.experiment.desk.desk import (
    BusyDeskError,
    ExperimentDesk,
    Looked,
    NotThereError,
)
from thinlab.experiment.desk.digest import (
    CellEntry,
    ExperimentResults,
    GroupFigures,
    SessionEntry,
    SessionMade,
)
from thinlab.experiment.desk.errands import ErrandError
from thinlab.web.documents import document
from thinlab.web.problems import ProblemError, problem_responses
from thinlab.web.recordings import BINARY, Side
from thinlab.web.researcher_messages import Message
from thinlab.web.services import Here

CAPTURE_TYPE = "application/vnd.tcpdump.pcap"
# Of a page of cells, or of a cell's sessions.
MOST_AT_ONCE = 200


class ExperimentRun(Message):
    """How far a run is, or how it ended."""

    stage: Literal["running", "ended", "stopped"] = Field(
        description="`stopped`: before its end; nothing has been heard of it since `heard_at`."
    )
    began_at: datetime
    heard_at: datetime
    wanted: int = Field(description="Sessions; 0 until the lab host has answered.")
    through: int = Field(description="Those that are done, found from earlier runs among them.")
    failed: int
    left_s: float | None
    problem: str | None


class ExperimentSummary(Message):
    """One experiment among all."""

    name: str
    title: str
    description: str
    shipped: bool = Field(description="Whether it comes with Thinlab.")
    reading: bool = Field(description="Whether it is being read; what is known may be out of date.")
    run: ExperimentRun | None = Field(description="The last one; null: none, or of long ago.")
    cells: int
    sessions_wanted: int = Field(description="As its file asks for them, or the last run.")
    minutes: float = Field(description="Virtual, of each session.")
    results: ExperimentResults | None
    problem: str | None = Field(description="What is wrong with its file.")
    results_problem: str | None = Field(description="Why there are rows and no results.")


class ExperimentList(Message):
    """All experiments: those that run now, then those that were run last, then the others."""

    experiments: list[ExperimentSummary]
    reading: bool


class ReportState(Message):
    """Whether there is a report to read."""

    state: Literal["ready", "waiting", "drawing", "failed", "none"]
    problem: str | None = None


class ExperimentDetails(Message):
    """One experiment."""

    summary: ExperimentSummary
    report: ReportState


class CellInList(Message):
    """A cell among others."""

    address: str
    where: str
    sessions: int


class CellPage(Message):
    """A piece of an experiment's cells."""

    cells: list[CellInList]
    total: int = Field(description="Of those that were looked for.")


class CellDetails(Message):
    """One cell with a piece of its sessions."""

    title: str = Field(description="The experiment's.")
    address: str
    where: str
    metrics: list[str]
    groups: list[GroupFigures]
    sessions: list[SessionEntry]
    total: int


class MadeAgain(Message):
    """What there is of a session's captures."""

    state: Literal["none", "waiting", "making", "ready", "failed"]
    problem: str | None = None
    made: SessionMade | None = None


class SessionDetails(Message):
    """One session of an experiment."""

    title: str = Field(description="The experiment's.")
    cell: str
    where: str
    session: SessionEntry
    runs: int = Field(description="How many sessions its cell has.")
    again: MadeAgain


def _desk(here: Here) -> ExperimentDesk:
    if here.experiments is None:
        raise _no_such()
    return here.experiments


def _no_such() -> ProblemError:
    return ProblemError(
        404,
        "no-such-experiment",
        "There is no such experiment, cell or session, or no longer.",
        remedy="Look at the list of experiments.",
    )


@contextmanager
def _there() -> Iterator[None]:
    """Says so where what is looked for in here is not there."""
    try:
        yield
    except (NotThereError, FileNotFoundError) as error:
        raise _no_such() from error


Desk = Annotated[ExperimentDesk, Depends(_desk)]
# Longer than any name; what is a name is for the desk to say.
Name = Annotated[str, Path(max_length=200)]
Key = Annotated[str, Path(max_length=64)]
Number = Annotated[int, Path(ge=0, le=1_000)]
First = Annotated[int, Query(ge=0, le=10**9, description="How many to leave out.")]
Count = Annotated[int, Query(ge=1, le=MOST_AT_ONCE)]
FOUND = problem_responses(401, 404, 422, 503)

router = APIRouter(prefix="/experiments")


@router.get("", operation_id="getExperiments", responses=problem_responses(401, 503))
async def experiments(here: Here) -> ExperimentList:
    """Every experiment that comes with Thinlab or was run."""
    desk = here.experiments
    if desk is None:
        return ExperimentList(experiments=[], reading=False)
    found = [_summary(one) for one in await desk.all()]
    return ExperimentList(experiments=sorted(found, key=_order), reading=desk.is_looking)


@router.get("/{name}", operation_id="getExperiment", responses=FOUND)
async def experiment(name: Name, desk: Desk) -> ExperimentDetails:
    """One experiment; its report is drawn if there is none yet."""
    with _there():
        looked = await desk.one(name)
    return ExperimentDetails(summary=_summary(looked), report=await _report_state(desk, looked))


@router.get(
    "/{name}/report",
    operation_id="getExperimentReport",
    response_class=HTMLResponse,
    responses=FOUND,
)
async def report(name: Name, desk: Desk) -> Response:
    """The report, whole in itself; waits until it is drawn."""
    try:
        with _there():
            return await asyncio.to_thread(document, await desk.report(name))
    except ErrandError as error:
        raise ProblemError(
            503,
            "no-report",
            "The report could not be drawn.",
            detail=str(error),
            remedy="Do what this says, and open the report again in a minute.",
        ) from error


@router.get("/{name}/cells", operation_id="getExperimentCells", responses=FOUND)
async def cells(
    name: Name,
    desk: Desk,
    first: First = 0,
    count: Count = 50,
    search: Annotated[str, Query(max_length=200, description="Words that it has to have.")] = "",
) -> CellPage:
    """A piece of the cells that have sessions."""
    with _there():
        known = (await desk.cells(name)).cells
    wanted = search.casefold().split()
    found = [one for one in known if all(word in one.where.casefold() for word in wanted)]
    return CellPage(
        cells=[
            CellInList(address=one.address, where=one.where, sessions=len(one.sessions))
            for one in found[first : first + count]
        ],
        total=len(found),
    )


@router.get("/{name}/cells/{cell}", operation_id="getExperimentCell", responses=FOUND)
async def one_cell(
    name: Name, cell: Key, desk: Desk, first: First = 0, count: Count = 50
) -> CellDetails:
    """A cell: what the table says of it, and a piece of its sessions."""
    with _there():
        known = await desk.cells(name)
        found = _of_address(known.cells, cell)
        looked = await desk.one(name)
    return CellDetails(
        title=_title(looked),
        address=found.address,
        where=found.where,
        metrics=known.metrics,
        groups=found.groups,
        sessions=found.sessions[first : first + count],
        total=len(found.sessions),
    )


@router.get("/{name}/sessions/{key}", operation_id="getExperimentSession", responses=FOUND)
async def session(name: Name, key: Key, desk: Desk) -> SessionDetails:
    """One session, and what there is of its captures."""
    with _there():
        _, cell, entry = await desk.session(name, key)
        looked = await desk.one(name)
    return SessionDetails(
        title=_title(looked),
        cell=cell.address,
        where=cell.where,
        session=entry,
        runs=len(cell.sessions),
        again=await _again(desk, key),
    )


@router.post(
    "/{name}/sessions/{key}/again",
    operation_id="makeExperimentSession",
    status_code=202,
    responses=problem_responses(401, 403, 404, 422, 503),
)
async def make_again(name: Name, key: Key, desk: Desk) -> MadeAgain:
    """Has a session made again for its captures, one at a time."""
    try:
        with _there():
            await desk.make(name, key)
    except BusyDeskError as error:
        raise ProblemError(
            503,
            "busy",
            "Many sessions are being made again already.",
            remedy="Try again in a minute.",
            headers={"Retry-After": "30"},
        ) from error
    return await _again(desk, key)


@router.get(
    "/{name}/sessions/{key}/captures/{lane}/{side}.pcapng",
    operation_id="getExperimentCapture",
    response_class=FileResponse,
    responses={200: {"content": {CAPTURE_TYPE: BINARY}}, **FOUND},
)
async def capture(name: Name, key: Key, lane: Number, side: Side, desk: Desk) -> Response:
    """The packets as the sender or the receiver saw them, once the session was made again."""
    try:
        path = await desk.file(name, key, f"lane-{lane}-{side.value}.pcapng")
    except NotThereError as error:
        raise _not_kept() from error
    saved = f"{name}-{key[:8]}-lane-{lane}-{side.value}.pcapng"
    return FileResponse(path, media_type=CAPTURE_TYPE, filename=saved)


@router.get(
    "/{name}/sessions/{key}/analysis/{number}",
    operation_id="getExperimentAnalysis",
    response_class=HTMLResponse,
    responses=FOUND,
)
async def analysis(name: Name, key: Key, number: Number, desk: Desk) -> Response:
    """The analyser's page of a connection: latencies, ladder, sequence; once it was made."""
    try:
        path = await desk.file(name, key, f"analysis-{number}.html")
        return await asyncio.to_thread(document, path)
    except (NotThereError, FileNotFoundError) as error:
        raise _not_kept() from error


def _not_kept() -> ProblemError:
    return ProblemError(
        404,
        "not-kept",
        "There is no such file, or no longer: captures are kept for a while only.",
        remedy="Open the session's page and have it made again.",
    )


def _of_address(cells: list[CellEntry], address: str) -> CellEntry:
    for one in cells:
        if one.address == address:
            return one
    raise NotThereError


def _order(one: ExperimentSummary) -> tuple[bool, bool, float, str]:
    """Those that run, those that were run, the last first, and the others by their names."""
    running = one.run is not None and one.run.stage == "running"
    heard = [
        told
        for told in (one.run and one.run.heard_at, one.results and one.results.written_at)
        if told
    ]
    last_s = max((at.timestamp() for at in heard), default=0.0)
    return not running, not heard, -last_s, one.name


def _summary(looked: Looked) -> ExperimentSummary:
    digest, run = looked.digest, _run(looked)
    known = looked.run.state if looked.run is not None else None
    asked = digest.cells * digest.runs if digest is not None else 0
    return ExperimentSummary(
        name=looked.name,
        title=_title(looked),
        description=digest.description if digest else known.description if known else "",
        shipped=looked.shipped,
        reading=digest is None and looked.problem is None,
        run=run,
        cells=digest.cells if digest else 0,
        sessions_wanted=run.wanted if run and run.stage != "ended" and run.wanted else asked,
        minutes=digest.minutes if digest else 0.0,
        results=digest.results if digest else None,
        problem=digest.problem if digest else looked.problem,
        results_problem=digest.results_problem if digest else None,
    )


def _title(looked: Looked) -> str:
    if looked.digest is not None:
        return looked.digest.title
    return looked.run.state.title if looked.run is not None else looked.name


def _run(looked: Looked) -> ExperimentRun | None:
    if looked.run is None:
        return None
    state, running = looked.run.state, looked.run.is_running
    return ExperimentRun(
        stage="running" if running else "stopped" if state.stage == "running" else state.stage,
        began_at=state.began_at,
        heard_at=looked.run.written_at,
        wanted=state.wanted,
        through=state.found + state.done + state.failed,
        failed=state.failed,
        left_s=state.left_s if running else None,
        problem=state.problem,
    )


async def _report_state(desk: ExperimentDesk, looked: Looked) -> ReportState:
    try:
        job = await desk.report_state(looked)
    except NotThereError:
        return ReportState(state="none")
    if job is None:
        return ReportState(state="ready")
    if job.problem is not None:
        return ReportState(state="failed", problem=job.problem)
    return ReportState(state="drawing" if job.under_way else "waiting")


async def _again(desk: ExperimentDesk, key: str) -> MadeAgain:
    made, job = await desk.made(key)
    if job is not None and job.is_open:
        return MadeAgain(state="making" if job.under_way else "waiting")
    if made is not None:
        return MadeAgain(state="ready", made=made)
    if job is not None and job.problem is not None:
        return MadeAgain(state="failed", problem=job.problem)
    return MadeAgain(state="none")
