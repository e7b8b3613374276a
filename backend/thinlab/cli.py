"""The `thinlab` command.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import logging
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from thinlab.bots import command as bots
from thinlab.experiment import command as experiment
from thinlab.study import command as study

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Blind studies of what low-latency TCP mechanisms do to speech and music.",
)

app.add_typer(bots.app, name="bots")
app.add_typer(experiment.app, name="experiment")
app.add_typer(study.app, name="study")

# Exit codes (sysexits.h): EX_CONFIG for a fault that starting again would not mend, and
# EX_UNAVAILABLE for a part that could not be started.
EXIT_CONFIG, EXIT_UNAVAILABLE = 78, 69


@app.command()
def openapi() -> None:
    """Print the HTTP contract (OpenAPI 3.1)."""
    from thinlab.web.openapi import contract

    typer.echo(json.dumps(contract(), indent=2, ensure_ascii=False))


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.", min=1, max=65535)] = 8000,
    status_fd: Annotated[int | None, typer.Option(hidden=True)] = None,
) -> None:
    """Serve pages and API, with a database and an agent that run already."""
    import uvloop

    from thinlab.recording.clips import ClipError
    from thinlab.settings import SettingError, Settings
    from thinlab.study.file import StudyFileError
    from thinlab.web.serve import Listening, teller
    from thinlab.web.serve import serve as serve_web

    _log_to_stderr()
    try:
        # Every key of a typing session passes through this loop: uvloop makes less of it.
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(serve_web(Settings.read(), Listening(host, port), teller(status_fd)))
    except (SettingError, ClipError, StudyFileError) as error:
        _refuse(str(error))
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


@app.command()
def record() -> None:
    """Make the recordings that were asked for, then end: `serve` starts this by itself."""
    from thinlab.recording.clips import ClipError
    from thinlab.recording.process import make_all
    from thinlab.settings import SettingError, Settings

    _log_to_stderr()
    try:
        asyncio.run(make_all(Settings.read()))
    except (SettingError, ClipError) as error:
        _refuse(str(error))


@app.command()
def run(
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.", min=1, max=65535)] = 8000,
    data: Annotated[
        Path | None, typer.Option(help="Database and logs; default $THINLAB_DATA.")
    ] = None,
    public_address: Annotated[
        str | None, typer.Option(help="Where browsers find this server, if not at host and port.")
    ] = None,
) -> None:
    """Start database, lab host and web server, and keep them running until Ctrl-C."""
    from dataclasses import replace

    from thinlab.running.child import ChildNeverReadyError, ChildRefusedError
    from thinlab.running.run import Run
    from thinlab.settings import SettingError, Settings

    try:
        settings = Settings.read()
        if data is not None:
            settings = replace(settings, data=data.absolute())
        asyncio.run(Run(settings, host, port, public_address).until_stopped())
    except (SettingError, ChildRefusedError) as error:
        _refuse(str(error))
    except ChildNeverReadyError as error:
        _refuse(str(error), EXIT_UNAVAILABLE)


@app.command()
def reset_password() -> None:
    """Forget the researcher's password; the next start prints a new setup address."""
    from thinlab.database.engine import Database
    from thinlab.researcher import account
    from thinlab.settings import Settings

    url = Settings.read().database_url
    if url is None:
        _refuse("THINLAB_DATABASE_URL is not set; give the address of the running database")

    async def reset() -> None:
        database = Database(url)
        async with database.transaction() as session:
            await account.reset(session)
        await database.close()

    asyncio.run(reset())
    typer.echo("Start Thinlab again and open the researcher's address that it prints.")


def _refuse(message: str, code: int = EXIT_CONFIG) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(code)


def _log_to_stderr() -> None:
    logging.basicConfig(
        level=logging.INFO, format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
