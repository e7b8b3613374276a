"""A lane's figures as the agent gives them, and fewer points of their curves.

The figures themselves are passed on as they are: what is shown live equals what
the analyser finds in the captures. The points, which are drawn and shown in no
table, are rounded to less than a chart's pixel: they are most of what is sent.

SPDX-License-Identifier: Apache-2.0
"""

from bisect import bisect_left
from functools import cache
from typing import Any

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from thinlab.contract.generated import lab_pb2 as pb

CURVE_POINTS = 80
# 10 µs, and a ten-thousandth of the samples.
LATENCY_DIGITS_US = -1
SHARE_DIGITS = 4
# Half of the points are spread over the curve, half over its tail, where people notice.
EVEN = tuple(step / 39 for step in range(40))
TAIL = tuple(1 - 10 ** (-1 - 3 * step / 39) for step in range(40))


def figures_of(figures: pb.LaneFigures) -> dict[str, Any]:
    """`LaneFigures` of the feed."""
    metrics, felt = figures.metrics, figures.felt
    return {
        "metrics": scalars_of(metrics)
        | {"transport": _latency(metrics.transport), "application": _latency(metrics.application)},
        "copies": scalars_of(figures.copies),
        "felt": scalars_of(felt) | {"sojourn": _distribution(felt.sojourn)},
    }


def scalars_of(message: Message) -> dict[str, Any]:
    """All numbers and texts of a message, zeros included."""
    return {name: getattr(message, name) for name in _scalar_names(message.DESCRIPTOR)}


@cache
def _scalar_names(descriptor: Descriptor) -> tuple[str, ...]:
    return tuple(
        field.name
        for field in descriptor.fields
        if field.message_type is None and not field.is_repeated
    )


def _latency(latency: pb.Latency) -> dict[str, Any]:
    return {
        "per_byte": _distribution(latency.per_byte),
        "per_message": _distribution(latency.per_message),
    }


def _distribution(one: pb.LatencyDistribution) -> dict[str, Any]:
    curve = one.cdf
    kept = chosen([point.share for point in curve])
    points = [
        {
            "latency_us": round(curve[at].latency_us, LATENCY_DIGITS_US),
            "share": round(curve[at].share, SHARE_DIGITS),
        }
        for at in kept
    ]
    return scalars_of(one) | {"cdf": points}


def chosen(shares: list[float]) -> list[int]:
    """Which points of a curve are kept: at most `CURVE_POINTS`, first and last among them."""
    if len(shares) <= CURVE_POINTS:
        return list(range(len(shares)))
    last = len(shares) - 1
    first_share, span = shares[0], shares[-1] - shares[0]
    wanted = {0, last}
    for share in (*EVEN, *TAIL):
        wanted.add(min(bisect_left(shares, first_share + share * span), last))
    return sorted(wanted)
