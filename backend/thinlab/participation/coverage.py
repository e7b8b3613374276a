"""How much of a recording sounded, whatever of it sounded again. Pure.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterable


def covered_ms(parts: Iterable[tuple[int, int]], duration_ms: int) -> int:
    """Milliseconds of the recording that are in at least one of these parts, each from and to.

    >>> covered_ms([(0, 600), (400, 900)], 800)
    800
    """
    covered, reached = 0, 0
    for from_ms, to_ms in sorted(parts):
        begin, end = max(from_ms, reached), min(to_ms, duration_ms)
        if end > begin:
            covered += end - begin
            reached = end
    return covered
