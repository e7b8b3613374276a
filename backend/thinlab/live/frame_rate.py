"""How much a page may send over a link: more than hands and repeats make, less than a flood.

SPDX-License-Identifier: Apache-2.0
"""

import time

from thinlab.throttle.rate import Rate

# A key that is held comes 60 times a second at most, its screens are acknowledged, and what is
# lost comes again: a page makes half of it. A line that was away sends all it has at once.
FRAMES_A_SECOND, FRAMES_AT_ONCE = 300.0, 2500.0
BYTES_A_SECOND, BYTES_AT_ONCE = 256.0 * 1024, 1024.0 * 1024


class FrameRate:
    """Of one transport."""

    def __init__(self) -> None:
        self._frames = Rate(FRAMES_A_SECOND, FRAMES_AT_ONCE)
        self._bytes = Rate(BYTES_A_SECOND, BYTES_AT_ONCE)

    def allows(self, size_bytes: int) -> bool:
        """Whether a frame more may come now; whoever sends it all the same is sent away."""
        now_s = time.monotonic()
        return self._frames.allows(now_s) and self._bytes.allows(now_s, size_bytes)
