"""What was worked out before, of what is unlikely to be asked for again the least.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

Found = TypeVar("Found")
Fingerprint = tuple[object, ...]
"""Changes whenever what was found could."""
# A researcher looks at few studies, again and again.
MOST = 16


class Kept(Generic[Found]):
    """The findings that were made last."""

    def __init__(self) -> None:
        self._known: OrderedDict[Fingerprint, Found] = OrderedDict()

    def get(self, fingerprint: Fingerprint) -> Found | None:
        """None: not, or no more."""
        return self._known.get(fingerprint)

    def put(self, fingerprint: Fingerprint, found: Found) -> None:
        """In place of the oldest."""
        self._known[fingerprint] = found
        while len(self._known) > MOST:
            self._known.popitem(last=False)


@dataclass(frozen=True)
class Reading(Generic[Found]):
    """What was read of a study: enough to work out what was asked without the database."""

    kept: Kept[Found]
    fingerprint: Fingerprint
    find: Callable[[], Found]
    """Pure. Of what was known when it was read, at no cost."""

    async def worked_out(self) -> Found:
        """In a thread, so that the server goes on taking votes."""
        found = await asyncio.to_thread(self.find)
        self.kept.put(self.fingerprint, found)
        return found


async def reading(
    kept: Kept[Found], fingerprint: Fingerprint, read: Callable[[], Awaitable[Callable[[], Found]]]
) -> Reading[Found]:
    """`read` gets from the database what is analysed, unless what it comes to is known."""
    known = kept.get(fingerprint)
    find = await read() if known is None else partial(_itself, known)
    return Reading(kept, fingerprint, find)


def _itself(found: Found) -> Found:
    return found
