"""How likely it is to pass a test by guessing alone. Pure.

SPDX-License-Identifier: Apache-2.0
"""

from math import comb


def passed_by_guessing(rounds: int, alternatives: int, least: int, tries: int = 1) -> float:
    """A share: at least so many of the rounds right, in at least one of the tries.

    Of one try it is the upper tail of the binomial distribution, p; of n tries, each with rounds
    of its own, 1 − (1 − p)ⁿ.

    >>> round(passed_by_guessing(6, 3, 5), 4), round(passed_by_guessing(6, 3, 5, tries=2), 4)
    (0.0178, 0.0354)
    """
    guess = 1 / alternatives
    once = sum(
        comb(rounds, right) * guess**right * (1 - guess) ** (rounds - right)
        for right in range(least, rounds + 1)
    )
    return 1 - (1 - once) ** tries
