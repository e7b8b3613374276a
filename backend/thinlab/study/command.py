"""`thinlab study …`.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from thinlab.hostile_yaml import quoted

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from sqlalchemy.ext.asyncio import AsyncSession

    from thinlab.recording.clips import ManifestClip
    from thinlab.study.deviation import Deviation
    from thinlab.study.freeze import Freeze
    from thinlab.study.frozen import FrozenDocument

app = typer.Typer(no_args_is_help=True, help="Study files: check, preview, freeze.")

EXIT_CONFIG = 78
LONGEST_SHOWN = 200

Data = Annotated[
    Path | None,
    typer.Option(
        help="Data folder of a running Thinlab; default $THINLAB_DATA.", resolve_path=True
    ),
]
Slug = Annotated[str, typer.Argument(help="The study's slug, such as p800-ccr.")]


@app.command()
def validate(files: Annotated[list[Path], typer.Argument(help="Study files.")]) -> None:
    """Check study files: line, field and remedy of everything that is wrong."""
    from thinlab.study.file import StudyFileError, read

    clips = _clips()
    wrong = False
    for file in files:
        try:
            definition = read(file, clips)
        except StudyFileError as error:
            wrong = True
            typer.echo(str(error), err=True)
            continue
        typer.echo(f"{file}: {len(definition.trials)} trials, {definition.content_hash}")
    raise typer.Exit(1 if wrong else 0)


@app.command()
def schema() -> None:
    """Print the JSON Schema of study files."""
    from thinlab.study import schema as study_schema

    sys.stdout.write(study_schema.text())


@app.command()
def preview(
    file: Annotated[Path, typer.Argument(help="A study file.")],
    language: Annotated[
        str | None, typer.Option(help="One of the study's; default: its first.")
    ] = None,
    address: Annotated[str, typer.Option(help="Where Thinlab runs.")] = "http://127.0.0.1:8000",
) -> None:
    """Print what a participant will meet, in order, and what recordings it takes."""
    from thinlab.study.file import StudyFileError, read
    from thinlab.study.outline import outline

    clips = _clips()
    try:
        definition = read(file, clips)
    except StudyFileError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from error
    chosen = language or definition.languages[0]
    if chosen not in definition.languages:
        offered = ", ".join(definition.languages)
        _refuse(f"--language {chosen}: {definition.slug} is offered in {offered}")
    for line in outline(definition, clips, chosen):
        typer.echo(line)
    typer.echo(f"IN THE BROWSER, signed in as researcher: {address}/s/{definition.slug}?preview")


@app.command()
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


@app.command()
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


async def _freeze(slug: str, reason: str | None, data: Path | None) -> "Freeze":
    from thinlab.study import freeze as freezing

    async with _session(data) as session:
        try:
            return await freezing.freeze(session, slug, reason)
        except freezing.NotFrozenError as error:
            _refuse(str(error))


async def _deviations(slug: str, against: Path | None, data: Path | None) -> "list[Deviation]":
    from thinlab.study import catalogue, deviation
    from thinlab.study import freeze as freezing

    document = None if against is None else _document(against, slug)
    async with _session(data) as session:
        study = await catalogue.current(session, slug)
        if study is None:
            _refuse(f"there is no study `{slug}`")
        if document is not None:
            recordings = await freezing.recordings_in_use(session, study)
            return deviation.compare(document, study.definition, recordings)
        if await freezing.of_study(session, slug) is None:
            _refuse(f"`{slug}` was never frozen; `thinlab study freeze {slug}` does it")
        return await deviation.of_study(session, slug)


@asynccontextmanager
async def _session(data: Path | None) -> "AsyncIterator[AsyncSession]":
    """A transaction on the database of a running Thinlab."""
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
        _refuse(str(error))
    try:
        async with database.transaction() as session:
            yield session
    except (OSError, DBAPIError) as error:
        _refuse(f"the database does not answer as it should ({quoted(error)}); is Thinlab running?")
    finally:
        await database.close()


def _document(file: Path, slug: str) -> "FrozenDocument":
    from pydantic import ValidationError

    from thinlab.study.frozen import FrozenDocument

    try:
        document = FrozenDocument.model_validate_json(file.read_bytes())
    except (OSError, ValidationError) as error:
        _refuse(f"{file}: not a document that `thinlab study freeze` wrote ({quoted(error)})")
    if not document.is_whole():
        _refuse(f"{file}: its hashes are not those of its content: it was changed since")
    if document.slug != slug:
        _refuse(f"{file}: that is `{document.slug}`, not `{slug}`")
    return document


def _clips() -> "Mapping[str, ManifestClip]":
    from thinlab.recording.clips import ClipError, Clips
    from thinlab.settings import Settings

    settings = Settings.read()
    try:
        return Clips.open(settings.manifest, settings.clips or Path()).manifest
    except ClipError as error:
        _refuse(str(error))


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        _refuse(f"--out {file}: {error.strerror}; the study is frozen, and can be written again")


def _short(value: object) -> str:
    return "(nothing)" if value is None else quoted(value, LONGEST_SHOWN)


def _refuse(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(EXIT_CONFIG)
