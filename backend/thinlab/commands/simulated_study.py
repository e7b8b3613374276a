"""`thinlab study simulate`: how often a study would find what is not so.

SPDX-License-Identifier: Apache-2.0
"""

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from thinlab.analysis.simulated.equivalences import EquivalenceRate
    from thinlab.analysis.simulated.false_positives import Rate
    from thinlab.analysis.simulated.interim_rates import InterimRate
    from thinlab.clips.manifest import ManifestClip
    from thinlab.study.definition import StudyDefinition

# Of tests at 5 %.
LEAST, MOST = 0.04, 0.06
# So sure is it that a rate lies outside, and does not only seem to in so many tests.
SURE = 0.99


def simulate(
    files: "Sequence[Path]",
    clips: "Mapping[str, ManifestClip]",
    studies: int,
    seed: int,
    scale: float,
) -> bool:
    """Prints a line for each kind of finding; whether all are within the bounds."""
    from thinlab.analysis.simulated.equivalences import equivalence_rates
    from thinlab.analysis.simulated.false_positives import rates
    from thinlab.analysis.simulated.interim_rates import interim_rates

    typer.echo(
        "Found where there is nothing, at 5 %, with recordings as a sample, and without:\n"
        f"{'study':18}  {'finding':46}  {'tests':>6}  {'with':>6}  {'without':>7}"
    )
    fine = True
    definitions = _read(files, clips)
    for definition in definitions:
        for rate in rates(definition, studies, seed, scale=scale):
            typer.echo(_line(rate))
            fine = fine and _is_fine(rate)
    typer.echo(
        "\n“No difference that matters” found where there is one that just matters, at 5 %:\n"
        f"{'study':18}  {'finding':37}  {'matters':>7}  {'tests':>6}  {'found':>6}"
    )
    for definition in definitions:
        for found in equivalence_rates(definition, studies, seed, scale=scale):
            typer.echo(_equivalence_line(found))
            fine = fine and _is_within(found.found, found.tests, least=found.is_narrow)
    typer.echo(
        "\nFound at any of several looks where there is nothing, at 5 %, and were each look "
        "judged at 5 %:\n"
        f"{'study':18}  {'hypothesis':18}  {'looks':>5}  {'recordings':>10}  {'studies':>7}  "
        f"{'found':>6}  {'each at 5 %':>11}"
    )
    for definition in definitions:
        # Each is looked at up to four times, and judged as votes of people are.
        for looked in interim_rates(definition, max(1, studies // 2), seed, scale=scale):
            typer.echo(_interim_line(looked))
            fine = fine and _is_within(looked.found, looked.studies, least=looked.is_narrow)
    return fine


def _read(files: "Sequence[Path]", clips: "Mapping[str, ManifestClip]") -> "list[StudyDefinition]":
    from thinlab.study.file import StudyFileError, read
    from thinlab.trials.registry import KINDS

    try:
        return [read(file, clips, KINDS) for file in files]
    except StudyFileError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from error


def _is_fine(rate: "Rate") -> bool:
    """Whether the rate may be within the bounds; not all have to find enough."""
    return not rate.tests or _is_within(rate.found, rate.tests, least=not rate.may_find_too_little)


def _is_within(found: int, tests: int, *, least: bool) -> bool:
    from scipy import stats

    low, high = stats.binomtest(found, tests).proportion_ci(SURE)
    return bool(low <= MOST and (high >= LEAST or not least))


def _line(rate: "Rate") -> str:
    if not rate.tests:
        return f"{rate.study:18}  {rate.finding:46}  nothing is told of these"
    remark = "" if _is_fine(rate) else f"  not within {LEAST:.0%} … {MOST:.0%}"
    if not rate.generalises:
        remark += "  about these recordings only; they do not differ here"
    elif rate.may_find_too_little:
        remark += "  so few recordings of one may find too little"
    return (
        f"{rate.study:18}  {rate.finding:46}  {rate.tests:6}  "
        f"{100 * rate.found / rate.tests:4.1f} %  "
        f"{100 * rate.found_without / rate.tests:5.1f} %{remark}"
    )


def _equivalence_line(rate: "EquivalenceRate") -> str:
    fine = _is_within(rate.found, rate.tests, least=rate.is_narrow)
    remark = "" if fine else f"  not within {LEAST:.0%} … {MOST:.0%}"
    if not rate.is_narrow:
        remark += "  intervals too wide to find it as often as it may be"
    finding = f"{rate.finding} ({rate.recordings} recordings)"
    return (
        f"{rate.study:18}  {finding:37}  {rate.smallest:7g}  {rate.tests:6}  "
        f"{100 * rate.found / rate.tests:4.1f} %{remark}"
    )


def _interim_line(rate: "InterimRate") -> str:
    fine = _is_within(rate.found, rate.studies, least=rate.is_narrow)
    remark = "" if fine else f"  not within {LEAST:.0%} … {MOST:.0%}"
    if rate.recordings_differ:
        remark += "  looks are more alike than is assumed, and find less"
    if not rate.generalises:
        remark += "  about these recordings only"
    return (
        f"{rate.study:18}  {rate.hypothesis:18}  {rate.looks:5}  "
        f"{'differ' if rate.recordings_differ else 'are alike':>10}  {rate.studies:7}  "
        f"{100 * rate.found / rate.studies:4.1f} %  "
        f"{100 * rate.found_unadjusted / rate.studies:9.1f} %{remark}"
    )


Studies = Annotated[int, typer.Option(min=1, help="How many studies of each file.")]
Seed = Annotated[int, typer.Option(help="Of the whole simulation.")]
Scale = Annotated[
    float,
    typer.Option(min=0, help="How much recordings differ, as a multiple of what is stated."),
]
