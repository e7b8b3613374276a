"""A session's result as flat columns, for the database and the export.

A column's name is the path of field names in `lab.proto`, joined by `_`; the
trace metrics' own prefix is left out. What older recordings lack is empty. Lists
stay in the JSON: curves, the timeline, and counters, whose names are the kernel's.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from types import UnionType
from typing import get_args

from pydantic import BaseModel

from thinlab.recording.metrics import SessionResult

LEFT_IN_JSON = frozenset({"cdf", "counters", "receiver_counters", "playout_events"})
NUMBERS: dict[object, type[int] | type[float]] = {int: int, float: float}
# Sections whose name says all.
UNNAMED = {"check", "metrics", "felt", "playout"}
UNIT_OF_ENDING = {"_us": "µs", "_ms": "ms", "_ns": "ns", "_bytes": "bytes"}


@dataclass(frozen=True)
class MetricColumn:
    """One number of a session's result."""

    name: str
    path: tuple[str, ...]
    """Field names from `SessionResult` down."""
    kind: type[int] | type[float]
    nullable: bool
    """Whether recordings may lack it: older ones, or those of another kernel."""
    meaning: str
    """Descriptions of the fields on the path, from the outside in."""

    @property
    def unit(self) -> str:
        """As the name says it."""
        name = self.path[-1]
        if "share" in name.split("_"):
            return "share"
        if name.startswith("bytes_"):
            return "bytes"
        units = (unit for ending, unit in UNIT_OF_ENDING.items() if name.endswith(ending))
        return next(units, "count")


def leaves(
    model: type[BaseModel],
    path: tuple[str, ...] = (),
    meanings: tuple[str, ...] = (),
    *,
    nullable: bool = False,
    left_out: AbstractSet[str] = LEFT_IN_JSON,
) -> Iterator[MetricColumn]:
    """Every number of a message, from the outside in, but those of the fields left out."""
    for name, field in model.model_fields.items():
        if name in left_out:
            continue
        kind, optional = _without_none(field.annotation)
        lacking = nullable or optional
        here = (*path, name)
        said = meanings if name in UNNAMED else (*meanings, field.description or "")
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from leaves(kind, here, said, nullable=lacking, left_out=left_out)
        elif kind in NUMBERS:
            column = "_".join(part for part in here if part != "metrics")
            yield MetricColumn(column, here, NUMBERS[kind], lacking, ": ".join(said))
        else:
            raise TypeError(f"{'.'.join(here)}: neither a number nor a message")


def _without_none(annotation: object) -> tuple[object, bool]:
    """`int` and true of `int | None`."""
    if not isinstance(annotation, UnionType):
        return annotation, False
    (kind,) = (one for one in get_args(annotation) if one is not type(None))
    return kind, True


METRIC_COLUMNS = tuple(leaves(SessionResult))


def flatten(result: SessionResult) -> dict[str, int | float | None]:
    """One value for each of `METRIC_COLUMNS`."""
    return {column.name: _value(result, column) for column in METRIC_COLUMNS}


def _value(result: SessionResult, column: MetricColumn) -> int | float | None:
    value: object = result
    for name in column.path:
        value = getattr(value, name, None)
    if not isinstance(value, int | float | None):
        raise TypeError(column.name)
    return value
