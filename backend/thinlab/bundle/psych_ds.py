"""Psych-DS 1.5: how files are named, and the metadata beside them, which is schema.org's JSON-LD.

The specification is at https://psych-ds.github.io/; docs/export.md says which of its rules a test
checks.

SPDX-License-Identifier: Apache-2.0
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from thinlab.export.column import Column

CONTEXT = "https://schema.org/"
VERSION = "Psych-DS 1.5.1"


def data_name(slug: str, table: str, ending: str) -> str:
    """Keywords and values, joined by hyphens and underscores; a value has letters and digits.

    >>> data_name("p800-ccr", "typing-sessions", "csv")
    'study-p800ccr_description-typingsessions_data.csv'
    """
    study, description = (re.sub(r"[^a-zA-Z0-9]", "", word) for word in (slug, table))
    return f"study-{study}_description-{description}_data.{ending}"


def write_sidecar(
    folder: Path, slug: str, table: str, meaning: str, columns: Sequence[Column[Any]]
) -> None:
    """What a CSV file holds and what its columns mean, under its own name."""
    content = {"description": meaning, "variableMeasured": _variables(columns)}
    (folder / data_name(slug, table, "json")).write_text(_json(content), encoding="utf-8")


def write_description(
    folder: Path, described: Mapping[str, Any], columns: Iterable[Sequence[Column[Any]]]
) -> None:
    """`dataset_description.json`: `described` are properties of a schema.org Dataset."""
    # A name that several tables have means in each what its sidecar says.
    known = {column.name: column for its in columns for column in its}
    content = {
        "@context": CONTEXT,
        "@type": "Dataset",
        "schemaVersion": VERSION,
        **{name: value for name, value in described.items() if value},
        "variableMeasured": _variables(list(known.values())),
    }
    (folder / "dataset_description.json").write_text(_json(content), encoding="utf-8")


def _variables(columns: Sequence[Column[Any]]) -> list[dict[str, str]]:
    return [
        {
            "@type": "PropertyValue",
            "name": column.name,
            "description": column.meaning,
            **({"unitText": column.unit} if column.unit else {}),
        }
        for column in columns
    ]


def _json(content: Mapping[str, Any]) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"
