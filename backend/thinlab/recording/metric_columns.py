"""A session's result as flat columns, for the database and the export.

A column's name is the path of field names in `lab.proto`, joined by `_`; the
trace metrics' own prefix is left out. Curves, counters and what older recordings
lack stay in the JSON.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import BaseModel

from thinlab.recording.metrics import SessionResult

LEFT_IN_JSON = {
    "cdf",
    "counters",
    "receiver_counters",
    "tcp_info",
    "copies",
    "share_later_than_50_ms",
}
NUMBERS: dict[object, type[int] | type[float]] = {int: int, float: float}
# Sections whose name says all.
UNNAMED = {"check", "metrics", "felt", "playout"}
# Longest first where one ends in another; a share of time is a share.
UNITS = {
    "_share": "share",
    "share_later": "share",
    "_us": "µs",
    "_ms": "ms",
    "_ns": "ns",
    "_bytes": "bytes",
}


@dataclass(frozen=True)
class MetricColumn:
    """One number of a session's result."""

    name: str
    path: tuple[str, ...]
    """Field names from `SessionResult` down."""
    kind: type[int] | type[float]
    meaning: str
    """Descriptions of the fields on the path, from the outside in."""

    @property
    def unit(self) -> str:
        """As the name says it."""
        for ending, unit in UNITS.items():
            if ending in self.path[-1]:
                return unit
        return "count"


def _leaves(
    model: type[BaseModel], path: tuple[str, ...], meanings: tuple[str, ...]
) -> Iterator[MetricColumn]:
    for name, field in model.model_fields.items():
        kind = field.annotation
        if name in LEFT_IN_JSON:
            continue
        here = (*path, name)
        said = meanings if name in UNNAMED else (*meanings, field.description or "")
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from _leaves(kind, here, said)
        elif kind in NUMBERS:
            column = "_".join(part for part in here if part != "metrics")
            yield MetricColumn(column, here, NUMBERS[kind], ": ".join(said))
        else:
            raise TypeError(f"{'.'.join(here)}: neither a number nor a message")


METRIC_COLUMNS = tuple(_leaves(SessionResult, (), ()))


def flatten(result: SessionResult) -> dict[str, int | float]:
    """One value for each of `METRIC_COLUMNS`."""
    return {column.name: _value(result, column) for column in METRIC_COLUMNS}


def _value(result: SessionResult, column: MetricColumn) -> int | float:
    value: object = result
    for name in column.path:
        value = getattr(value, name)
    if not isinstance(value, int | float):
        raise TypeError(column.name)
    return value
