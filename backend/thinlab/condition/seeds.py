"""The rule of seeds: what is compared meets the same fate, packet by packet.

A seed decides which packets the emulator loses, delays and damages. Conditions
that are compared share it, so that the n-th packet fares alike in each; every
run has another one.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import json
import secrets
from collections.abc import Sequence
from typing import Annotated

from pydantic import Field

Seed = Annotated[
    int, Field(ge=0, lt=2**53, description="Of the emulator's randomness in the first run.")
]


def of_members(seed: int, run: int, members: int, *, matched: bool = True) -> tuple[int, ...]:
    """Those of a trial's members in a run, counted from 0; unmatched: a seed each."""
    if matched:
        return (seed + run,) * members
    return tuple(seed + members * run + member for member in range(members))


def of_surroundings(seed: int, surroundings: Sequence[object], run: int) -> int:
    """One for all senders in the same surroundings, as an experiment compares them."""
    text = json.dumps([seed, *surroundings, run])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) >> 1


def drawn() -> int:
    """One that nobody has chosen, for all lanes of a take."""
    return secrets.randbits(32)
