"""`thinlab study …`.

SPDX-License-Identifier: Apache-2.0
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from thinlab.commands import (
    bundled_study,
    planned_power,
    simulated_digits,
    simulated_staircases,
    simulated_study,
    simulated_tastes,
    simulated_thresholds,
    stored_study,
)
from thinlab.commands.planned_power import (
    EffectSizes,
    Excluded,
    Participants,
    PeopleScale,
    RecordingScale,
)
from thinlab.commands.simulated_digits import People, Threshold, Tries, Triplets
from thinlab.commands.simulated_staircases import Groups, Observers
from thinlab.commands.simulated_study import Scale, Seed, Studies
from thinlab.commands.simulated_thresholds import Compared
from thinlab.commands.simulated_thresholds import Studies as ThresholdStudies

if TYPE_CHECKING:
    from collections.abc import Mapping

    from thinlab.clips.manifest import ManifestClip

app = typer.Typer(
    no_args_is_help=True, help="Studies: check, preview, simulate, plan, freeze, analyse, bundle."
)

EXIT_CONFIG = 78


@app.command()
def validate(files: Annotated[list[Path], typer.Argument(help="Study files.")]) -> None:
    """Check study files: line, field and remedy of everything that is wrong; and weak plans."""
    from thinlab.analysis.simulated.shortfall import shortfalls
    from thinlab.study.blocks.registry import kind_of, trials_total
    from thinlab.study.file import StudyFileError, read
    from thinlab.trials.registry import KINDS

    clips = _clips()
    wrong = False
    for file in files:
        try:
            definition = read(file, clips, KINDS)
        except StudyFileError as error:
            wrong = True
            typer.echo(str(error), err=True)
            continue
        typer.echo(f"{file}: {trials_total(definition)} trials, {definition.content_hash}")
        for block in definition.blocks:
            if kind_of(block).chosen_by_answers:
                typer.echo(f"{file}: {block.id}: {kind_of(block).allocation(definition, block)}")
        for shortfall in shortfalls(definition):
            typer.echo(f"{file}: warning: {shortfall}", err=True)
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
    from thinlab.trials.registry import KINDS

    clips = _clips()
    try:
        definition = read(file, clips, KINDS)
    except StudyFileError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from error
    chosen = language or definition.languages[0]
    if chosen not in definition.languages:
        offered = ", ".join(definition.languages)
        _refuse(f"--language {chosen}: {definition.slug} is offered in {offered}")
    for line in outline(definition, clips, chosen, KINDS):
        typer.echo(line)
    typer.echo(f"IN THE BROWSER, signed in as researcher: {address}/s/{definition.slug}?preview")


@app.command()
def simulate(
    files: Annotated[list[Path], typer.Argument(help="Study files.")],
    studies: Studies = 2000,
    seed: Seed = 1,
    recordings_differ: Scale = 1.0,
) -> None:
    """Print how often a study would find what is not so; 1 if not 4 to 6 % of tests at 5 %."""
    if not simulated_study.simulate(files, _clips(), studies, seed, recordings_differ):
        raise typer.Exit(1)


@app.command()
def thresholds(studies: ThresholdStudies = 2000, compared: Compared = 200, seed: Seed = 1) -> None:
    """Print how often planted thresholds of delay lie in their intervals; 1 if not as stated."""
    if not simulated_thresholds.thresholds(studies, compared, seed):
        raise typer.Exit(1)


@app.command()
def tastes(studies: ThresholdStudies = 1000, seed: Seed = 1) -> None:
    """Print how often planted tastes for late or damaged are told; 1 if not as stated."""
    if not simulated_tastes.tastes(studies, seed):
        raise typer.Exit(1)


@app.command()
def digits(
    srt_db: Threshold = -6.0,
    triplets: Triplets = 23,
    tries: Tries = 1,
    people: People = 2000,
    seed: Seed = 1,
) -> None:
    """Print whom a threshold of the test by digits in noise lets pass; 1 if it tells too little."""
    if not simulated_digits.digits(srt_db, triplets, tries, people, seed):
        raise typer.Exit(1)


@app.command()
def staircases(observers: Observers = 2000, groups: Groups = 200, seed: Seed = 1) -> None:
    """Print how often adaptive blocks tell a planted threshold; 1 if not as stated."""
    if not simulated_staircases.staircases(observers, groups, seed):
        raise typer.Exit(1)


@app.command()
def power(  # noqa: PLR0913, PLR0917 - options
    file: Annotated[Path, typer.Argument(help="A study file.")],
    participants: Participants = None,
    effect: EffectSizes = None,
    studies: Studies = 1000,
    seed: Seed = 1,
    recordings_differ: RecordingScale = 1.0,
    participants_differ: PeopleScale = 1.0,
    excluded: Excluded = 0.0,
) -> None:
    """Print how often a study would find an effect: over participants and effects, simulated."""
    from thinlab.analysis.simulated.power import Assumed
    from thinlab.study.file import StudyFileError, read
    from thinlab.trials.registry import KINDS

    try:
        definition = read(file, _clips(), KINDS)
    except StudyFileError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from error
    assumed = Assumed(recordings_differ, participants_differ, excluded)
    try:
        planned_power.show(
            definition,
            participants or (),
            effect or (),
            studies=studies,
            seed=seed,
            assumed=assumed,
        )
    except ValueError as error:
        _refuse(f"{file}: {error}")


@app.command("power-curve", hidden=True)
def power_curve(
    studies: Annotated[int, typer.Option(min=1, help="Simulated for each point.")],
) -> None:
    """For the web server: a study as it is stored in, progress and curve as JSON lines out."""
    planned_power.tell_curve(sys.stdin.read(), studies)


app.command()(stored_study.freeze)
app.command()(stored_study.deviations)
app.command()(stored_study.analyse)
app.command()(bundled_study.bundle)


def _clips() -> "Mapping[str, ManifestClip]":
    from thinlab.clips.manifest import ClipError, Clips
    from thinlab.settings import Settings

    settings = Settings.read()
    try:
        return Clips.open(settings.manifest, settings.clips or Path()).manifest
    except ClipError as error:
        _refuse(str(error))


def _refuse(message: str) -> NoReturn:
    typer.echo(message, err=True)
    raise typer.Exit(EXIT_CONFIG)
