"""Reading `experiments/*.yaml`: errors name the file, the line, the field and the remedy.

SPDX-License-Identifier: Apache-2.0
"""

import difflib
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from thinlab.condition.transport import Bundling, Sctp, Tcp, UdpLite
from thinlab.condition.written import WrittenDirection, WrittenPath
from thinlab.experiment import definition as types
from thinlab.experiment.beside import Beside
from thinlab.experiment.definition import ExperimentDefinition
from thinlab.experiment.flows import FlowGroup
from thinlab.experiment.metrics import METRICS
from thinlab.experiment.over_time import OverTime, WayOverTime
from thinlab.experiment.published import Published
from thinlab.experiment.stream import (
    BulkStream,
    DrawnStream,
    ReplayStream,
    Stream,
    SyntheticStream,
)
from thinlab.experiment.where import Where
from thinlab.located_yaml import (
    Fault,
    FileFaultsError,
    LocatedDocument,
    Place,
    parse,
    path_text,
)

Model = TypeVar("Model", bound=BaseModel)

EXAMPLE = "backend/experiments/loss-sweep.yaml"
CHECKS: dict[str, type[BaseModel]] = {
    "as_published": types.AsPublished,
    "against_off": types.AgainstOff,
    "at_least": types.AtLeast,
    "bundle_arithmetic": types.BundleArithmetic,
    "crossing": types.Crossing,
    "linear_times": types.LinearTimes,
}

STREAMS: dict[tuple[str, ...], type[BaseModel]] = {
    (): Stream,
    ("synthetic",): SyntheticStream,
    ("drawn",): DrawnStream,
    ("bulk",): BulkStream,
    ("replay",): ReplayStream,
}
IN_GRIDS: dict[tuple[str, ...], type[BaseModel]] = {
    (): types.Grid,
    ("bundling",): Bundling,
    ("tcp",): Tcp,
    ("sctp",): Sctp,
    ("udp_lite",): UdpLite,
    ("path",): WrittenPath,
    ("path", "forward"): WrittenDirection,
    ("path", "backward"): WrittenDirection,
    ("over_time",): OverTime,
    ("over_time", "forward"): WayOverTime,
    ("over_time", "backward"): WayOverTime,
    ("flows",): FlowGroup,
    **{
        ("flows", way, *inside): part
        for way in ("stream", "back")
        for inside, part in STREAMS.items()
    },
}


def read(file: Path) -> tuple[ExperimentDefinition, Published | None]:
    """An experiment and the figures to put beside it. Raises `FileFaultsError`."""
    document = parse(file, EXAMPLE)
    experiment = _validate(document, ExperimentDefinition)
    faults = _unknown_metrics(document, experiment)
    published = None
    if experiment.published is not None:
        published, missing = _published(document, experiment.published)
        faults += missing
    if faults:
        raise FileFaultsError(faults)
    return experiment, published


def read_along(file: Path) -> list[str]:
    """Names of the files beside an experiment that it says something in: what it cannot do without.

    Raises `FileFaultsError`.
    """
    document = parse(file, EXAMPLE)
    beside = Beside(document.file.parent)
    experiment = _validate(document, ExperimentDefinition, beside)
    return sorted(beside.names | ({experiment.published} if experiment.published else set()))


def _validate(document: LocatedDocument, model: type[Model], beside: Beside | None = None) -> Model:
    """Reads along what stands in files beside it, and notes their names."""
    context = beside or Beside(document.file.parent)
    try:
        return model.model_validate(document.data, context=context)
    except ValidationError as error:
        faults = [_explain(document, model, one) for one in _said_once(error.errors())]
        raise FileFaultsError(faults) from error


def _said_once(errors: list[ErrorDetails]) -> list[ErrorDetails]:
    """Without a list's being too short where what is wrong is one of its values."""

    def has_other_within(error: ErrorDetails) -> bool:
        place = error["loc"]
        return any(one["loc"][: len(place)] == place for one in errors if one is not error)

    return [one for one in errors if one["type"] != "too_short" or not has_other_within(one)]


def _published(document: LocatedDocument, name: str) -> tuple[Published | None, list[Fault]]:
    def wrong(problem: str, remedy: str) -> tuple[None, list[Fault]]:
        line = document.line_of(("published",))
        return None, [Fault(document.file, line, "published", problem, remedy)]

    file = document.file.parent / name
    if Path(name).is_absolute() or ".." in Path(name).parts:
        return wrong(
            f"{name} leads out of this file's folder",
            "Name one beside this file, or in a folder beside it",
        )
    if not file.is_file():
        return wrong(f"there is no file {file}", "Name one beside this file, or remove the line")
    return _validate(parse(file, EXAMPLE), Published), []


