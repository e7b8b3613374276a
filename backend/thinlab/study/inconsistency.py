"""Two things in a study that do not fit together.

SPDX-License-Identifier: Apache-2.0
"""

import difflib
from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True)
class Inconsistency:
    """Where it shows, what it is, and what to do about it."""

    place: tuple[str | int, ...]
    message: str
    remedy: str


def unknown(
    place: tuple[str | int, ...], what: str, name: str, known: Collection[str]
) -> Inconsistency:
    """A name that names nothing."""
    near = difflib.get_close_matches(name, known, n=1)
    listed = ", ".join(sorted(known)) or "none"
    remedy = f"Did you mean `{near[0]}`? There are: {listed}" if near else f"There are: {listed}"
    return Inconsistency(place, f"no {what} is called `{name}`", remedy)
