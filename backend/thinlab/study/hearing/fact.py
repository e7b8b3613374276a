"""What a test of hearing tells of somebody.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class Fact:
    """A field of a test's outcome, and a column of the participants' export."""

    name: str
    kind: Literal["count", "number", "yes"]
    meaning: str
    unit: str = ""
    """Of a number."""


def told(outcome: Mapping[str, Any]) -> str:
    """The outcome of a test in words: a threshold where there is one, else what was right.

    >>> told({"srt_db": -7.2, "correct": 11, "of": 23}), told({"correct": 10, "of": 12})
    ('threshold −7.2 dB', '10 of 12')
    """
    if "srt_db" in outcome:
        return f"threshold {outcome['srt_db']:.1f} dB".replace("-", "−")
    return f"{outcome['correct']} of {outcome['of']}"
