"""Reading `survey/*.yaml`: errors name the file, the line, the field and the remedy.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError

from thinlab.clips.manifest import ManifestClip
from thinlab.located_yaml import Fault, FileFaultsError, LocatedDocument, Place, parse
from thinlab.study import played
from thinlab.study.consistency import inconsistencies
from thinlab.study.definition import StudyDefinition
from thinlab.study.heard_share import FROM_A_FILE
from thinlab.study.kind import Kinds
from thinlab.study.schema import keys_at
from thinlab.type_faults import explain

EXAMPLE = "survey/demo.yaml"


class StudyFileError(FileFaultsError):
    """A study file that cannot be used, with everything that is wrong in it."""


def read(file: Path, clips: Mapping[str, ManifestClip], kinds: Kinds) -> StudyDefinition:
    """A study file as a definition. `clips`: those there are. Raises `StudyFileError`."""
    document = _parse(file)
    try:
        definition = StudyDefinition.model_validate(document.data, context=FROM_A_FILE)
    except ValidationError as error:
        raise StudyFileError(_explained(document, error)) from error
    faults = [
        document.fault(one.place, one.message, one.remedy)
        for one in inconsistencies(definition, clips, kinds)
    ]
    if faults:
        raise StudyFileError(sorted(faults, key=lambda fault: fault.line))
    return definition


def read_all(
    folder: Path, clips: Mapping[str, ManifestClip], kinds: Kinds
) -> list[StudyDefinition]:
    """Every `*.yaml` of a folder, by name. Raises `StudyFileError` with the faults of all."""
    files = sorted(folder.glob("*.yaml"))
    definitions: list[StudyDefinition] = []
    owners: dict[str, Path] = {}
    faults: list[Fault] = []
    if not files:
        faults.append(Fault(folder, 0, "", "no study file here", "Add a .yaml file"))
    for file in files:
        try:
            definition = read(file, clips, kinds)
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
    faults += _told_elsewhere(definitions, owners)
    if faults:
        raise StudyFileError(faults)
    return definitions


def _told_elsewhere(
    definitions: Sequence[StudyDefinition], owners: Mapping[str, Path]
) -> Iterator[Fault]:
    """Recordings that one study plays to everybody, with a name, and another one blind."""
    for definition in definitions:
        everybody_hears = played.named(definition)
        for other in definitions if everybody_hears else ():
            if other.slug == definition.slug:
                continue
            for trial_id, one in played.blind(other):
                if one in everybody_hears:
                    yield Fault(
                        owners[definition.slug],
                        1,
                        "sample.seed",
                        f"trial `{trial_id}` of {owners[other.slug].name} plays this recording, to "
                        "listeners who must not know it",
                        "Choose another seed",
                    )
                    break


def _parse(file: Path) -> LocatedDocument:
    try:
        return parse(file, EXAMPLE)
    except FileFaultsError as error:
        raise StudyFileError(error.faults) from error


def _explained(document: LocatedDocument, error: ValidationError) -> list[Fault]:
    def keys(place: Place) -> list[str]:
        return keys_at(place, document.data)

    faults = explain(document, error.errors(), keys)
    return sorted(faults, key=lambda fault: fault.line)
