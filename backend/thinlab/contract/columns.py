"""A result as flat columns, for exports and tables; and its lists apart from its numbers.

A column's name is the path of field names in `lab.proto`, joined by `_`; the
trace metrics' own prefix is left out. What older results lack is empty. Lists
are no columns: curves, the timeline, and counters, whose names are the kernel's.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from types import UnionType
from typing import Any, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from thinlab.contract.generated.results import SessionResult

NUMBERS: dict[object, type[int] | type[float]] = {int: int, float: float}
UNIT_OF_ENDING = {"_us": "µs", "_ms": "ms", "_ns": "ns", "_bytes": "bytes"}

Flat = dict[str, int | float | None]


@dataclass(frozen=True)
class MetricColumn:
    """One number of a result."""

    name: str
    path: tuple[str, ...]
    """Field names from the result down."""
    kind: type[int] | type[float]
    nullable: bool
    """Whether results may lack it: older ones, or those of another kernel."""
    title: str
    """Titles of the fields on the path, from the outside in."""
    meaning: str
    """Descriptions of the fields on the path, from the outside in."""
    unit: str
    source: str
    """Who says so; empty where the type does not tell."""


def leaves(
    model: type[BaseModel],
    path: tuple[str, ...] = (),
    above: tuple[FieldInfo, ...] = (),
    *,
    nullable: bool = False,
    left_out: AbstractSet[str] = frozenset(),
) -> Iterator[MetricColumn]:
    """Every number of a result, from the outside in, but lists and the fields left out."""
    for name, field in model.model_fields.items():
        kind, optional = _without_none(field.annotation)
        if name in left_out or get_origin(kind) is list:
            continue
        lacking = nullable or optional
        here = (*path, name)
        # A part whose fields say all has no description of its own.
        said = (*above, field) if field.description else above
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from leaves(kind, here, said, nullable=lacking, left_out=left_out)
        elif kind in NUMBERS:
            column = "_".join(part for part in here if part != "metrics")
            unit, source = _unit_and_source(name, field)
            title = _title(one.title or "" for one in said)
            meaning = ": ".join(one.description or "" for one in said)
            yield MetricColumn(column, here, NUMBERS[kind], lacking, title, meaning, unit, source)
        else:
            raise TypeError(f"{'.'.join(here)}: neither a number nor a message")


def _title(titles: Iterable[str]) -> str:
    """`Application latency, by message, median`; names and abbreviations keep their capitals."""
    first, *others = titles
    lowered = (one if one[1:2].isupper() else one[:1].lower() + one[1:] for one in others)
    return ", ".join([first, *lowered])


def _without_none(annotation: object) -> tuple[object, bool]:
    """`int` and true of `int | None`."""
    if not isinstance(annotation, UnionType):
        return annotation, False
    (kind,) = (one for one in get_args(annotation) if one is not type(None))
    return kind, True


def _unit_and_source(name: str, field: FieldInfo) -> tuple[str, str]:
    """As the contract says; of types of the backend's own, the unit is in the name."""
    extra = field.json_schema_extra
    if isinstance(extra, dict) and "x-unit" in extra:
        return str(extra["x-unit"]), str(extra["x-source"])
    if "share" in name.split("_"):
        return "share", ""
    units = (unit for ending, unit in UNIT_OF_ENDING.items() if name.endswith(ending))
    return next(units, "count"), ""


SESSION_COLUMNS = tuple(leaves(SessionResult))


def named(columns: Iterable[MetricColumn], *names: str) -> tuple[MetricColumn, ...]:
    """The columns of these names, in this order. Raises `KeyError` for what is not measured."""
    by_name = {column.name: column for column in columns}
    return tuple(by_name[name] for name in names)


def flatten(columns: tuple[MetricColumn, ...], result: Mapping[str, Any]) -> Flat:
    """One value for each column, none where the result has none."""
    parts: dict[tuple[str, ...], Mapping[str, Any]] = {(): result}
    flat: Flat = {}
    for column in columns:
        part = _part(parts, column.path[:-1])
        value = part.get(column.path[-1])
        # JSON does not tell 5 from 5.0.
        flat[column.name] = None if value is None else column.kind(value)
    return flat


def _part(
    parts: dict[tuple[str, ...], Mapping[str, Any]], path: tuple[str, ...]
) -> Mapping[str, Any]:
    """The part of a result at a path; nothing where the result lacks it."""
    found = parts.get(path)
    if found is None:
        found = parts[path] = _part(parts, path[:-1]).get(path[-1]) or {}
    return found


def apart(result: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """A result without its lists, and these by their paths, joined by `.`."""
    numbers: dict[str, Any] = {}
    series: dict[str, Any] = {}
    for name, value in result.items():
        if isinstance(value, list):
            series[name] = value
        elif isinstance(value, Mapping):
            numbers[name], inner = apart(value)
            series |= {f"{name}.{path}": one for path, one in inner.items()}
        else:
            numbers[name] = value
    return numbers, series


def together(numbers: Mapping[str, Any], series: Mapping[str, Any]) -> dict[str, Any]:
    """The result that was taken apart."""
    whole = _copied(numbers)
    for path, one in series.items():
        *outer, name = path.split(".")
        part = whole
        for step in outer:
            part = part[step]
        part[name] = one
    return whole


def _copied(part: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: _copied(value) if isinstance(value, Mapping) else value
        for name, value in part.items()
    }
