"""The errand that reads what experiments have come to, for the pages' lists.

SPDX-License-Identifier: Apache-2.0
"""

import logging
import shutil
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from thinlab import durable
from thinlab.experiment import asked, provenance, self_check, table
from thinlab.experiment.checks import judge
from thinlab.experiment.comparison import compare
from thinlab.experiment.definition import Cell, ExperimentDefinition
from thinlab.experiment.desk.digest import (
    CELLS,
    DIGEST,
    CellEntry,
    Cells,
    Digest,
    ExperimentResults,
    GroupFigures,
    SessionEntry,
    read,
)
from thinlab.experiment.desk.places import Places
from thinlab.experiment.narrowing import NarrowingError
from thinlab.experiment.report import NothingRunError, Report
from thinlab.experiment.rows import Row
from thinlab.experiment.run_state import seen
from thinlab.experiment.summary import CellSummary
from thinlab.located_yaml import FileFaultsError

log = logging.getLogger(__name__)

OTHER_FILE = (
    "There are results, of another version of this experiment's file or with other options. Run "
    "it again: what fits is found and not run twice."
)
UNREADABLE = (
    "There are results that this version cannot read: {}. Run it again: sessions that are kept are "
    "not run twice."
)


class NoFileError(Exception):
    """An experiment whose file is gone."""


def look(places: Places, since_ns: int = 0) -> None:
    """Makes the digests that are missing or of something older; forgets those of nothing.

    What was run last comes first, also before what waits: whoever has just run an experiment
    looks for it, and large ones that were run long ago can wait. `since_ns`: only those whose
    results were written since.
    """
    done: set[tuple[int, str]] = set()
    while waiting := _written(places, since_ns) - done:
        newest = max(waiting)
        done.add(newest)
        _, name = newest
        _look_at(places, name)
    left = places.own / "digests"
    names = places.names()
    for folder in left.iterdir() if left.is_dir() else ():
        if folder.name not in names:
            shutil.rmtree(folder, ignore_errors=True)


def _written(places: Places, since_ns: int) -> set[tuple[int, str]]:
    """When each experiment's results were written, and its name."""
    written = {(places.written_ns(name), name) for name in places.names()}
    return {one for one in written if one[0] >= since_ns}


def _look_at(places: Places, name: str) -> None:
    folder = places.digest_folder(name)
    stamp = places.stamp(name)
    known = read(folder / DIGEST, Digest)
    if known is not None and known.stamp == stamp:
        return
    digest, cells = _made(places, name, stamp)
    folder.mkdir(parents=True, exist_ok=True)
    # Whoever finds the digest finds its cells.
    durable.write_whole(folder / CELLS, cells.model_dump_json().encode())
    durable.write_whole(folder / DIGEST, digest.model_dump_json().encode())
    for old in folder.glob("report-*.html"):
        if old != places.report_file(name, stamp):
            old.unlink(missing_ok=True)


def opened(places: Places, name: str) -> Report:
    """An experiment with its results. Raises `NoFileError` and what reading its file raises."""
    source = places.source(name)
    if source is None:
        raise NoFileError("Its file was not kept: it has not come to its end yet.")
    experiment, published = asked.read_of(source)
    return Report(experiment, published, places.results_of(name))


def _made(places: Places, name: str, stamp: str) -> tuple[Digest, Cells]:
    run = seen(places.results_of(name))
    digest = Digest(
        stamp=stamp,
        title=name if run is None else run.state.title,
        description="" if run is None else run.state.description,
    )
    nothing = Cells(stamp=stamp, metrics=[], cells=[])
    try:
        report = opened(places, name)
    except NoFileError:
        return digest, nothing
    except (FileFaultsError, NarrowingError) as error:
        problem = str(error)
    except Exception as error:
        log.exception("the file of experiment %s", name)
        problem = f"It cannot be read: {error!r}"
    else:
        experiment = report.experiment
        read_of = digest.model_copy(
            update={
                "title": experiment.title,
                "description": experiment.description.strip(),
                "cells": len(experiment.cells()),
                "runs": experiment.runs,
                "minutes": experiment.minutes,
            }
        )
        if not report.rows_file.exists():
            return read_of, nothing
        return _with_results(read_of, report, nothing)
    return digest.model_copy(update={"problem": problem}), nothing


