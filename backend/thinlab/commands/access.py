"""What the operator of a server does about access, on the machine itself.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn, TypeVar

import typer

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from sqlalchemy.ext.asyncio import AsyncSession

app = typer.Typer(no_args_is_help=True, help="Who has access: tokens, sessions, what was done.")

Data = Annotated[
    Path | None, typer.Option(help="The data folder of the Thinlab that runs; $THINLAB_DATA.")
]
Given = TypeVar("Given")
EXIT_CONFIG = 78


@app.command()
def setup(data: Data = None) -> None:
    """Make another address to set the first password at; the one before ends."""
    from thinlab.researcher import account

    token = done(data, account.new_setup_token)
    if token is None:
        _refuse("There is a password; to forget it: thinlab reset-password")
    show("/researcher#setup=", token)


@app.command()
def presenter(data: Data = None) -> None:
    """Make another address for presenters; the one before ends, with whoever came in by it."""
    from thinlab.researcher import access_token, audit
    from thinlab.researcher.access_token import Purpose

    async def make(session: "AsyncSession") -> str:
        await audit.enter(session, audit.Act.PRESENTER_TOKEN_MADE, audit.By.OPERATOR)
        return await access_token.make(session, Purpose.PRESENTER)

    show("/demo#present=", done(data, make))


@app.command()
def revoke_presenter(data: Data = None) -> None:
    """End the presenters' address, and whoever came in by it."""
    from thinlab.researcher import access_token, audit
    from thinlab.researcher.access_token import Purpose

    async def revoke(session: "AsyncSession") -> None:
        await access_token.revoke(session, Purpose.PRESENTER)
        await audit.enter(session, audit.Act.PRESENTER_TOKEN_REVOKED, audit.By.OPERATOR)

    done(data, revoke)
    typer.echo("No presenter's address is good any more.")


@app.command()
def sign_out_everywhere(data: Data = None) -> None:
    """End every session of researchers and presenters."""
    from thinlab.researcher import audit, sessions

    async def end(session: "AsyncSession") -> int:
        ended = await sessions.end_all(session, *sessions.Role)
        act = audit.Act.SIGNED_OUT_EVERYWHERE
        await audit.enter(session, act, audit.By.OPERATOR, sessions=ended)
        return ended

    typer.echo(f"{done(data, end)} sessions were ended.")


@app.command()
def log(
    data: Data = None,
    last: Annotated[int, typer.Option(help="How many entries.", min=1)] = 100,
) -> None:
    """Print who did what of weight, oldest first."""
    from thinlab.researcher import audit

    for entry in reversed(done(data, lambda session: audit.entries(session, last))):
        more = " ".join(f"{name}={value}" for name, value in entry.details.items())
        at = entry.at.isoformat(timespec="seconds")
        typer.echo(f"{at} {entry.by} {entry.act} {entry.study or '-'} {more}".rstrip())


def done(data: Path | None, act: "Callable[[AsyncSession], Awaitable[Given]]") -> Given:
    """What this gives, in one transaction on the database of the Thinlab that runs."""
    from dataclasses import replace

    from thinlab.database.engine import Database
    from thinlab.running.database_address import database_url
    from thinlab.settings import SettingError, Settings

    try:
        settings = Settings.read()
        if data is not None:
            settings = replace(settings, data=data.absolute())
        url = database_url(settings)
    except SettingError as error:
        _refuse(str(error))

    async def doing() -> Given:
        database = Database(url)
        try:
            async with database.transaction() as session:
                return await act(session)
        finally:
            await database.close()

    return asyncio.run(doing())


def show(path: str, token: str) -> None:
    """Prints an address, for the only time."""
    from thinlab.researcher.access_token import LIFE
    from thinlab.settings import Settings

    origin = Settings.read().public_origin
    typer.echo(f"{origin or 'At the server: '}{path}{token}")
    hours = LIFE.total_seconds() / 3600
    typer.echo(f"(it is shown once and good for {hours:.0f} hours)")


def _refuse(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(EXIT_CONFIG)
