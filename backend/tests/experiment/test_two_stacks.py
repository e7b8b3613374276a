"""Two stacks of SCTP beside each other on a real host.

SPDX-License-Identifier: Apache-2.0
"""

from pathlib import Path

import pytest

from tests.experiment.commands import finished, start
from thinlab.experiment import rows as row_files

pytestmark = pytest.mark.processes

EXPERIMENT = """
name: stacks
title: Stacks
description: The same stream over the kernel's SCTP and FreeBSD's.
seed: 3
runs: 1
minutes: 5
grids:
  - baseline: [lksctp, usrsctp]
    mode: off
    sctp: { sack_delay_ms: 0 }
    loss_share: 0.05
    rtt_ms: 100
    message_bytes: 100
    iat_ms: 250
columns: [application_per_message_p99_us, chunks_timeout, timeouts]
"""


async def test_both_are_seen_on_the_wire_and_the_kernel_counts_its_own(
    tmp_path: Path, cache: Path
) -> None:
    file = tmp_path / "stacks.yaml"
    file.write_text(EXPERIMENT)
    await finished(await start(cache, "run", str(file)))
    folder = cache / "experiments" / "stacks"
    assert "| usrsctp |" in (folder / "stacks.md").read_text()
    rows = row_files.read(folder / "stacks.parquet")
    kernels, freebsds = (
        next(row for row in rows if row["baseline"] == name) for name in ("lksctp", "usrsctp")
    )
    for row in (kernels, freebsds):
        assert row["unique_bytes"] == row["felt_messages"] * 100 == 1200 * 100
        assert row["chunks_new"] == 1200
        assert row["chunks_timeout"] > 0
        assert row["chunks_fast"] > 0
        # Once over the path, and once after a timeout of a second.
        assert row["application_per_message_min_us"] < 51_000
        assert row["application_per_message_max_us"] > 1_000_000
        _expect_accounts_of_retransmissions(row)
    assert kernels["timeouts"] > 0
    # The least that RFC 9260 allows, and what usrsctp does not tell.
    assert kernels["rto_ms"] >= 1000
    assert freebsds.get("rto_ms") is None
    assert freebsds.get("timeouts") is None


def _expect_accounts_of_retransmissions(row: row_files.Row) -> None:
    kinds = ("timeout", "fast", "bundled")
    again = ("first", "second", "third")
    told = sum(row[f"chunks_{ordinal}_{kind}"] for ordinal in again for kind in kinds)
    total = row["chunks_sent"] - row["chunks_new"]
    # A fourth one is rare, and is in the total alone.
    assert row["chunks_first_timeout"] > 0
    assert total * 0.98 <= told <= total
    needless = sum(row[f"chunks_{ordinal}_spurious_{kind}"] for ordinal in again for kind in kinds)
    needed = sum(row[f"chunks_{ordinal}_needed_{kind}"] for ordinal in again for kind in kinds)
    assert needless + needed == told
    # A byte that was sent again over 50 ms is there after a timeout, or three gap reports.
    assert row["retransmission_latency_first_min_us"] > 50_000
    assert row["retransmission_latency_first_samples"] % 100 == 0
    shares = row["throughput_per_2_s_cdf_share"]
    assert shares[-1] == 1
    assert row["throughput_per_2_s_p50_bit_per_s"] == pytest.approx(4 * 100 * 8, rel=0.25)
