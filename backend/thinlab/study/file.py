"""Reading `survey/*.yaml`: errors name the file, the line, the field and the remedy.

SPDX-License-Identifier: Apache-2.0
"""

import difflib
from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from thinlab.located_yaml import (
    Fault,
    FileFaultsError,
    LocatedDocument,
    Place,
    parse,
    path_text,
)
from thinlab.study.definition import StudyDefinition, used_clips
from thinlab.study.schema import keys_at
from thinlab.study.trial import member_conditions

# A union's branch (`trials.0.pair.clip`) is pydantic's word, not the file's: it comes
# after an index or a key whose value tells its kind itself.
TAGGED = {"scale"}
TAGS = {
    *("pair", "control", "single", "gold", "trapping"),
    *("preference", "ccr", "acr"),
    *("choice", "number", "text"),
    *("trapping_wrong", "gold_wrong", "control_difference", "straight_lining"),
    *("headphones_failed", "decision_under", "answered"),
}


class StudyFileError(FileFaultsError):
    """A study file that cannot be used, with everything that is wrong in it."""


def read(file: Path, clips: Iterable[str]) -> StudyDefinition:
    """A study file as a definition. `clips`: the names there are. Raises `StudyFileError`."""
    document = _parse(file)
    try:
        definition = StudyDefinition.model_validate(document.data)
    except ValidationError as error:
        raise StudyFileError([_explain(document, one) for one in error.errors()]) from error
    faults = [
        *_unknown_conditions(document, definition),
        *_unknown_clips(document, definition, clips),
    ]
    if faults:
        raise StudyFileError(faults)
    return definition


def read_all(folder: Path, clips: Iterable[str]) -> list[StudyDefinition]:
    """Every `*.yaml` of a folder, by name. Raises `StudyFileError` with the faults of all."""
    known = list(clips)
    files = sorted(folder.glob("*.yaml"))
    definitions: list[StudyDefinition] = []
    owners: dict[str, Path] = {}
    faults: list[Fault] = []
    if not files:
        faults.append(Fault(folder, 0, "", "no study file here", "Add a .yaml file"))
    for file in files:
        try:
            definition = read(file, known)
        except StudyFileError as error:
            faults.extend(error.faults)
            continue
        if definition.slug in owners:
            other = owners[definition.slug].name
            faults.append(
                Fault(file, 1, "slug", f"`{definition.slug}` is {other}'s", "Choose another slug")
            )
        owners[definition.slug] = file
        definitions.append(definition)
    if faults:
        raise StudyFileError(faults)
    return definitions


def _parse(file: Path) -> LocatedDocument:
    try:
        return parse(file, "survey/demo.yaml")
    except FileFaultsError as error:
        raise StudyFileError(error.faults) from error


def _explain(document: LocatedDocument, error: ErrorDetails) -> Fault:
    before = (None, *error["loc"])
    place = tuple(
        part
        for part, last in zip(error["loc"], before, strict=False)
        if not (part in TAGS and (isinstance(last, int) or last in TAGGED))
    )
    message, remedy = error["msg"].removeprefix("Value error, "), ""
    match error["type"]:
        case "extra_forbidden":
            message, remedy = "unknown key", _nearest(place)
        case "missing":
            message, remedy = "missing", f"Add `{place[-1]}:`"
            return Fault(
                document.file, document.line_of(place[:-1]), path_text(place), message, remedy
            )
        case "enum" | "literal_error":
            message = f"`{error['input']}` is not known"
            remedy = f"Use one of {error['ctx']['expected']}"
        case "union_tag_invalid":
            message, remedy = (
                f"unknown kind `{error['ctx']['tag']}`",
                f"Use one of {error['ctx']['expected_tags']}",
            )
        case "union_tag_not_found":
            message, remedy = "`kind` is missing", "Add `kind:`"
        case "string_pattern_mismatch":
            message, remedy = f"`{error['input']}` is not a name", "Use a-z, 0-9, `-` and `_`"
    return Fault(document.file, document.line_of(place), path_text(place), message, remedy)


def _nearest(place: Place) -> str:
    near = difflib.get_close_matches(str(place[-1]), keys_at(place[:-1]), n=1)
    return f"Did you mean `{near[0]}`?" if near else "Remove it"


def _unknown_conditions(document: LocatedDocument, definition: StudyDefinition) -> list[Fault]:
    faults = []
    for number, block in enumerate(definition.blocks):
        for index, trial in enumerate(block.trials):
            for name in member_conditions(trial):
                if name not in definition.conditions:
                    place: Place = ("blocks", number, "trials", index)
                    known = sorted(definition.conditions)
                    faults.append(_unknown(document, place, "condition", name, known))
    return faults


def _unknown_clips(
    document: LocatedDocument, definition: StudyDefinition, clips: Iterable[str]
) -> list[Fault]:
    known = sorted(clips)
    if used_clips(definition) <= set(known):
        return []
    places: list[tuple[Place, str]] = [(("sound_check",), definition.sound_check)]
    places += [
        (("blocks", number, "trials", index, "clip"), trial.clip)
        for number, block in enumerate(definition.blocks)
        for index, trial in enumerate(block.trials)
    ]
    return [
        _unknown(document, place, "clip", name, known)
        for place, name in places
        if name not in known
    ]


def _unknown(
    document: LocatedDocument, place: Place, what: str, name: str, known: list[str]
) -> Fault:
    return Fault(
        document.file,
        document.line_of(place),
        path_text(place),
        f"no {what} is called `{name}`",
        f"There are: {', '.join(known) or 'none'}",
    )
