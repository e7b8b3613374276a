"""`thinlab study bundle`: a study with its votes and its analysis, to take away.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from thinlab.commands.stored_study import Data, Slug, opened, refuse, shown


def bundle(
    slug: Slug,
    folder: Annotated[
        Path, typer.Argument(help="A folder that is not there yet.", resolve_path=True)
    ],
    audio: Annotated[bool, typer.Option("--audio", help="With the recordings heard.")] = False,
    words: Annotated[
        bool,
        typer.Option(
            "--words",
            help="With what participants wrote themselves, and your reasons about them.",
        ),
    ] = False,
    author: Annotated[
        list[str] | None, typer.Option(help="Of the dataset; once for each of them.")
    ] = None,
    licence: Annotated[
        str | None, typer.Option(help="Of the data, such as CC-BY-4.0 or its address.")
    ] = None,
    data: Data = None,
) -> None:
    """Write a Psych-DS dataset with votes, plan, and an analysis in Python and in R."""
    count = asyncio.run(_bundle(slug, folder, audio, words, tuple(author or ()), licence, data))
    typer.echo(f"{folder}: {count} files")


async def _bundle(
    slug: str,
    folder: Path,
    audio: bool,
    words: bool,
    authors: tuple[str, ...],
    licence: str | None,
    data: Path | None,
) -> int:
    from thinlab.bundle import making
    from thinlab.bundle.folder import FolderError
    from thinlab.clips.manifest import ClipError, Clips
    from thinlab.recording.store import RecordingStore, StoreError
    from thinlab.researcher import audit
    from thinlab.researcher.audit import Act, By
    from thinlab.settings import Settings
    from thinlab.trials.registry import KINDS

    settings = Settings.read()
    try:
        clips = Clips.open(settings.manifest, settings.clips or Path()).manifest
    except ClipError as error:
        refuse(str(error))
    wanted = making.Wanted(
        audio=RecordingStore(settings.recordings) if audio else None,
        words=words,
        authors=authors,
        licence=licence,
    )
    async with opened(data) as database:
        async with database.transaction() as session:
            study = await shown(session, slug)
            await audit.enter(
                session, Act.EXPORTED, By.OPERATOR, study=slug, table="bundle", form="folder"
            )
        try:
            return await making.make(
                folder, database, study, making.Kinds(KINDS, KINDS), clips, wanted
            )
        except (FolderError, StoreError) as error:
            refuse(str(error))
