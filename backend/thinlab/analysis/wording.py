"""How figures are written in sentences.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.analysis.votes import Scope, TrialWords


def percent(share: float) -> str:
    """`0.624` → `62.4 %`."""
    return f"{share * 100:.1f} %"


def signed(value: float) -> str:
    """`-0.5` → `−0.50`, with a true minus sign."""
    return f"{value:+.2f}".replace("-", "−")


def plain(value: float) -> str:
    """Two decimals, with a true minus sign."""
    return f"{value:.2f}".replace("-", "−")


def p_text(p_value: float) -> str:
    """`p = 0.031`, `p < 0.001`."""
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"  # noqa: PLR2004


def exploratory(p_value: float) -> str:
    """`exploratory p = 0.031`: how a p-value is written until it is known to decide."""
    return f"exploratory {p_text(p_value)}"


def counted(number: int, one: str) -> str:
    """`1 vote`, `2 votes`."""
    return f"{number} {one}" if number == 1 else f"{number} {one}s"


def too_few(votes: int, participants: int, what: str) -> str:
    """`Too few votes (2 of 1 participant) to say how often b is preferred to a.`."""
    people = counted(participants, "participant")
    return f"Too few votes ({votes} of {people}) to say {what}."


def generalises(scope: Scope, words: TrialWords) -> str:
    """`generalises to other listeners who hear these recordings`."""
    beyond = "and other losses of the same path" if scope == "other_losses" else words.meet_these
    return f"generalises to other {words.people} {beyond}"


def interval(low: float | None, high: float | None, confidence: float, *, share: bool) -> str:
    """`95 % CI 51.2 % to 73.0 %`; says so where there is none."""
    if low is None or high is None:
        return "too few votes that differ for an interval"
    write = percent if share else plain
    return f"{confidence * 100:g} % CI {write(low)} to {write(high)}"
