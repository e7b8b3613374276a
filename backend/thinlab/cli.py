"""The `thinlab` command.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from thinlab.commands import access, bots, experiment, study
from thinlab.commands import backup as backups

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Blind studies of what low-latency TCP mechanisms do to speech and music.",
)

app.add_typer(access.app, name="access")
app.add_typer(bots.app, name="bots")
app.add_typer(experiment.app, name="experiment")
app.add_typer(study.app, name="study")
app.command()(backups.backup)
app.command()(backups.restore)

# Exit codes (sysexits.h): EX_CONFIG for a fault that starting again would not mend, and
# EX_UNAVAILABLE for a part that could not be started.
EXIT_CONFIG, EXIT_UNAVAILABLE = 78, 69

# gRPC's library, which reads this when it is imported, would tell in three lines a second that an
# agent does not take us; we tell once why.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")


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

    from thinlab.clips.manifest import ClipError
    from thinlab.logs import log_to_stderr
    from thinlab.settings import SettingError, Settings
    from thinlab.study.file import StudyFileError
    from thinlab.web.serve import serve as serve_web
    from thinlab.web.server import Listening, teller

    # Captures, typed keys and sounds are nobody else's on this machine.
    os.umask(0o077)
    try:
        log_to_stderr()
        # Every key of a typing session passes through this loop: uvloop makes less of it.
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            settings = Settings.read()
            listening = Listening.of(settings, host, port)
            runner.run(serve_web(settings, listening, teller(status_fd)))
    except (SettingError, ClipError, StudyFileError) as error:
        _refuse(str(error))
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


@app.command()
def record() -> None:
    """Make the recordings that were asked for, then end: `serve` starts this by itself."""
    from thinlab.clips.manifest import ClipError
    from thinlab.logs import log_to_stderr
    from thinlab.recording.process import make_all
    from thinlab.settings import SettingError, Settings

    # Captures, typed keys and sounds are nobody else's on this machine.
    os.umask(0o077)
    try:
        log_to_stderr()
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
    public_origin: Annotated[
        str | None,
        typer.Option(help="Where browsers find this server, if not at host and port: https://…"),
    ] = None,
) -> None:
    """Start database, lab host and web server, and keep them running until Ctrl-C."""
    from dataclasses import replace

    from thinlab.origin import Origin, OriginError
    from thinlab.running.child import ChildNeverReadyError, ChildRefusedError
    from thinlab.running.own_user import become_own_user
    from thinlab.running.run import Run, ports_of
    from thinlab.settings import SettingError, Settings

    try:
        settings = Settings.read()
        if data is not None:
            settings = replace(settings, data=data.absolute())
        origin = Origin.parse(public_origin) if public_origin else None
        become_own_user(settings, sys.argv[1:], ports_of(settings, host, port))
        asyncio.run(Run(settings, host, port, origin).until_stopped())
    except OriginError as error:
        _refuse(f"--public-origin: {error}")
    except (SettingError, ChildRefusedError) as error:
        _refuse(str(error))
    except ChildNeverReadyError as error:
        _refuse(str(error), EXIT_UNAVAILABLE)


@app.command()
def migrate() -> None:
    """Bring the database up to date as its owner; `run` does this by itself."""
    from thinlab.database.upgrade import upgrade
    from thinlab.logs import log_to_stderr
    from thinlab.settings import SettingError, Settings

    try:
        log_to_stderr()
        settings = Settings.read()
        application, owner = settings.database_url, settings.database_owner_url
        if application is None or owner is None:
            _refuse(
                "give THINLAB_DATABASE_OWNER_URL, by whose role the tables are made, and "
                "THINLAB_DATABASE_URL, whose role the server has"
            )
        asyncio.run(upgrade(owner, application))
    except (SettingError, ValueError) as error:
        _refuse(str(error))


@app.command()
def certificates(
    folder: Annotated[Path, typer.Argument(help="Where they are put; keep it to yourself.")],
    machines: Annotated[list[str], typer.Argument(help="Names that others find them by.")],
) -> None:
    """Make certificates by which server, agents and Dask on several machines know each other."""
    from thinlab.settings import SettingError
    from thinlab.tls.authority import make_for

    os.umask(0o077)
    try:
        for machine in machines:
            typer.echo(str(make_for(folder.absolute(), machine)))
    except SettingError as error:
        _refuse(str(error))
    typer.echo("Take each machine its folder, and name it there: THINLAB_CERTIFICATES=…")


@app.command()
def obtain_certificate() -> None:
    """Obtain a certificate that browsers know, by ACME; `serve` starts this by itself."""
    from thinlab.settings import SettingError, Settings
    from thinlab.tls.acme_exchange import AcmeError, obtain

    os.umask(0o077)
    try:
        typer.echo(str(obtain(Settings.read())))
    except SettingError as error:
        _refuse(str(error))
    except AcmeError as error:
        _refuse(str(error), EXIT_UNAVAILABLE)


@app.command()
def reset_password(data: access.Data = None) -> None:
    """Forget the researcher's password and make an address to choose another at."""
    from thinlab.researcher import account

    access.show("/researcher#setup=", access.done(data, account.reset))


def _refuse(message: str, code: int = EXIT_CONFIG) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(code)
