"""How delays are written in sentences: with their unit, and as many digits as they deserve.

SPDX-License-Identifier: Apache-2.0
"""

US_PER_MS = 1000.0
# From here on a number needs no decimals.
LARGE = 100.0
SMALL = 10.0


def written(value: float, unit: str) -> str:
    """`0.0421` of `share` → `4.21 %`; `123456` of `µs` → `123 ms`.

    >>> written(0.0421, "share"), written(123456, "µs"), written(2.5, "events")
    ('4.21 %', '123 ms', '2.50')
    """
    if unit == "share":
        return f"{_digits(100 * value)} %"
    if unit == "µs":
        return f"{_digits(value / US_PER_MS)} ms"
    return f"{_digits(value)} ms" if unit == "ms" else _digits(value)


def _digits(value: float) -> str:
    places = 0 if abs(value) >= LARGE else 1 if abs(value) >= SMALL else 2
    return f"{value:.{places}f}".replace("-", "−")
