"""The figures that tables, checks and figures speak of, by name.

Each is a column of the experiment's Parquet file: every number of the contract,
by its title there, and what follows from these (`rows.py` says how).

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass, replace

from thinlab.contract.columns import SESSION_COLUMNS, MetricColumn

PERCENT = 100.0
US_TO_MS = 1e-3
NS_TO_MS = 1e-6


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


# Of a unit of the contract: the unit shown, by how much to multiply, decimals.
SHOWN = {
    "share": ("%", PERCENT, 2),
    "µs": ("ms", US_TO_MS, 1),
    "ns": ("ms", NS_TO_MS, 1),
    "ms": ("ms", 1.0, 1),
    "bit/s": ("kbit/s", 1e-3, 1),
    "bytes": ("bytes", 1.0, 1),
}
WORST = ("_max_us", "_stall_ms", "_max_ms", "_max_units")


def _shown(column: MetricColumn) -> Metric:
    """As the contract calls it."""
    unit, scale, decimals = SHOWN.get(column.unit, ("", 1.0, 1))
    worst = column.name.endswith(WORST)
    return Metric(column.title, unit, scale, decimals, worst=worst)


CONTRACT = {column.name: _shown(column) for column in SESSION_COLUMNS}


def _above_lowest(name: str, of: str) -> dict[str, Metric]:
    """What a distribution is above its lowest."""
    return {
        name.format(key): replace(metric, title=f"{metric.title}, above the lowest")
        for key in ("p50", "p90", "p95", "p98", "p99", "p999", "max", "mean")
        for metric in [CONTRACT[of.format(key)]]
    }


def _of_tanks(name: str, title: str) -> dict[str, Metric]:
    """What is told of how far tanks are from where they are seen."""
    return {
        f"{name}_mean_units": Metric(f"{title}, mean", "units", 1, 3),
        f"{name}_p95_units": Metric(f"{title}, 95 %", "units", 1, 2),
        f"{name}_p99_units": Metric(f"{title}, 99 %", "units", 1, 2),
        f"{name}_max_units": Metric(f"{title}, highest", "units", 1, 1, worst=True),
        f"{name}_over_half_a_tank_share": Metric(
            f"{title}, time above half a tank's length", "%", PERCENT, 3
        ),
        f"{name}_over_a_tank_share": Metric(
            f"{title}, time above a tank's length", "%", PERCENT, 3
        ),
    }


METRICS: dict[str, Metric] = {
    **CONTRACT,
    **_above_lowest("application_above_lowest_{}_us", "application_per_message_{}_us"),
    **_above_lowest("above_lowest_{}_us", "felt_sojourn_{}_us"),
    # What the contract reports, by the names that definitions of experiments use.
    **{
        f"later_than_{limit}_ms_share": CONTRACT[f"felt_share_later_than_{limit}_ms"]
        for limit in (50, 100, 150, 400)
    },
    "longest_stall_ms": replace(CONTRACT["felt_longest_stall_ms"], decimals=0),
    "hidden_losses": CONTRACT["tcp_info_rdb_repairs"],
    "window_reductions": CONTRACT["tcp_info_rdb_congestion"],
    # In milliseconds already, of the sender's connection or association.
    "rto_ms": Metric("Retransmission timeout at the end", "ms", 1, 0),
    "cwnd_packets": CONTRACT["tcp_info_snd_cwnd"],
    # What follows from it.
    "packets_against_off_share": Metric("Data packets against off", "%", PERCENT, 2),
    "first_transmission_messages": Metric("Messages a new packet", "", 1, 3),
    "retransmitted_packet_share": Metric("Retransmissions of all data packets", "%", PERCENT, 2),
    "spurious_packet_share": Metric(
        "Needless retransmissions of all data packets", "%", PERCENT, 3
    ),
    **{
        f"chunks_{ordinal}_needed_{kind}": Metric(f"{ordinal.title()} retransmissions, {called}")
        for ordinal in ("first", "second", "third")
        for kind, called in (
            ("timeout", "timeout, needed"),
            ("fast", "fast, needed"),
            ("bundled", "along with others, needed"),
        )
    },
    # Of groups of flows (`shares.py`).
    "goodput_bit_per_s": Metric("Goodput of all", "Mbit/s", 1e-6, 3),
    "goodput_mean_bit_per_s": Metric("Goodput of one", "Mbit/s", 1e-6, 3),
    "sent_mean_bit_per_s": Metric("Payload sent by one, copies included", "Mbit/s", 1e-6, 3),
    "goodput_share": Metric("Share of the goodput", "%", PERCENT, 2),
    "jain_index": Metric("Jain's index of the goodput", "", 1, 3),
    "harm_goodput_share": Metric("Goodput lost against off", "%", PERCENT, 2),
    "harm_p99_share": Metric("99 % of the latency by byte owed to what is on", "%", PERCENT, 2),
    # Of a captured game's tanks (`tanks/`), in the game's units of length.
    **_of_tanks("position_error", "Position error"),
    **_of_tanks("position_error_beyond_path", "Position error beyond the path"),
    "position_jump_p99_units": Metric("Jump of a tank, 99 %", "units", 1, 2),
    "position_jump_max_units": Metric("Longest jump of a tank", "units", 1, 1, worst=True),
    "position_tank_s": Metric("Time that a tank was seen, all tanks together", "s", 1, 0),
    "bundled_share": Metric("Bundled share", "%", PERCENT, 2),
    "within_iat_share": Metric("Within one interarrival time", "%", PERCENT, 2),
    "timeouts": Metric("Timeouts", decimals=1),
    "fast_retransmits": Metric("Fast retransmits", decimals=1),
    "repeated_segments": Metric("Segments sent 4 times", decimals=0),
    "retransmission_1_ms": Metric("1st retransmission", "ms", 1, 0),
    "retransmission_2_ms": Metric("2nd", "ms", 1, 0),
    "retransmission_3_ms": Metric("3rd", "ms", 1, 0),
    "wait_2_against_1": Metric("Wait 2 ÷ wait 1", "", 1, 2),
    "wait_3_against_1": Metric("Wait 3 ÷ wait 1", "", 1, 2),
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
