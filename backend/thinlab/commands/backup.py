"""`thinlab backup` and `thinlab restore`.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from thinlab.settings import Settings

EXIT_FAILED = 1
DataOption = Annotated[Path | None, typer.Option(help="Thinlab's data; default $THINLAB_DATA.")]


def backup(
    file: Annotated[Path, typer.Argument(help="A new file, such as thinlab-2026-11-23.tar.zst.")],
    data: DataOption = None,
) -> None:
    """Write everything that must not be lost to one file, also while Thinlab runs."""
    from thinlab.backup import making
    from thinlab.backup.last import note
    from thinlab.backup.place import Place
    from thinlab.running.reached_database import reached_database

    async def make(settings: "Settings") -> None:
        if not settings.data.is_dir():
            _refuse(f"{settings.data} is not there; name Thinlab's data folder with --data")
        async with reached_database(settings) as url:
            made = await making.make(url, Place.of(settings), file.absolute())
        note(settings.data, made)
        rows = made.seal.rows
        typer.echo(
            f"{file}: {made.size_bytes / 1e6:.1f} MB, {sum(rows.values())} rows of {len(rows)} "
            f"tables ({rows.get('vote', 0)} votes), {len(made.seal.members)} files."
        )
        for folder in made.seal.missing:
            typer.echo(f"Not there any more: {folder}", err=True)
        typer.echo("It holds this installation's keys: keep it where nobody else can read it.")

    _run(make, data)


def restore(
    file: Annotated[Path, typer.Argument(help="What `thinlab backup` has written.")],
    data: DataOption = None,
) -> None:
    """Fill an empty place with what a backup holds; an older one is upgraded on the way."""
    from thinlab.backup import restoring
    from thinlab.backup.place import Place
    from thinlab.running.own_user import hand_over_places
    from thinlab.running.reached_database import own_database

    async def fill(settings: "Settings") -> None:
        # A wrong file must not leave a new database behind.
        checked = restoring.check(file.absolute(), Place.of(settings))
        async with own_database(settings) as url:
            await restoring.restore(checked, url)
        hand_over_places(settings)
        contents, seal = checked.contents, checked.seal
        typer.echo(
            f"Restored as of {contents.made_at:%Y-%m-%d %H:%M} UTC: {sum(seal.rows.values())} rows "
            f"({seal.rows.get('vote', 0)} votes), {len(seal.members)} files."
        )
        typer.echo("Who has withdrawn since then is there again: delete their answers again.")

    _run(fill, data)


def _run(work: "Callable[[Settings], Coroutine[None, None, None]]", data: Path | None) -> None:
    import asyncpg

    from thinlab.backup.contents import BackupError
    from thinlab.settings import SettingError, Settings

    settings = Settings.read()
    if data is not None:
        settings = replace(settings, data=data.absolute())
    try:
        asyncio.run(work(settings))
    except (BackupError, SettingError) as error:
        _refuse(str(error))
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        # A full disk, a database that went away: nothing half is left.
        _refuse(f"it failed, and left nothing behind: {error}")


def _refuse(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(EXIT_FAILED)
