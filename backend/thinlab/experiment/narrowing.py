"""An experiment made smaller from the command line.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

from pydantic import ValidationError

from thinlab.condition.transport import MODE_NAMES, mechanisms_of, mode_of
from thinlab.experiment.definition import ExperimentDefinition


class NarrowingError(Exception):
    """An option that leaves nothing, or that does not fit the experiment."""


def narrowed(
    experiment: ExperimentDefinition,
    runs: int | None,
    minutes: float | None,
    modes: Sequence[str] | None,
) -> ExperimentDefinition:
    """The experiment with other runs, other minutes, or only some modes."""
    grids = experiment.grids
    if modes:
        wanted = [_resolved(mode) for mode in modes]
        grids = tuple(
            grid.model_copy(update={"mode": kept})
            for grid in grids
            if (kept := tuple(mode for mode in grid.mode if mode in wanted))
        )
        if not grids:
            raise NarrowingError(f"--mode: {experiment.name} has none of {', '.join(modes)}")
    try:
        return ExperimentDefinition.model_validate(
            {
                **dict(experiment),
                "grids": grids,
                "runs": runs or experiment.runs,
                "minutes": minutes or experiment.minutes,
            }
        )
    except ValidationError as error:
        fault = error.errors()[0]
        named = "".join(f"{part}: " for part in fault["loc"])
        raise NarrowingError(named + fault["msg"].removeprefix("Value error, ")) from error


def _resolved(mode: str) -> str:
    try:
        return mode_of(mechanisms_of(mode))
    except ValueError as error:
        named = f"use one of {', '.join(MODE_NAMES)}, or several mechanisms joined by +"
        raise NarrowingError(f"--mode {mode}: {named}") from error
