"""Which session in mode `off` another is compared with.

SPDX-License-Identifier: Apache-2.0
"""

from pathlib import Path

import pytest

from thinlab.experiment import rows
from thinlab.experiment.file import read
from thinlab.experiment.request import requests

pytestmark = pytest.mark.unit

EXPERIMENT = """
name: against-off
title: Against off
description: More than one session in mode off meets the same losses.
seed: 1
runs: 2
minutes: 0.05
grids:
  - mode: [off, linear_timeouts]
    path: { rtt_ms: 100 }
    message_bytes: 100
    iat_ms: 100
    MORE
"""


@pytest.mark.parametrize(
    ("more", "sent"),
    [
        (
            "over_time: [{ forward: { lost_during: one } }, { forward: { lost_during: two } }]",
            [1000, 1200, 1000, 1010],
        ),
        ("baseline: [lksctp]\n    sctp: [{ streams: 1 }, { streams: 4 }]", [1000, 1300, 900, 1170]),
        ("baseline: [lksctp, modern]", [1000, 2000, 900, 3000]),
    ],
)
def test_it_differs_in_the_mode_alone(tmp_path: Path, more: str, sent: list[int]) -> None:
    (tmp_path / "one").write_text("100 200")
    (tmp_path / "two").write_text("100 300")
    file = tmp_path / "experiment.yaml"
    file.write_text(EXPERIMENT.replace("MORE", more))
    asked = list(requests(read(file)[0]))
    cells = list(dict.fromkeys(request.cell for request in asked))
    packets = dict(zip(cells, sent, strict=True))
    pairs = [
        (one, {"mode": one.cell.mode, "packets": packets[one.cell] + one.run}) for one in asked
    ]
    rows.compare_with_off(pairs)
    found = {(one.cell, one.run): row["packets_against_off_share"] for one, row in pairs}
    for (cell, run), share in found.items():
        (off,) = (
            other
            for other in cells
            if other.mode == "off"
            and other.over_time == cell.over_time
            and other.transport.model_copy(update={"mechanisms": cell.transport.mechanisms})
            == cell.transport
        )
        assert share == (packets[cell] + run) / (packets[off] + run) - 1
    assert len(found) == 2 * len(sent)