def _with_results(digest: Digest, report: Report, nothing: Cells) -> tuple[Digest, Cells]:
    try:
        summaries = report.summaries(curves=False)
        results = _results(report, summaries)
        cells = _cells(report.experiment, summaries, digest.stamp)
    except NothingRunError:
        problem = OTHER_FILE
    except Exception as error:
        # Whatever an older version, or another program, has left there.
        log.exception("the results of experiment %s", report.experiment.name)
        problem = UNREADABLE.format(f"{type(error).__name__}: {error}")
    else:
        return digest.model_copy(update={"results": results}), cells
    return digest.model_copy(update={"results_problem": problem}), nothing


def _results(report: Report, summaries: Sequence[CellSummary]) -> ExperimentResults:
    checks, published = report.experiment.checks, report.published
    verdicts = judge(checks, summaries, published)
    compared = compare(checks, summaries, published) if published else []
    keys = {row["key"] for one in summaries for row in one.rows}
    broken = {
        _whole(one.cell)
        for one in summaries
        for row in one.rows
        if any(fault is not None for fault in self_check.of_row(row).values())
    }
    return ExperimentResults(
        sessions=len(keys),
        written_at=datetime.fromtimestamp(report.rows_file.stat().st_mtime, UTC),
        host_build=summaries[0].rows[0]["host_build"],
        holding=sum(one.holds for one in verdicts),
        requirements=len(verdicts),
        agreeing=sum(one.agrees for one in compared),
        compared=len(compared),
        broken_checks=len(broken),
    )


def _cells(experiment: ExperimentDefinition, summaries: Sequence[CellSummary], stamp: str) -> Cells:
    names = table.columns(experiment, summaries)
    axes = [axis for axis in table.varying(summaries) if axis != "group"]
    several = len({one.cell.flows for one in summaries}) > 1
    entries: dict[Cell, CellEntry] = {}
    for one in summaries:
        whole = _whole(one.cell)
        if whole not in entries:
            entries[whole] = CellEntry(
                address=whole.address,
                where=_where(whole, axes) if several else table.where(whole, axes),
                groups=[],
                sessions=[_session(row) for row in one.rows],
            )
        figures = [table.estimate_text(one, name) for name in names]
        entries[whole].groups.append(GroupFigures(name=one.cell.group, figures=figures))
    titles = [table.titled(name) for name in names]
    return Cells(stamp=stamp, metrics=titles, cells=list(entries.values()))


def _where(cell: Cell, axes: Sequence[str]) -> str:
    """In words, with its flows."""
    flows = " + ".join(f"{one.count} × {one.name}" for one in cell.flows)
    return ", ".join(filter(None, (flows, table.where(cell, axes))))


def _whole(cell: Cell) -> Cell:
    """The cell whose group this is."""
    return replace(cell, group="")


def _session(row: Row) -> SessionEntry:
    sender, receiver = (str(row.get(name) or "").split() for name in provenance.CAPTURES)
    return SessionEntry(
        key=row["key"],
        run=row["run"],
        seed=row["seed"],
        sender_sha256=sender,
        receiver_sha256=receiver,
    )


def report_of(places: Places, name: str, stamp: str) -> Path:
    """Writes an experiment's report, with ways to its sessions.

    Raises `NothingRunError`, `ModuleNotFoundError` where nothing is installed that draws, and
    what reading the file raises.
    """
    # Slow to import; not installed where experiments are only looked at.
    from thinlab.experiment import page  # noqa: PLC0415

    content = page.linked(opened(places, name), name)
    file = places.report_file(name, stamp)
    file.parent.mkdir(parents=True, exist_ok=True)
    durable.write_whole(file, content)
    return file
