"""How fast keys may come: faster than any hand or held key, slower than a pasted page.

SPDX-License-Identifier: Apache-2.0
"""

# Held keys repeat 30 times a second, 60 at the fastest setting of any system.
KEYS_A_SECOND = 100.0
BURST_KEYS = 200.0


class TypingRate:
    """A bucket of keys that fills at the rate."""

    def __init__(self) -> None:
        self._keys = BURST_KEYS
        self._at: float | None = None

    def allows(self, now: float) -> bool:
        """Whether one more key may come now."""
        if self._at is not None:
            self._keys = min(self._keys + (now - self._at) * KEYS_A_SECOND, BURST_KEYS)
        self._at = now
        if self._keys < 1:
            return False
        self._keys -= 1
        return True
