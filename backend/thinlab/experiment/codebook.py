"""What each column of an experiment's Parquet file is: CSV beside it, from the contract's registry.

SPDX-License-Identifier: Apache-2.0
"""

import csv
import io
from collections.abc import Iterable

from thinlab.contract.columns import SESSION_COLUMNS, MetricColumn
from thinlab.experiment import provenance
from thinlab.experiment.metrics import METRICS

DERIVED = "derived: backend/thinlab/experiment/rows.py"
TANKS = "derived: backend/thinlab/experiment/tanks"
CURVE = "of a latency's distribution, one value a point of its curve: "
OF_THE_SESSION = {
    "key": ("", "the session's content key: hash of its request and of the host build"),
    "host_build": ("", "content hash of kernel, guest and agent of the host"),
    "run": ("", "number of the run, from 0; runs of one number meet the same randomness"),
    "seed": ("", "seed of the emulator and of the stream"),
    "baseline": ("", "the sender's TCP without mechanisms"),
    "mode": ("", "the sender's mechanisms"),
    "mode_label": ("", "the mode, and what of bundling's settings differs from the default"),
    "loss_share": ("share", "uniform loss that was set, towards the receiver"),
    "rtt_ms": ("ms", "round trip that was set"),
    "path": ("", "the whole path as JSON, where there is more to it than loss and round trip"),
    "tcp": ("", "TCP's settings in words, where they differ from the default"),
    "message_bytes": ("bytes", "length of the stream's messages"),
    "iat_ms": ("ms", "time between messages"),
    "iat_spread_ms": ("ms", "each message is sent up to so much before or after its time"),
    "iat_distribution": ("", "`even` or `exponential` times between messages"),
}
WITH_WHAT = {
    "agent_version": "version of the lab agent",
    "kernel_release": "release of the lab's kernel",
    "sender_capture_sha256": "SHA-256 of the sender's capture",
    "receiver_capture_sha256": "SHA-256 of the receiver's capture",
    provenance.SETTINGS: "SHA-256 of what the kernel said that the lanes were set to",
}
HEAD = ("column", "title", "unit", "meaning", "source")

Entry = tuple[str, str, str, str, str]


def as_csv(columns: Iterable[str]) -> str:
    """A line for each of these columns, in their order."""
    contract = {one.name: one for one in SESSION_COLUMNS}
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(HEAD)
    writer.writerows(_entry(name, contract.get(name)) for name in columns)
    return out.getvalue()


def _entry(name: str, measured: MetricColumn | None) -> Entry:
    if measured is not None:
        return (name, measured.title, measured.unit, measured.meaning, measured.source)
    if name in OF_THE_SESSION:
        unit, meaning = OF_THE_SESSION[name]
        return (name, "", unit, meaning, "experiment")
    if provenance.is_column(name):
        of = name.removeprefix(provenance.VERSION_PREFIX)
        meaning = WITH_WHAT.get(name, f"version of {of} where the session was asked for")
        return (name, "", "", meaning, "provenance")
    return _list_or_derived(name)


def _list_or_derived(name: str) -> Entry:
    if name.startswith("counter_"):
        counter = name.removeprefix("counter_")
        return (name, "", "count", f"the sender's TCP counter {counter} of the kernel", "kernel")
    if "position_error" in name and "_cdf_" in name:
        unit = name.rpartition("_")[2]
        return (name, "", unit, "of a position error's distribution over time", TANKS)
    for ending, unit, what in (("_cdf_us", "µs", "latencies"), ("_cdf_share", "share", "shares")):
        if name.endswith(ending):
            return (name, "", unit, CURVE + what, "agent")
    metric = METRICS.get(name)
    title = metric.title if metric is not None else ""
    source = TANKS if name.startswith("position_") else DERIVED
    return (name, title, _unit_in(name), title.lower(), source)


def _unit_in(name: str) -> str:
    endings = {"_us": "µs", "_ms": "ms", "_share": "share", "_bytes": "bytes"}
    endings |= {"_units": "units of the game", "_s": "s"}
    return next((unit for ending, unit in endings.items() if name.endswith(ending)), "")
