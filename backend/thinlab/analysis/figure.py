"""A number of the results as a row of a table, with what is told of it.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from thinlab.analysis.findings import Estimate, RunFindings


@dataclass(frozen=True)
class Figure:
    """One number. Its finding, block, subject, run and name tell it from all others."""

    finding: str
    block: str | None
    subject: str
    estimate: str
    value: float
    run: int | None = None
    low: float | None = None
    high: float | None = None
    p_value: float | None = None
    p_adjusted: float | None = None
    these_low: float | None = None
    these_high: float | None = None
    these_p: float | None = None
    votes: int | None = None
    participants: int | None = None
    recordings: int | None = None
    sentence: str | None = None


def two(condition_a: str | None, condition_b: str | None) -> str:
    """The subject of what is about two conditions."""
    return f"{condition_a}/{condition_b}"


def of_estimate(
    finding: str,
    block: str | None,
    subject: str,
    name: str,
    estimate: Estimate,
    run: int | None = None,
) -> Figure:
    """An estimate with its interval, and that of these recordings alone."""
    these = estimate.these
    return Figure(
        finding,
        block,
        subject,
        name,
        estimate.value,
        run,
        estimate.low,
        estimate.high,
        estimate.p_value,
        estimate.p_adjusted,
        these.low if these else None,
        these.high if these else None,
        these.p_value if these else None,
        estimate.votes,
        estimate.participants,
        estimate.recordings,
        estimate.sentence,
    )


def of_counts(
    finding: str, block: str, subject: str, stem: str, histogram: Mapping[int, int]
) -> Iterator[Figure]:
    """Votes for each answer."""
    for given, votes in histogram.items():
        yield Figure(finding, block, subject, f"{stem}_{given}", votes)


def of_runs(
    finding: str, block: str, subject: str, name: str, runs: Sequence[RunFindings]
) -> Iterator[Figure]:
    """Run by run, counted from 1, as in the exports."""
    for one in runs:
        run = one.run + 1
        yield Figure(finding, block, subject, "votes", one.votes, run)
        if one.estimate is not None:
            yield of_estimate(finding, block, subject, name, one.estimate, run)