def _unknown_metrics(document: LocatedDocument, experiment: ExperimentDefinition) -> list[Fault]:
    named: list[tuple[Place, str]] = [
        ((key, index), name)
        for key in ("columns", "panels")
        for index, name in enumerate(getattr(experiment, key))
    ]
    for index, check in enumerate(experiment.checks):
        for key in ("metric", "of"):
            metric = getattr(check, key, None)
            if metric is not None:
                named.append((("checks", index, key), metric))
    for index, figure in enumerate(experiment.figures):
        named += [(("figures", index, key), name) for key, name in figure.metrics.items()]
    return [
        Fault(
            document.file,
            document.line_of(place),
            path_text(place),
            f"no metric is called `{name}`",
            _nearest(name, METRICS),
        )
        for place, name in named
        if name not in METRICS
    ]


def _explain(document: LocatedDocument, model: type[BaseModel], error: ErrorDetails) -> Fault:
    place = _place_in_file(document.data, error["loc"])
    message, remedy = error["msg"].removeprefix("Value error, "), ""
    match error["type"]:
        case "extra_forbidden":
            message = "unknown key"
            remedy = _nearest(str(place[-1]), _keys(model, error["loc"][:-1]))
        case "missing":
            line = document.line_of(place[:-1])
            remedy = f"Add `{place[-1]}:`"
            return Fault(document.file, line, path_text(place), "missing", remedy)
        case "enum" | "literal_error":
            message = f"`{error['input']}` is not known"
            remedy = f"Use one of {error['ctx']['expected']}"
        case "union_tag_invalid":
            message = f"unknown check `{error['ctx']['tag']}`"
            remedy = f"Use one of {', '.join(CHECKS)}"
        case "union_tag_not_found":
            message, remedy = "`check` is missing", f"Add `check:` and one of {', '.join(CHECKS)}"
        case "string_pattern_mismatch":
            message, remedy = f"`{error['input']}` is not a name", "Use a-z, 0-9, `-` and `_`"
        case "less_than_equal" | "greater_than_equal" | "greater_than" | "less_than":
            message = f"{message}, and is {error['input']}"
            remedy = _in_numbers(place)
        case "float_parsing" | "float_type" | "int_parsing" | "int_type" | "int_from_float":
            remedy = _in_numbers(place)
        case "too_short":
            message, remedy = "an axis without values", "Give one value or a list of them"
    return Fault(document.file, document.line_of(place), path_text(place), message, remedy)


def _in_numbers(place: Place) -> str:
    """How to write a value, by the unit in its name."""
    names = [part for part in place if isinstance(part, str)]
    if names and names[-1].endswith("_share"):
        return "A share is from 0 to 1: write 2 % as 0.02"
    if names and names[-1].endswith("_ms"):
        return "Give milliseconds, without unit"
    return "Give a number within these limits"


def _place_in_file(data: object, location: Place) -> Place:
    """Pydantic's location without what only its types have: tags, and indexes of single values."""
    place: list[str | int] = []
    here: Any = data
    for index, part in enumerate(location):
        last = index == len(location) - 1
        if isinstance(here, dict) and (part in here or last):
            here = here.get(part)
        elif isinstance(here, list) and isinstance(part, int) and part < len(here):
            here = here[part]
        else:
            continue
        place.append(part)
    return tuple(place)


def _keys(model: type[BaseModel], location: Place) -> list[str]:
    """The keys that may stand at a place."""
    match [part for part in location if isinstance(part, str)]:
        case []:
            return list(model.model_fields)
        case ["checks", tag]:
            return list(CHECKS[tag].model_fields)
        case ["checks", _, "where"]:
            return list(Where.model_fields)
        case ["grids", *inside]:
            part = IN_GRIDS.get(tuple(inside))
            return list(part.model_fields) if part else []
    return []


def _nearest(name: str, known: Any) -> str:  # noqa: ANN401 (any collection of names)
    near = difflib.get_close_matches(name, known, n=1)
    if near:
        return f"Did you mean `{near[0]}`?"
    return f"There are: {', '.join(known)}" if known else "Remove it"
