"""Where a clip is that plays over and over, so that the next take goes on there.

SPDX-License-Identifier: Apache-2.0
"""

SAMPLES_PER_MS = 48
NS_PER_MS = 1_000_000


class ClipPosition:
    """How long the clip has played, pauses and interruptions left out."""

    def __init__(self) -> None:
        self._played_ns = 0
        self._since_ns: int | None = None

    def runs(self, now_ns: int) -> None:
        """It plays from now on."""
        if self._since_ns is None:
            self._since_ns = now_ns

    def stands(self, now_ns: int) -> None:
        """It does not play any more."""
        if self._since_ns is not None:
            self._played_ns += max(now_ns - self._since_ns, 0)
            self._since_ns = None

    def back(self) -> None:
        """Another clip, from its beginning."""
        self._played_ns = 0
        self._since_ns = None

    def sample(self, clip_samples: int) -> int:
        """The sample that comes next, where it stands."""
        return self._played_ns * SAMPLES_PER_MS // NS_PER_MS % max(clip_samples, 1)
