"""What an experiment's results must show: each requirement, judged cell by cell.

SPDX-License-Identifier: Apache-2.0
"""

import itertools
import math
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from thinlab.condition.transport import OFF, Baseline
from thinlab.contract.generated.names import IatDistribution
from thinlab.experiment.definition import (
    AgainstOff,
    AsPublished,
    AtLeast,
    BundleArithmetic,
    Cell,
    Check,
    Crossing,
    LinearTimes,
)
from thinlab.experiment.metrics import METRICS
from thinlab.experiment.published import Published
from thinlab.experiment.summary import CellSummary

HALF = 0.5


@dataclass(frozen=True)
class Verdict:
    """One requirement at one place."""

    requirement: str
    where: str
    measured: str
    holds: bool


def judge(
    checks: Sequence[Check], summaries: Sequence[CellSummary], published: Published | None
) -> list[Verdict]:
    """Every check on every cell that it looks at and that was run."""
    verdicts: list[Verdict] = []
    for check in checks:
        match check:
            case AsPublished():
                verdicts += _as_published(check, summaries, published)
            case AgainstOff():
                verdicts += _against_off(check, summaries)
            case AtLeast():
                verdicts += _at_least(check, summaries)
            case BundleArithmetic():
                verdicts += _bundle_arithmetic(check, summaries)
            case Crossing():
                verdicts += _crossing(check, summaries)
            case LinearTimes():
                verdicts += _linear_times(check, summaries)
    return verdicts


def place(cell: Cell, varying: Sequence[str] = ()) -> str:
    """A cell in words; `varying` names axes, none means those that matter."""
    words = {
        "baseline": cell.baseline.value,
        "mode": cell.mode_label,
        "loss_share": f"loss {cell.loss_share * 100:g} %",
        "rtt_ms": f"RTT {cell.rtt_ms:g} ms",
        "message_bytes": f"{cell.message_bytes} B",
        "iat_ms": f"IAT {cell.iat_ms:g} ms"
        + (" exponential" if cell.iat_distribution is IatDistribution.EXPONENTIAL else ""),
    }
    if cell.flows:
        words["message_bytes"], words["iat_ms"] = cell.group or "flows", ""
    if cell.path_label:
        words["loss_share"], words["rtt_ms"] = cell.path_label, ""
    return ", ".join(filter(None, (words[name] for name in (varying or words))))


def _named(name: str) -> str:
    return METRICS[name].title


def _shown(name: str, value: float) -> str:
    metric = METRICS[name]
    return f"{metric.text(value)} {metric.unit}".strip()


def _as_published(
    check: AsPublished, summaries: Sequence[CellSummary], published: Published | None
) -> Iterator[Verdict]:
    for one in summaries:
        wanted = published.metric(one.cell, check.metric) if published else None
        estimate = one.estimate(check.metric)
        if wanted is None or estimate is None or not check.looks_at(one.cell):
            continue
        yield Verdict(
            f"{_named(check.metric)} within {_shown(check.metric, check.within)} of the published",
            place(one.cell),
            f"{_shown(check.metric, estimate.mean)}, published {_shown(check.metric, wanted)}",
            abs(estimate.mean - wanted) <= check.within,
        )


def _against_off(check: AgainstOff, summaries: Sequence[CellSummary]) -> Iterator[Verdict]:
    plain = {one.cell.compared_with: one for one in summaries if one.cell.mode == OFF}
    for one in summaries:
        off = plain.get(one.cell.compared_with)
        if off is None or not check.looks_at(one.cell):
            continue
        other = check.of or check.metric
        mine, theirs = one.estimate(check.metric), off.estimate(other)
        if mine is None or theirs is None:
            continue
        ratio = mine.mean / theirs.mean if theirs.mean else math.inf
        yield Verdict(
            f"{_named(check.metric)} at most {check.at_most:.3g} × {_of_off(check)}",
            place(one.cell),
            f"{_shown(check.metric, mine.mean)} ÷ {_shown(other, theirs.mean)} = {ratio:.3f}",
            ratio <= check.at_most,
        )


def _of_off(check: AgainstOff) -> str:
    return "off" if check.of is None else f"off's {_named(check.of)}"


