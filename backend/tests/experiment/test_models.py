"""The applications' models, drawn by the agent and held against the papers' table.

SPDX-License-Identifier: Apache-2.0
"""

import os
import subprocess

import numpy as np
import pytest
from numpy.typing import NDArray

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.experiment.stream import Model, models

pytestmark = pytest.mark.processes

DAY_US = 86_400_000_000
SEEDS = range(1, 5)
# Five in a hundred thousand of the gaps are the longest in some tables.
MOST_MESSAGES = 120_000
# What one session may have, less what a few large messages too many would take.
MOST_BYTES = 28_000_000

TABLE = [one for one in models().values() if one.published]


def drawn(model: Model) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sizes, and gaps in ms, of a day's messages or as many as a session may have, four times."""
    agent = os.environ.get("THINLAB_AGENT")
    assert agent, "THINLAB_AGENT: not set; `make test` builds the agent and sets it"
    stream = model.stream.one.message(DAY_US / 60_000_000)
    most = min(MOST_MESSAGES, int(MOST_BYTES / model.published["bytes_mean"]))
    stream.drawn.MergeFrom(pb.DrawnStream(messages=most))
    sizes, gaps = [], []
    for seed in SEEDS:
        told = subprocess.run(
            [agent, "stream", "draw", "--seed", str(seed)],
            input=stream.SerializeToString(),
            capture_output=True,
            check=True,
        )
        lines = told.stdout.decode().splitlines()
        assert lines[0] == "at_ns,bytes"
        times, mine = np.array([line.split(",") for line in lines[1:]], dtype=np.int64).T
        sizes.append(mine)
        gaps.append(np.diff(times) / 1e6)
    return np.concatenate(sizes).astype(float), np.concatenate(gaps)


@pytest.mark.parametrize("model", TABLE, ids=lambda one: one.name)
def test_a_model_has_the_figures_of_its_row(model: Model) -> None:
    """Means within 4 %, percentiles within 5 % or a millisecond, extremes within a byte or 1 %."""
    sizes, gaps_ms = drawn(model)
    row = model.published
    assert sizes.mean() == pytest.approx(row["bytes_mean"], rel=0.04)
    assert (sizes.min(), sizes.max()) == (row["bytes_min"], row["bytes_max"])
    assert gaps_ms.mean() == pytest.approx(row["gap_mean_ms"], rel=0.04)
    for share, name in ((0.01, "p01"), (0.5, "median"), (0.99, "p99")):
        assert np.quantile(gaps_ms, share) == pytest.approx(
            row[f"gap_{name}_ms"], rel=0.05, abs=1
        ), name
    assert gaps_ms.min() == pytest.approx(row["gap_min_ms"], rel=0.01, abs=0.5)
    assert gaps_ms.max() == pytest.approx(row["gap_max_ms"], rel=0.01)


def test_what_is_no_stream_is_refused_in_words() -> None:
    agent = os.environ.get("THINLAB_AGENT")
    assert agent
    for given, says in (
        (b"", "stream is not set: give audio, synthetic, replay, bulk or drawn"),
        (b"\xff\xff", "standard input is no Stream"),
        (
            pb.Stream(drawn=pb.DrawnStream(messages=1)).SerializeToString(),
            "drawn.payload_bytes is not set",
        ),
    ):
        told = subprocess.run(
            [agent, "stream", "draw"], input=given, capture_output=True, check=False
        )
        assert told.returncode == 1
        assert says in told.stderr.decode()
        assert not told.stdout
