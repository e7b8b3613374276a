"""What an experiment is read with: the folder of its files, and which of them it has read.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationInfo


@dataclass(frozen=True)
class Beside:
    """The context of validation. Without it a definition holds what its files said already."""

    folder: Path
    # A bundle that left one of them out could not be run again.
    names: set[str] = field(default_factory=set[str])

    @staticmethod
    def of(info: ValidationInfo) -> "Beside | None":
        """The one that a definition is validated with, if any."""
        context = info.context
        return context if isinstance(context, Beside) else None
