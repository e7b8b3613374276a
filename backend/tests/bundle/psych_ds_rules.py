"""The rules of Psych-DS 1.5.1 that decide whether a folder is a valid dataset.

From the published schema (https://github.com/psych-ds/psych-DS, schema_model/versions/jsons/1.5.1).
The validator that its authors offer, `psychds-validator`, is not in the npm registry.

SPDX-License-Identifier: Apache-2.0
"""

import csv
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DATA_FILE = re.compile(r"([a-z]+-[a-zA-Z0-9]+)(_[a-z]+-[a-zA-Z0-9]+)*_data\.csv")
KEYWORDS = {
    "study", "site", "subject", "session", "task", "condition", "trial", "stimulus", "description",
}  # fmt: skip
REQUIRED = ("name", "description", "variableMeasured")


def faults(folder: Path) -> Iterator[str]:
    """What of it is against the rules; nothing where it is valid."""
    described = _read(folder / "dataset_description.json")
    if "schema.org" not in str(described.get("@context")) or described.get("@type") != "Dataset":
        yield "dataset_description.json: no schema.org Dataset"
    data = folder / "data"
    if not data.is_dir():
        yield "data: missing"
    files = sorted(data.rglob("*.csv"))
    if not files:
        yield "data: no CSV file"
    for file in files:
        yield from _of_file(file, described)
    for place in folder.rglob("*"):
        if place.is_file() and place.stat().st_size == 0:
            yield f"{place.name}: empty"
        if place.suffix == ".json":
            _read(place)


def _of_file(file: Path, described: dict[str, Any]) -> Iterator[str]:
    if not DATA_FILE.fullmatch(file.name):
        yield f"{file.name}: not named by keywords"
    for pair in file.name.removesuffix("_data.csv").split("_"):
        if pair.partition("-")[0] not in KEYWORDS:
            yield f"{file.name}: {pair} is no official keyword"
    sidecar = file.with_suffix(".json")
    # What is nearer to the file replaces the whole value.
    compiled = {**described, **(_read(sidecar) if sidecar.exists() else {})}
    yield from (f"{file.name}: no {name}" for name in REQUIRED if not compiled.get(name))
    known = [one if isinstance(one, str) else one["name"] for one in compiled["variableMeasured"]]
    with file.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(lines, strict=True))
    header = rows[0] if rows else []
    if not header or len(set(header)) < len(header):
        yield f"{file.name}: no header, or a name twice"
    yield from (f"{file.name}: {name} is not described" for name in header if name not in known)
    if any(len(row) != len(header) for row in rows):
        yield f"{file.name}: rows of another length than the header"
    if "row_id" in header:
        ids = [row[header.index("row_id")] for row in rows[1:]]
        if len(set(ids)) < len(ids):
            yield f"{file.name}: row_id is not unique"


def _read(file: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found
