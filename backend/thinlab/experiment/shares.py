"""What flows that were under way together got: each group, and all that go the same way.

Goodput is the distinct bytes that became available in order, over the time from
the flow's beginning to the acknowledgement of its last byte. Jain's index of n
flows is (Σx)² ÷ nΣx² of their goodputs (Jain, Chiu and Hawe 1984): 1 where all
get the same, 1/n where one gets everything. Harm is what a flow loses to what
is switched on elsewhere, as a share of what it had, or of what it has of a
latency (Ware et al. 2019): 0 is none, 1 is everything, below 0 is a gain.

SPDX-License-Identifier: Apache-2.0
"""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from thinlab.experiment import curves
from thinlab.experiment.flows import PlannedFlow, together_name

Row = dict[str, Any]

BITS = 8
NS_PER_S = 1_000_000_000
# Of a maximum over a flow's messages, the highest of all flows.
HIGHEST = ("_max_us", "_stall_ms", "_max_ms", "_max_units")
# The latency that harm is told of: transfers have no messages to speak of.
LATENCY = "application_per_byte_p99_us"


@dataclass(frozen=True)
class FlowRow:
    """A flow, and what its result says."""

    planned: PlannedFlow
    columns: Row

    @property
    def goodput_bit_per_s(self) -> float:
        """Distinct payload that became available in order."""
        return self._bit_per_s("delivered_bytes")

    @property
    def sent_bit_per_s(self) -> float:
        """All payload that left, copies included."""
        return self._bit_per_s("payload_bytes")

    def _bit_per_s(self, name: str) -> float:
        lasted_ns = max(1, self.columns["stream_ns"] - self.planned.begins_ns)
        return float(self.columns[name] * BITS * NS_PER_S / lasted_ns)


def of_groups(flows: Sequence[FlowRow]) -> dict[str, Row]:
    """Columns of each group, of what comes back to it, and of all flows that go there together."""
    groups: dict[str, list[FlowRow]] = {}
    for one in flows:
        groups.setdefault(one.planned.group, []).append(one)
    together = together_name([one.planned for one in flows])
    if together:
        groups[together] = [one for one in flows if not one.planned.backward]
    rows = {}
    for name, mine in groups.items():
        ways = {one.planned.backward for one in mine}
        rivals = [one for one in flows if one.planned.backward in ways]
        rows[name] = _of_group(mine, rivals)
    return rows


def _of_group(mine: Sequence[FlowRow], rivals: Sequence[FlowRow]) -> Row:
    goodputs = [one.goodput_bit_per_s for one in mine]
    of_rivals = sum(one.goodput_bit_per_s for one in rivals)
    return {
        **_means([one.columns for one in mine]),
        **curves.together([one.columns for one in mine]),
        "flow_count": len(mine),
        "goodput_bit_per_s": sum(goodputs),
        "goodput_mean_bit_per_s": statistics.fmean(goodputs),
        "sent_mean_bit_per_s": statistics.fmean(one.sent_bit_per_s for one in mine),
        "goodput_share": sum(goodputs) / of_rivals if of_rivals else 0.0,
        "jain_index": jain_index(goodputs),
        "flow_goodput_bit_per_s": goodputs,
        "flow_p99_us": [one.columns[LATENCY] for one in mine],
    }


def jain_index(values: Sequence[float]) -> float:
    """1: all the same; 1 ÷ n: one has everything. Of nothing at all, 1."""
    squares = sum(value**2 for value in values)
    return sum(values) ** 2 / (len(values) * squares) if squares else 1.0


def harm(one: Row, off: Row) -> Row:
    """What a group loses against the same run with the mode off."""
    columns: Row = {}
    if off["goodput_bit_per_s"]:
        columns["harm_goodput_share"] = 1 - one["goodput_bit_per_s"] / off["goodput_bit_per_s"]
    if one.get(LATENCY) and off.get(LATENCY) is not None:
        columns["harm_p99_share"] = 1 - off[LATENCY] / one[LATENCY]
    return columns


def _means(flows: Sequence[Row]) -> Row:
    """Of every number the mean over the flows that have it."""
    means: Row = {}
    for name in dict.fromkeys(name for one in flows for name in one):
        values = [one[name] for one in flows if isinstance(one.get(name), int | float)]
        if values:
            means[name] = max(values) if name.endswith(HIGHEST) else statistics.fmean(values)
    return means
