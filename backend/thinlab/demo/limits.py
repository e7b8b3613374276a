"""What a demo may take: time, disk, and how many there may be. Its console is warned before.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.demo.state import Advice, AdviceKind

RUNNING_LIMIT = 2
LENGTH_LIMIT_MS = 2 * 60 * 60 * 1000.0
LENGTH_WARNING_MS = 10 * 60 * 1000.0
SIZE_LIMIT_BYTES = 8 * 1024**3
SIZE_WARNING_SHARE = 0.9
# Votes of studies lie on the same disk.
FREE_LIMIT_BYTES = 1024**3
FREE_WARNING_BYTES = 3 * 1024**3
MIB = 1024**2


def limit_advice(at_ms: float, size_bytes: int, free_bytes: int) -> list[Advice]:
    """Which limits are near."""
    texts = []
    if at_ms > LENGTH_LIMIT_MS - LENGTH_WARNING_MS:
        minutes = max(LENGTH_LIMIT_MS - at_ms, 0) / 60_000
        texts.append(f"The demo ends in {minutes:.0f} minutes: two hours are its limit.")
    if size_bytes > SIZE_LIMIT_BYTES * SIZE_WARNING_SHARE:
        left = max(SIZE_LIMIT_BYTES - size_bytes, 0) // MIB
        texts.append(f"The demo ends when {left} MiB more are written: its files have a limit.")
    if free_bytes < FREE_WARNING_BYTES:
        left = max(free_bytes - FREE_LIMIT_BYTES, 0) // MIB
        texts.append(f"The demo ends when {left} MiB more are written: the disk is nearly full.")
    return [Advice(kind=AdviceKind.LIMIT, text=text, reason="") for text in texts]


def limit_reached(at_ms: float, size_bytes: int, free_bytes: int) -> str | None:
    """Why the demo has to end now; none where it may go on."""
    if at_ms >= LENGTH_LIMIT_MS:
        return "two hours are over"
    if size_bytes >= SIZE_LIMIT_BYTES:
        return "its files have reached their limit"
    if free_bytes < FREE_LIMIT_BYTES:
        return "the disk is nearly full"
    return None
