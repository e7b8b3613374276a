"""What was worked out before, of what is unlikely to be asked for again the least.

SPDX-License-Identifier: Apache-2.0
"""

from collections import OrderedDict
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

    def __contains__(self, fingerprint: Fingerprint) -> bool:
        return fingerprint in self._known

    def get(self, fingerprint: Fingerprint) -> Found | None:
        """None: not, or no more."""
        return self._known.get(fingerprint)

    def put(self, fingerprint: Fingerprint, found: Found) -> None:
        """In place of the oldest."""
        self._known[fingerprint] = found
        while len(self._known) > MOST:
            self._known.popitem(last=False)
