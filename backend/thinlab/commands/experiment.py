"""`thinlab experiment …`.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from collections.abc import Callable

    from thinlab.contract.generated import lab_pb2 as pb
    from thinlab.experiment.report import Report
    from thinlab.experiment.runner import Progress
    from thinlab.experiment.store import SessionStore

app = typer.Typer(no_args_is_help=True, help="Grids of conditions × runs, in virtual time.")

EXIT_CONFIG = 78

ExperimentFile = Annotated[
    Path, typer.Argument(help="An experiment, such as experiments/loss-sweep.yaml.")
]
Out = Annotated[
    Path | None,
    typer.Option(help="Where rows, tables and figures go; default: a folder of the cache."),
]
Runs = Annotated[int | None, typer.Option(help="Instead of the file's.", min=1)]
Minutes = Annotated[float | None, typer.Option(help="Virtual; instead of the file's.", min=0.001)]
Modes = Annotated[list[str] | None, typer.Option(help="Only this mode; may be repeated.")]
Workers = Annotated[
    int, typer.Option(help="Local workers, one session each; 0: one a core.", min=0)
]
Scheduler = Annotated[
    str | None, typer.Option(help="A Dask scheduler's address, instead of local workers.")
]


@app.command()
def validate(
    files: Annotated[list[Path], typer.Argument(help="Experiment files.")],
) -> None:
    """Check experiment files without running anything."""
    from thinlab.experiment.file import read
    from thinlab.located_yaml import FileFaultsError

    wrong = False
    for file in files:
        try:
            experiment, _ = read(file)
        except FileFaultsError as error:
            wrong = True
            typer.echo(str(error), err=True)
            continue
        cells = len(experiment.cells())
        typer.echo(
            f"{file}: {cells} cells × {experiment.runs} runs = {cells * experiment.runs} sessions "
            f"of {experiment.minutes:g} virtual minutes"
        )
    raise typer.Exit(1 if wrong else 0)


@app.command()
def run(
    file: ExperimentFile,
    out: Out = None,
    runs: Runs = None,
    minutes: Minutes = None,
    mode: Modes = None,
    workers: Workers = 0,
    scheduler: Scheduler = None,
) -> None:
    """Run what is missing of an experiment; then write rows, tables, figures and verdicts.

    Sessions already run on the same host build are found and not run again.
    """
    report, store = _open(file, out, runs, minutes, mode)
    from thinlab.experiment import asked

    # As it is before hours go by in which somebody may change it.
    files = asked.taken(file, {"runs": runs, "minutes": minutes, "modes": mode or None})
    host, progress = _run_missing(report, store, workers, scheduler)
    if report.collect(store, host.build):
        asked.keep(report.folder, files)
        _tables(report, everything=False)
        _figures(report)
    raise typer.Exit(1 if progress.failed else 0)


@app.command("all")
def run_all(
    files: Annotated[list[Path], typer.Argument(help="Experiments, run in this order.")],
    out: Annotated[
        Path | None,
        typer.Option(help="The page to write; default: report.html in the cache's experiments."),
    ] = None,
    workers: Workers = 0,
    scheduler: Scheduler = None,
) -> None:
    """Run what is missing of several experiments, write one page of all, and say how long it took.

    A session that fails does not keep the others from running; ends with 1 then.
    """
    import time

    from thinlab.experiment import asked, page

    # All are read before the first one runs for an hour.
    opened = [_open(file, None, None, None, None) for file in files]
    as_run = [asked.taken(file, {"runs": None, "minutes": None, "modes": None}) for file in files]
    target = out or opened[0][0].folder.parent / "report.html"
    whole = page.Page(target)
    began = time.monotonic()
    failed = figures = 0
    for (report, store), taken in zip(opened, as_run, strict=True):
        begun = time.monotonic()
        host, progress = _run_missing(report, store, workers, scheduler)
        failed += progress.failed
        if not report.collect(store, host.build):
            _refuse(f"{report.experiment.name}: no session came to its end")
        asked.keep(report.folder, taken)
        drawn = whole.show(report)
        figures += len(drawn)
        minutes = (time.monotonic() - begun) / 60
        typer.echo(
            f"{report.experiment.name}: {progress.done} sessions run, {progress.found} there "
            f"before; {minutes:.1f} min with {len(drawn)} figures"
        )
        for figure in drawn:
            typer.echo(f"  {figure}")
    try:
        whole.write()
    except OSError as error:
        _refuse(f"{target}: {error.strerror}; name a file that you may write with --out")
    minutes = (time.monotonic() - began) / 60
    typer.echo(f"{figures} figures in {minutes:.1f} min: {os.path.relpath(target)}")
    raise typer.Exit(1 if failed else 0)


@app.command(hidden=True)
def errand(
    kind: Annotated[str, typer.Argument(help="look, report or session.")],
    words: Annotated[list[str] | None, typer.Argument(help="Which one.")] = None,
    build: Annotated[str, typer.Option(help="Of the server that sends it.")] = "",
) -> None:
    """Do something for the web server's pages, and say as JSON why it came to nothing."""
    import json

    from thinlab.experiment.desk import errand as errands
    from thinlab.logs import log_to_stderr
    from thinlab.settings import Settings

    # As the server's other files.
    os.umask(0o077)
    log_to_stderr()
    os.setpriority(os.PRIO_PROCESS, 0, errands.NICENESS)
    try:
        errands.do(Settings.read(), build, kind, *(words or ()))
    except errands.ProblemError as error:
        typer.echo(json.dumps({"problem": str(error)}))
        raise typer.Exit(1) from None


