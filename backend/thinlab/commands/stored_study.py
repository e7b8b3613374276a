"""`thinlab study …` for studies that a running Thinlab holds: freeze, deviations, analyse.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from thinlab.hostile_yaml import quoted

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from sqlalchemy.ext.asyncio import AsyncSession

    from thinlab.analysis.asked import Asked
    from thinlab.analysis.delay.findings import DelayResults
    from thinlab.analysis.registry import StudyResults
    from thinlab.database.engine import Database
    from thinlab.study.catalogue import StoredStudy
    from thinlab.study.deviation import Deviation
    from thinlab.study.freeze import Freeze
    from thinlab.study.frozen import FrozenDocument

EXIT_CONFIG = 78
LONGEST_SHOWN = 200

Data = Annotated[
    Path | None,
    typer.Option(
        help="Data folder of a running Thinlab; default $THINLAB_DATA.", resolve_path=True
    ),
]
Slug = Annotated[str, typer.Argument(help="The study's slug, such as p800-ccr.")]


def freeze(
    slug: Slug,
    reason: Annotated[
        str | None, typer.Option(help="Such as the address of the preregistration.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Also write the document here, to register it.")
    ] = None,
    data: Data = None,
) -> None:
    """Freeze a study of a running Thinlab: hashes of design, texts, recordings and analysis."""
    found = asyncio.run(_freeze(slug, reason, data))
    if out is not None:
        _write(out, found.document.model_dump_json(indent=2) + "\n")
    hashes = found.document.hashes
    typer.echo(f"{slug}, frozen at {found.at:%Y-%m-%d %H:%M:%S} UTC")
    for name, value in hashes.model_dump().items():
        typer.echo(f"  {name:10}  {value}")
    joined = found.document.participants_before
    if joined:
        typer.echo(f"  {joined} people had joined before: this is no registration in advance")


def deviations(
    slug: Slug,
    against: Annotated[
        Path | None, typer.Option(help="A document written by freeze, instead of the stored one.")
    ] = None,
    data: Data = None,
) -> None:
    """List what of a frozen study is no longer as it was frozen; exit 1 if there is any."""
    found = asyncio.run(_deviations(slug, against, data))
    for one in found:
        since = f" since {one.at:%Y-%m-%d %H:%M}" if one.at else ""
        back = "" if one.in_force else " (changed back)"
        typer.echo(f"{one.kind}: {one.place}{since}{back}")
        typer.echo(f"  frozen   {_short(one.frozen)}")
        typer.echo(f"  present  {_short(one.present)}")
    typer.echo(f"{len(found)} deviations")
    raise typer.Exit(1 if found else 0)


def analyse(
    slug: Slug,
    as_json: Annotated[
        bool, typer.Option("--json", help="Every figure, instead of sentences.")
    ] = False,
    delay: Annotated[
        bool, typer.Option("--delay", help="Votes against what was measured, instead.")
    ] = False,
    data: Data = None,
) -> None:
    """Say what the votes say, as the researcher's page does; not while they are hidden."""
    if delay:
        curves = asyncio.run(_against_delay(slug, data))
        typer.echo(curves.model_dump_json(indent=2) if as_json else "\n".join(curves.sentences))
        return
    found = asyncio.run(_results(slug, data))
    typer.echo(found.model_dump_json(indent=2) if as_json else "\n".join(found.sentences))


async def _freeze(slug: str, reason: str | None, data: Path | None) -> "Freeze":
    from thinlab.study import freeze as freezing

    async with _session(data) as session:
        try:
            return await freezing.freeze(session, slug, reason)
        except freezing.NotFrozenError as error:
            refuse(str(error))


async def _deviations(slug: str, against: Path | None, data: Path | None) -> "list[Deviation]":
    from thinlab.study import deviation
    from thinlab.study import freeze as freezing

    document = None if against is None else _document(against, slug)
    async with _session(data) as session:
        study = await _current(session, slug)
        if document is not None:
            recordings = await freezing.recordings_in_use(session, study)
            return deviation.compare(document, study.definition, recordings)
        if await freezing.of_study(session, slug) is None:
            refuse(f"`{slug}` was never frozen; `thinlab study freeze {slug}` does it")
        return await deviation.of_study(session, slug)


@asynccontextmanager
async def opened(data: Path | None) -> "AsyncIterator[Database]":
    """The database of a running Thinlab."""
    from dataclasses import replace

    from sqlalchemy.exc import DBAPIError

    from thinlab.database.engine import Database
    from thinlab.running.database_address import database_url
    from thinlab.settings import SettingError, Settings

    settings = Settings.read()
    if data is not None:
        settings = replace(settings, data=data, database_url=None)
    try:
        database = Database(database_url(settings))
    except (SettingError, ValueError) as error:
        refuse(str(error))
    try:
        yield database
    except (OSError, DBAPIError) as error:
        refuse(f"the database does not answer as it should ({quoted(error)}); is Thinlab running?")
    finally:
        await database.close()


@asynccontextmanager
async def _session(data: Path | None) -> "AsyncIterator[AsyncSession]":
    """A transaction on it."""
    async with opened(data) as database, database.transaction() as session:
        yield session


def _document(file: Path, slug: str) -> "FrozenDocument":
    from pydantic import ValidationError

    from thinlab.study.frozen import FrozenDocument

    try:
        document = FrozenDocument.model_validate_json(file.read_bytes())
    except (OSError, ValidationError) as error:
        refuse(f"{file}: not a document that `thinlab study freeze` wrote ({quoted(error)})")
    if not document.is_whole():
        refuse(f"{file}: its hashes are not those of its content: it was changed since")
    if document.slug != slug:
        refuse(f"{file}: that is `{document.slug}`, not `{slug}`")
    return document


async def _results(slug: str, data: Path | None) -> "StudyResults":
    from thinlab.analysis import look_log, results

    async with _session(data) as session:
        seen = await look_log.in_place_of_results(session, await _current(session, slug))
        if seen is not None:
            return seen
        return await results.of_study(session, await _asked(session, slug))


async def _against_delay(slug: str, data: Path | None) -> "DelayResults":
    from thinlab.analysis.delay import results

    async with _session(data) as session:
        reading = await results.read(session, await _asked(session, slug))
    return await reading.worked_out()


async def _asked(session: "AsyncSession", slug: str) -> "Asked":
    """People's votes on a study, if they may be looked at."""
    from thinlab.analysis.asked import Asked
    from thinlab.monitoring import exclusion
    from thinlab.trials.registry import KINDS

    study = await shown(session, slug)
    return Asked(study, KINDS, await exclusion.excluded(session, study))


async def _current(session: "AsyncSession", slug: str) -> "StoredStudy":
    from thinlab.study import catalogue

    study = await catalogue.current(session, slug)
    if study is None:
        refuse(f"there is no study `{slug}`")
    return study


async def shown(session: "AsyncSession", slug: str) -> "StoredStudy":
    """A study whose votes may be seen now; notes that they were."""
    from thinlab.study import study_state

    study = await _current(session, slug)
    if not await study_state.show(session, study):
        refuse(
            f"the votes of `{slug}` are hidden until it is closed or its stop rule is met; "
            "on the researcher's page they can be shown earlier, which is a deviation"
        )
    return study


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        refuse(f"--out {file}: {error.strerror}; the study is frozen, and can be written again")


def _short(value: object) -> str:
    return "(nothing)" if value is None else quoted(value, LONGEST_SHOWN)


def refuse(message: str) -> NoReturn:
    """Ends the command: what was asked cannot be done."""
    typer.echo(message, err=True)
    raise typer.Exit(EXIT_CONFIG)