def _at_least(check: AtLeast, summaries: Sequence[CellSummary]) -> Iterator[Verdict]:
    for one in summaries:
        estimate = one.estimate(check.metric)
        if estimate is None or not check.looks_at(one.cell):
            continue
        yield Verdict(
            f"{_named(check.metric)} at least {_shown(check.metric, check.at_least)}",
            place(one.cell),
            _shown(check.metric, estimate.mean),
            estimate.mean >= check.at_least,
        )


def expected_messages(cell: Cell) -> float:
    """Messages that a new packet carries where nothing is lost: its own and the unacknowledged.

    The k-th message before is unacknowledged while less than an RTT has passed
    since: k · IAT, give or take the difference of two even spreads, which is
    triangular.
    """
    messages, before = 1.0, 1
    spread = 2 * cell.iat_spread_ms
    while before * cell.iat_ms - spread <= cell.rtt_ms:
        # Sent exactly an RTT apart, the acknowledgement comes just too late.
        room = cell.rtt_ms - before * cell.iat_ms
        if room >= spread:
            share = 1.0
        elif room < 0:
            share = (spread + room) ** 2 / (2 * spread**2)
        else:
            share = 1 - (spread - room) ** 2 / (2 * spread**2)
        messages += share
        before += 1
    return messages


def _bundle_arithmetic(
    check: BundleArithmetic, summaries: Sequence[CellSummary]
) -> Iterator[Verdict]:
    for one in summaries:
        estimate = one.estimate("first_transmission_messages")
        even = one.cell.iat_distribution is IatDistribution.EVEN
        if estimate is None or not even or not check.looks_at(one.cell):
            continue
        expected = expected_messages(one.cell)
        yield Verdict(
            f"messages a new packet within {check.within_share * 100:g} % of 1 + RTT ÷ IAT",
            place(one.cell),
            f"{estimate.mean:.3f}, without loss {expected:.3f}",
            abs(estimate.mean / expected - 1) <= check.within_share,
        )


def _crossing(check: Crossing, summaries: Sequence[CellSummary]) -> Iterator[Verdict]:
    """Where bundling's retransmissions reach half of off's, between two IATs of the grid."""
    for baseline in Baseline:
        here = [one for one in summaries if one.cell.baseline is baseline]
        ratios: list[tuple[float, float]] = []
        expected: list[float] = []
        for one in here:
            if not check.looks_at(one.cell):
                continue
            beside = [
                other
                for other in here
                if other.cell.mode == OFF and other.cell.compared_with == one.cell.compared_with
            ]
            mine = one.estimate("retransmitted_packet_share")
            theirs = beside[0].estimate("retransmitted_packet_share") if beside else None
            if mine is None or theirs is None or not theirs.mean:
                continue
            ratios.append((one.cell.iat_ms, mine.mean / theirs.mean))
            rto = one.estimate("rto_ms")
            if rto is not None:
                expected.append(rto.mean - one.cell.rtt_ms)
        at_ms = _reaches(sorted(ratios), HALF)
        if at_ms is None or not expected:
            continue
        wanted = statistics.median(expected)
        yield Verdict(
            f"bundling saves less than half of the retransmissions from IAT = RTO − RTT on,"
            f" within {check.within_ms:g} ms",
            baseline.value,
            f"from {at_ms:.0f} ms, RTO − RTT = {wanted:.0f} ms",
            abs(at_ms - wanted) <= check.within_ms,
        )


def _reaches(points: Sequence[tuple[float, float]], level: float) -> float | None:
    """Where the line through the points first comes up to a level."""
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        if y0 < level <= y1:
            return x0 + (level - y0) / (y1 - y0) * (x1 - x0)
    return None


def _linear_times(check: LinearTimes, summaries: Sequence[CellSummary]) -> Iterator[Verdict]:
    for one in summaries:
        if not check.looks_at(one.cell):
            continue
        for name in ("wait_2_against_1", "wait_3_against_1"):
            estimate = one.estimate(name)
            if estimate is None:
                continue
            yield Verdict(
                f"{_named(name)} at most {check.at_most:g} (doubling: 2 and 4)",
                place(one.cell),
                f"{estimate.mean:.2f}",
                estimate.mean <= check.at_most,
            )
