"""One recording as the export of votes has it.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from thinlab.database.schema import PredictedQuality, Recording
from thinlab.export.column import Cell
from thinlab.export.entry import Experienced


@dataclass(frozen=True)
class Heard(Experienced):
    """One recording of a presentation."""

    row: Recording
    metrics: Mapping[str, int | float | None]
    """Of its session, by the columns' names."""
    predicted: PredictedQuality | None
    cells: dict[str, Cell] = field(default_factory=dict, compare=False)
    """Of its columns, once worked out: many votes are about one recording."""

    @property
    def content(self) -> str:
        """Of the WAV file."""
        return self.row.audio_sha256

    def is_one_with(self, other: Experienced) -> bool:
        """Whether both are the same file."""
        return isinstance(other, Heard) and self.row.id == other.row.id