def _after_a_run(name: str, told: str, show: "Callable[[Report], None]") -> None:
    """A command that shows what was run; its options are those of `run`."""

    @app.command(name, help=f"{told} of an experiment that was run (with the same options).")
    def shown(
        file: ExperimentFile,
        out: Out = None,
        runs: Runs = None,
        minutes: Minutes = None,
        mode: Modes = None,
    ) -> None:
        report, _ = _open(file, out, runs, minutes, mode)
        show(report)


@app.command()
def report(
    files: Annotated[list[Path], typer.Argument(help="Experiments that were run.")],
    out: Annotated[
        Path | None,
        typer.Option(
            help="Where the rows are and the page goes, as for `run`; default: of one experiment "
            "its folder of the cache, of several the folder above."
        ),
    ] = None,
    runs: Runs = None,
    minutes: Minutes = None,
    mode: Modes = None,
) -> None:
    """Write one HTML page about experiments that were run, its figures beside it as files."""
    opened = [_open(file, out, runs, minutes, mode)[0] for file in files]
    names = [one.experiment.name for one in opened]
    if len(set(names)) < len(names):
        _refuse("an experiment is named twice; name each file once")
    from thinlab.experiment import page
    from thinlab.experiment.report import NothingRunError

    if len(opened) == 1:
        file = opened[0].folder / f"{names[0]}.html"
    else:
        file = (out or opened[0].folder.parent) / "report.html"
    try:
        written = page.write(opened, file)
    except NothingRunError as error:
        _refuse(str(error))
    except OSError as error:
        _refuse(f"{file}: {error.strerror}; name a folder that you may write to with --out")
    typer.echo(os.path.relpath(written[0]))
    typer.echo(f"and beside it {len(written) - 1} files of its figures: SVG, PNG, CSV")


@app.command()
def bundle(
    file: ExperimentFile,
    out: Annotated[Path, typer.Option(help="The zip file to write.")],
    results: Annotated[
        Path | None, typer.Option(help="Where the rows are: what `run` had as --out.")
    ] = None,
    runs: Runs = None,
    minutes: Minutes = None,
    mode: Modes = None,
) -> None:
    """Pack an experiment that was run as an RO-Crate: results, codebook, citation, report.

    The same results give the same bytes. `replicate` runs it again, elsewhere.
    """
    report, store = _open(file, results, runs, minutes, mode)
    from thinlab.experiment import crate
    from thinlab.experiment.report import NothingRunError

    options = {"runs": runs, "minutes": minutes, "modes": mode or None}
    try:
        date = store.last_written(report.keys()) or report.written()
        crate.write(report, file, options, date.isoformat(), out)
    except NothingRunError as error:
        _refuse(str(error))
    except OSError as error:
        _refuse(f"--out {out}: {error.strerror}; name a file that you may write")
    typer.echo(os.path.relpath(out))


@app.command()
def replicate(
    file: Annotated[Path, typer.Argument(help="What `bundle` has written.")],
    out: Annotated[
        Path | None,
        typer.Option(help="Where sessions, rows and the comparison go; default: in the cache."),
    ] = None,
    workers: Workers = 0,
    scheduler: Scheduler = None,
) -> None:
    """Run a bundle's experiment again, and say which metrics and captures are the same.

    All of its sessions run, whatever the cache has; stopped, it goes on from there. Ends with 1
    where anything differs or fails.
    """
    import tempfile

    with tempfile.TemporaryDirectory(prefix="thinlab-replicate-") as folder:
        _replicate(file, Path(folder), out, workers, scheduler)


def _replicate(
    file: Path, room: Path, out: Path | None, workers: int, scheduler: str | None
) -> None:
    import hashlib

    from thinlab import durable
    from thinlab.experiment import asked, crate, replication
    from thinlab.experiment.archive import ArchiveError
    from thinlab.experiment.store import SessionStore
    from thinlab.settings import Settings

    try:
        opened = crate.read(file, room)
        if out is None:
            digest = hashlib.sha256(file.read_bytes()).hexdigest()[:16]
            out = Settings.read().cache / "experiments" / f"replication-{digest}"
    except ArchiveError as error:
        _refuse(str(error))
    except OSError as error:
        _refuse(f"{file}: {error.strerror}; name a bundle that you may read")
    report, _ = _open(opened.experiment_file, out, **opened.options)
    store = SessionStore(out / "sessions")
    files = asked.taken(opened.experiment_file, opened.options)
    host, progress = _run_missing(report, store, workers, scheduler)
    ours = report.collect(store, host.build)
    asked.keep(report.folder, files)
    sessions = replication.compare(report.experiment, opened.rows, ours)
    listed = out / "replication.csv"
    durable.write_whole(listed, replication.as_csv(sessions).encode())
    for line in replication.told(sessions):
        typer.echo(line)
    typer.echo(f"Session by session: {os.path.relpath(listed)}")
    raise typer.Exit(0 if replication.agrees(sessions) and not progress.failed else 1)


