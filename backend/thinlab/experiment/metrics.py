"""The figures that tables, checks and figures speak of, by name.

Each is a column of the experiment's Parquet file; see `rows.py` for how those
that the agent does not report as such follow from what it reports.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass

PERCENT = 100.0
US_TO_MS = 1e-3


@dataclass(frozen=True)
class Metric:
    """How a column is called and shown."""

    title: str
    unit: str = ""
    scale: float = 1.0
    decimals: int = 1
    worst: bool = False
    """Over runs, the highest says more than the mean."""

    def text(self, value: float) -> str:
        """A value of the column as it is printed, without unit."""
        return f"{value * self.scale:.{self.decimals}f}"


def _latency(name: str, title: str) -> dict[str, Metric]:
    quantiles = {
        "p50": "p50",
        "p90": "p90",
        "p95": "p95",
        "p98": "p98",
        "p99": "p99",
        "p999": "p99.9",
        "max": "max",
        "mean": "mean",
    }
    return {
        name.format(key): Metric(f"{title} {word}", "ms", US_TO_MS, 1, worst=key == "max")
        for key, word in quantiles.items()
    }


METRICS: dict[str, Metric] = {
    "packets": Metric("packets", decimals=0),
    "packets_against_off_share": Metric("packets against off", "%", PERCENT, 2),
    "packet_payload_mean_bytes": Metric("packet", "bytes", 1, 1),
    "first_transmission_messages": Metric("messages a new packet", "", 1, 3),
    "retransmitted_packet_share": Metric("retransmitted", "% of packets", PERCENT, 2),
    "retransmitted_share": Metric("retransmitted", "% of bytes", PERCENT, 2),
    "redundancy_share": Metric("redundant", "%", PERCENT, 2),
    "bundled_share": Metric("bundled", "%", PERCENT, 2),
    "loss_share_forward": Metric("lost forward", "%", PERCENT, 2),
    "loss_share_backward": Metric("lost backward", "%", PERCENT, 2),
    **_latency("application_per_message_{}_us", "application"),
    **_latency("application_per_byte_{}_us", "application by byte"),
    **_latency("transport_per_message_{}_us", "transport"),
    **_latency("application_above_lowest_{}_us", "application above lowest"),
    **_latency("felt_sojourn_{}_us", "message"),
    **_latency("above_lowest_{}_us", "above lowest"),
    "later_than_50_ms_share": Metric("> 50 ms", "%", PERCENT, 2),
    "later_than_100_ms_share": Metric("> 100 ms", "%", PERCENT, 2),
    "later_than_150_ms_share": Metric("> 150 ms", "%", PERCENT, 2),
    "later_than_400_ms_share": Metric("> 400 ms", "%", PERCENT, 2),
    "within_iat_share": Metric("within one IAT", "%", PERCENT, 2),
    "longest_stall_ms": Metric("longest stall", "ms", 1, 0, worst=True),
    "timeouts": Metric("timeouts", decimals=1),
    "fast_retransmits": Metric("fast retransmits", decimals=1),
    "hidden_losses": Metric("losses that bundles hid", decimals=1),
    "window_reductions": Metric("window reductions for these", decimals=1),
    "rto_ms": Metric("RTO at the end", "ms", 1, 1),
    "cwnd_packets": Metric("window at the end", "packets", 1, 1),
    "repeated_segments": Metric("segments sent 4 times", decimals=0),
    "retransmission_1_ms": Metric("1st retransmission", "ms", 1, 0),
    "retransmission_2_ms": Metric("2nd", "ms", 1, 0),
    "retransmission_3_ms": Metric("3rd", "ms", 1, 0),
    "wait_2_against_1": Metric("wait 2 ÷ wait 1", "", 1, 2),
    "wait_3_against_1": Metric("wait 3 ÷ wait 1", "", 1, 2),
}

DEFAULT_COLUMNS = (
    "retransmitted_packet_share",
    "retransmitted_share",
    "packet_payload_mean_bytes",
    "packets",
    "packets_against_off_share",
    "application_per_message_p50_us",
    "application_per_message_p95_us",
    "application_per_message_p99_us",
    "application_per_message_max_us",
)
