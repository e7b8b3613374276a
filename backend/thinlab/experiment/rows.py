"""Sessions as rows: the experiment's Parquet file. One a session, or one a group of its flows.

A row holds the cell, the run, every number of the agent's result (named by the
path of field names in `lab.proto`, as in the export), the sender's counters,
and what follows from these (`metrics.py`).

SPDX-License-Identifier: Apache-2.0
"""

import itertools
import re
import statistics
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from thinlab.condition.transport import OFF, OUTSIDE_KERNEL
from thinlab.contract.columns import SESSION_COLUMNS, flatten
from thinlab.experiment import curves, shares
from thinlab.experiment import flows as flow_groups
from thinlab.experiment.definition import Cell
from thinlab.experiment.request import SessionRequest
from thinlab.experiment.tanks import columns as tanks

Row = dict[str, Any]

RETRANSMISSIONS_COMPARED = 3
CHUNK_KINDS = ("timeout", "fast", "bundled")
# Absent where a program sends in the kernel's place: 0 would say that there were none.
COUNTED_BY_KERNEL = ("timeouts", "fast_retransmits")
IS_CURVE = re.compile(r"_cdf_(us|bit_per_s|units|share)$")


def rows_of(request: SessionRequest, key: str, record: dict[str, Any]) -> list[Row]:
    """A session's rows, without what takes other sessions to know: one, or one a group of flows."""
    head: Row = {
        "key": key,
        "host_build": record["host_build"],
        "run": request.run,
        "seed": request.seed,
    }
    if not request.cell.flows:
        columns = {**head, **_of_cell(request.cell), **of_result(record["result"])}
        columns.update(_of_one_stream(request.cell, columns))
        columns.update(_repeated(record.get("retransmissions_ms", [])))
        return [_as_told(columns)]
    results = {(one["lane"], one["flow"]): one["result"] for one in record["flows"]}
    found = {(one["lane"], one["flow"]): one for one in record.get("tanks", ())}
    flows = []
    for one in request.planned():
        place = (one.lane, one.flow)
        columns = of_result(results[place]) | tanks.of_flow(found.get(place))
        flows.append(shares.FlowRow(one, columns))
    of_part = {part.group: _of_cell(part) for part in request.cell.parts()}
    return [
        _as_told({**head, **of_part[name], **columns})
        for name, columns in shares.of_groups(flows).items()
    ]


def _as_told(columns: Row) -> Row:
    """Without what the kernel counts, where it was not the kernel that sent."""
    if columns["baseline"] not in OUTSIDE_KERNEL:
        return columns
    return {name: value for name, value in columns.items() if name not in COUNTED_BY_KERNEL}


def of_result(result: dict[str, Any]) -> Row:
    """What a flow's result says, whatever it sent."""
    columns: Row = {
        **_numbers(result),
        **{f"counter_{one['name']}": one["value"] for one in result["counters"]},
    }
    columns.update(curves.of_result(result))
    columns.update(_derived(columns))
    return columns


def _of_cell(cell: Cell) -> Row:
    of_flows: Row = {}
    if cell.flows:
        of_flows = {"group": cell.group, "flows": flow_groups.identity(cell.flows)}
    return {
        "baseline": cell.baseline.value,
        "mode": cell.mode,
        "mode_label": cell.mode_label,
        "loss_share": cell.loss_share,
        "rtt_ms": cell.rtt_ms,
        **({"path": cell.path.model_dump_json()} if cell.path_label else {}),
        **({"tcp": cell.tcp_label} if cell.tcp_label else {}),
        **({"over_time": cell.over_time.label} if cell.over_time.label else {}),
        **of_flows,
        "message_bytes": cell.message_bytes,
        "iat_ms": cell.iat_ms,
        "iat_spread_ms": cell.iat_spread_ms,
        "iat_distribution": cell.iat_distribution.value,
    }


def _numbers(result: dict[str, Any]) -> Row:
    """Every number of a result, named as in the export."""
    flat = flatten(SESSION_COLUMNS, result)
    return {name: value for name, value in flat.items() if value is not None}


def _of_one_stream(cell: Cell, columns: Row) -> Row:
    lowest_us = columns["felt_sojourn_min_us"]
    latencies, curve = columns["felt_sojourn_cdf_us"], columns["felt_sojourn_cdf_share"]
    first_packets = columns["packets"] - columns["retransmitted_packets"]
    first_bytes = columns["payload_bytes"] - columns["retransmitted_bytes"]
    # What the next message repairs comes one gap later: at most the longest gap.
    gap_ms = cell.iat_ms + 2 * cell.iat_spread_ms
    low, high = share_within(latencies, curve, lowest_us + gap_ms * 1000)
    return {
        "within_iat_share": low,
        "within_iat_share_at_most": high,
        "first_transmission_messages": first_bytes / first_packets / cell.message_bytes,
    }


