"""How much of a recording sounded, whatever of it sounded again. Pure.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable

from thinlab.trials.listening.messages import Passage


def covered_ms(parts: Iterable[Passage], duration_ms: int) -> int:
    """Milliseconds of the recording that are in at least one of these parts.

    >>> covered_ms([Passage(from_ms=0, to_ms=600), Passage(from_ms=400, to_ms=900)], 800)
    800
    """
    covered, reached = 0, 0
    for part in sorted(parts, key=lambda one: one.from_ms):
        begin, end = max(part.from_ms, reached), min(part.to_ms, duration_ms)
        if end > begin:
            covered += end - begin
            reached = end
    return covered