def _run_missing(
    report: "Report", store: "SessionStore", workers: int, scheduler: str | None
) -> tuple["pb.HostDescription", "Progress"]:
    """Runs, and says what went wrong."""
    from thinlab.experiment.runner import UnavailableError
    from thinlab.lab.agent import AgentAwayError
    from thinlab.lab.worker import WorkerError
    from thinlab.settings import SettingError

    try:
        host, progress = asyncio.run(_run(report, store, workers, scheduler))
    except (SettingError, UnavailableError, WorkerError, AgentAwayError) as error:
        _refuse(str(error))
    except KeyboardInterrupt:
        typer.echo("Interrupted; the next run goes on from here.", err=True)
        raise typer.Exit(130) from None
    for problem, sessions in progress.problems.items():
        from thinlab.experiment.checks import place

        typer.echo(f"{len(sessions)} × {place(sessions[0].cell)} …: {problem}", err=True)
    return host, progress


async def _run(
    report: "Report", store: "SessionStore", workers: int, scheduler: str | None
) -> tuple["pb.HostDescription", "Progress"]:
    from contextlib import AsyncExitStack

    from thinlab.experiment import provenance, run_state, runner
    from thinlab.experiment.host import lab_host
    from thinlab.experiment.progress import progress_bar
    from thinlab.lab import team
    from thinlab.settings import Settings
    from thinlab.tls.trust import Trust

    settings = Settings.read()
    async with AsyncExitStack() as stack:
        keep = stack.enter_context(run_state.telling(report.folder, report.experiment))
        lab = None
        if scheduler is None:
            lab = await stack.enter_async_context(lab_host(settings))
        show = stack.enter_context(progress_bar(report.experiment.name))

        def tell(progress: "Progress") -> None:
            keep(progress)
            show(progress)

        hands = team.Workers(
            lab=lab,
            count=workers,
            scheduler=scheduler,
            trust=Trust.of(settings),
        )
        host, progress = await runner.run(report.experiment, store, hands, tell)
    parts = provenance.HostParts.of(settings) if scheduler is None else None
    provenance.keep_host(report.folder, host, parts)
    return host, progress


def _open(
    file: Path, out: Path | None, runs: int | None, minutes: float | None, modes: list[str] | None
) -> tuple["Report", "SessionStore"]:
    try:
        from thinlab.experiment.report import Report
    except ModuleNotFoundError as error:
        _refuse(f"{error}; `uv sync --group experiment` installs what experiments need")
    from thinlab.experiment.file import read
    from thinlab.experiment.narrowing import NarrowingError, narrowed
    from thinlab.experiment.store import SessionStore
    from thinlab.located_yaml import FileFaultsError
    from thinlab.settings import Settings

    try:
        experiment, published = read(file)
        experiment = narrowed(experiment, runs, minutes, modes)
    except (FileFaultsError, NarrowingError) as error:
        _refuse(str(error))
    folder = Settings.read().cache / "experiments"
    target = out or folder / experiment.name
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        _refuse(f"--out {target}: {error.strerror}; name a folder that you may write to")
    return Report(experiment, published, target), SessionStore(folder / "sessions")


def _tables(report: "Report", *, everything: bool) -> None:
    from thinlab.experiment.report import NothingRunError
    from thinlab.experiment.table import verdicts_markdown

    try:
        text, verdicts = report.write_tables(report.summaries())
    except NothingRunError as error:
        _refuse(str(error))
    if everything:
        typer.echo(text)
    elif verdicts:
        typer.echo(verdicts_markdown(verdicts))
    short = sum(not verdict.holds for verdict in verdicts)
    typer.echo(
        f"{len(verdicts) - short} of {len(verdicts)} requirements hold. Tables: "
        f"{os.path.relpath(report.folder / report.experiment.name)}.md and .csv"
    )


def _figures(report: "Report") -> None:
    from thinlab.experiment.report import NothingRunError

    try:
        files = report.draw(report.summaries())
    except NothingRunError as error:
        _refuse(str(error))
    for file in files:
        typer.echo(os.path.relpath(file))


def _refuse(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(EXIT_CONFIG)


_after_a_run("table", "Write and print the tables", lambda report: _tables(report, everything=True))
_after_a_run("plot", "Draw the figures", _figures)