def _derived(columns: Row) -> Row:
    lowest_us = columns["felt_sojourn_min_us"]
    latencies, curve = columns["felt_sojourn_cdf_us"], columns["felt_sojourn_cdf_share"]
    derived: Row = {}
    for name in ("mean", "p50", "p90", "p95", "p98", "p99", "p999", "max"):
        derived[f"above_lowest_{name}_us"] = columns[f"felt_sojourn_{name}_us"] - lowest_us
        derived[f"application_above_lowest_{name}_us"] = (
            columns[f"application_per_message_{name}_us"]
            - columns["application_per_message_min_us"]
        )
    for limit_ms in (50, 100, 150, 400):
        reported = columns.get(f"felt_share_later_than_{limit_ms}_ms")
        within, _ = share_within(latencies, curve, lowest_us + limit_ms * 1000)
        derived[f"later_than_{limit_ms}_ms_share"] = 1 - within if reported is None else reported
    derived |= {
        "longest_stall_ms": columns["felt_longest_stall_ms"],
        "retransmitted_packet_share": columns["retransmitted_packets"] / columns["packets"],
        "bundled_share": columns["redundancy_share"] - columns["retransmitted_share"],
        # A session has one of the two protocols.
        "timeouts": columns.get("counter_TcpExtTCPTimeouts", 0)
        + columns.get("counter_SctpT3RtxExpireds", 0),
        "fast_retransmits": columns.get("counter_TcpExtTCPFastRetrans", 0)
        + columns.get("counter_SctpFastRetransmits", 0),
    }
    derived["spurious_packet_share"] = (
        columns.get("copies_spurious_packets", 0) / columns["packets"]
    )
    if "chunks_sent" in columns:
        derived |= _needed(columns)
    if "sctp_info_rto_us" in columns:
        derived["rto_ms"] = columns["sctp_info_rto_us"] / 1000
    if "tcp_info_rto_us" in columns:
        derived["rto_ms"] = columns["tcp_info_rto_us"] / 1000
        derived["cwnd_packets"] = columns["tcp_info_snd_cwnd"]
        derived["hidden_losses"] = columns.get("tcp_info_rdb_repairs", 0)
        derived["window_reductions"] = columns.get("tcp_info_rdb_congestion", 0)
    return derived


def _needed(columns: Row) -> Row:
    """Of retransmitted chunks those that were needed, by how often they had been sent before.

    What an association has none of is 0: over several, an absent one would count as unknown.
    """
    needed: Row = {}
    for ordinal, kind in itertools.product(("first", "second", "third"), CHUNK_KINDS):
        all_of_them = columns.setdefault(f"chunks_{ordinal}_{kind}", 0)
        spurious = columns.setdefault(f"chunks_{ordinal}_spurious_{kind}", 0)
        needed[f"chunks_{ordinal}_needed_{kind}"] = all_of_them - spurious
    return needed


def share_within(
    latencies_us: Sequence[float], shares: Sequence[float], limit_us: float
) -> tuple[float, float]:
    """Between which shares the true curve lies at a limit: its points before and after that.

    The agent's curves hold every distinct latency up to 512, and beyond that
    512 of them: the two shares differ only where the limit falls between two
    latencies that are not neighbours.
    """
    after = bisect_right(latencies_us, limit_us)
    low = shares[after - 1] if after else 0.0
    return low, shares[after] if after < len(shares) else 1.0


def _repeated(times_ms: list[list[float]]) -> Row:
    """Medians over the segments that were retransmitted three times or more."""
    repeated = [times for times in times_ms if len(times) >= RETRANSMISSIONS_COMPARED]
    if not repeated:
        return {}
    medians = [
        statistics.median(times[index] for times in repeated)
        for index in range(RETRANSMISSIONS_COMPARED)
    ]
    return {
        "repeated_segments": len(repeated),
        **{f"retransmission_{index + 1}_ms": at for index, at in enumerate(medians)},
        "wait_2_against_1": statistics.median((t[1] - t[0]) / t[0] for t in repeated),
        "wait_3_against_1": statistics.median((t[2] - t[1]) / t[0] for t in repeated),
    }


def compare_with_off(rows: Sequence[tuple[SessionRequest, Row]]) -> None:
    """Adds what takes the run's session in mode `off`, which met the same losses."""
    plain = {_beside(*one): one[1] for one in rows if one[1]["mode"] == OFF}
    for request, row in rows:
        off = plain.get(_beside(request, row))
        if off is not None:
            row["packets_against_off_share"] = row["packets"] / off["packets"] - 1
            if row.get("group"):
                row.update(shares.harm(row, off))


def _beside(request: SessionRequest, row: Row) -> tuple[Any, ...]:
    return (request.cell.compared_with, request.run, row.get("group"))


def write(file: Path, rows: Sequence[Row]) -> None:
    """The rows as one Parquet file, which appears whole."""
    names = list(dict.fromkeys(name for one in rows for name in one))
    table = pa.table({name: [one.get(name) for one in rows] for name in names})
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(f".new-{file.name}")
    pq.write_table(table, fresh, compression="zstd")
    fresh.replace(file)


def read(file: Path, *, curves: bool = True) -> list[Row]:
    """The rows of a Parquet file; without their curves, which are most of it, where it says so."""
    columns = None
    if not curves:
        columns = [name for name in pq.read_schema(file).names if not IS_CURVE.search(name)]
    rows: list[Row] = pq.read_table(file, columns=columns).to_pylist()
    return rows
