"""What a test of hearing tells of somebody.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Fact:
    """A field of a test's outcome, and a column of the participants' export."""

    name: str
    kind: Literal["count", "number", "yes"]
    meaning: str
    unit: str = ""
    """Of a number."""
