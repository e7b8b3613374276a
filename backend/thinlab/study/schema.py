"""The study file's JSON Schema, generated from the definition's types.

SPDX-License-Identifier: Apache-2.0
"""

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from thinlab.study.definition import StudyDefinition


@cache
def json_schema() -> dict[str, Any]:
    """The schema, for editors and for people who write studies."""
    schema = StudyDefinition.model_json_schema()
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def text() -> str:
    """The schema as it is committed: survey/study.schema.json."""
    return json.dumps(json_schema(), indent=2, ensure_ascii=False) + "\n"


def keys_at(place: Sequence[str | int], data: object) -> list[str]:
    """The keys that the schema allows at a place of a study file with this content."""
    schema = json_schema()
    here: Any = data
    nodes = [schema]
    for part in place:
        here = _value(here, part)
        nodes = [child for node in nodes for child in _children(schema, node, part, here)]
    return sorted({key for node in nodes for key in node.get("properties", {})})


def _value(here: object, part: str | int) -> object:
    if isinstance(here, dict):
        return here.get(part)
    return here[part] if isinstance(here, list) and isinstance(part, int) else None


def _children(
    schema: dict[str, Any], node: dict[str, Any], part: str | int, value: object
) -> list[dict[str, Any]]:
    if isinstance(part, int):
        inner = node.get("items", {})
    else:
        inner = node.get("properties", {}).get(part) or node.get("additionalProperties", {})
        # Names of conditions are checked by a pattern: pydantic lists them apart.
        inner = inner or next(iter(node.get("patternProperties", {}).values()), {})
    return _alternatives(schema, inner, value)


def _alternatives(
    schema: dict[str, Any], node: dict[str, Any], value: object
) -> list[dict[str, Any]]:
    """A node with its references and unions resolved; by `kind` where the value has one."""
    if "$ref" in node:
        name = node["$ref"].rsplit("/", 1)[-1]
        return _alternatives(schema, schema["$defs"][name], value)
    branches = node.get("oneOf", []) + node.get("anyOf", [])
    if "discriminator" in node and isinstance(value, dict):
        tag = value.get(node["discriminator"]["propertyName"])
        chosen = node["discriminator"]["mapping"].get(tag) if isinstance(tag, str) else None
        branches = [{"$ref": chosen}] if chosen else branches
    return [one for branch in branches for one in _alternatives(schema, branch, value)] or [node]
