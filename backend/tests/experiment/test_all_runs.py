"""Figures of all runs together, read off what they say that they show.

SPDX-License-Identifier: Apache-2.0
"""

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from thinlab.experiment.asked_drawings import asked_for
from thinlab.experiment.definition import Cell, ExperimentDefinition
from thinlab.experiment.drawing import Drawing, style_of
from thinlab.experiment.file import read
from thinlab.experiment.summary import CellSummary

FIRST = "retransmission_latency_first"
EXPERIMENTS = Path(__file__).parents[2] / "experiments"
LATENCIES = {
    "figure": "latencies",
    "name": "ordinals",
    "title": "Ordinals",
    "where": {"loss_share": 0.05},
    "curves": {"1st": FIRST, "2nd": "retransmission_latency_second"},
}
KINDS = {
    "figure": "kinds",
    "name": "kinds",
    "title": "Kinds",
    "totals": {"1st": {"timeout": "chunks_first_timeout", "fast": "chunks_first_fast"}},
}
DISTRIBUTION = {
    "figure": "distribution",
    "name": "evenly",
    "title": "Evenly",
    "curve": "throughput_per_100_ms",
}


def _experiment(*figures: dict[str, Any]) -> ExperimentDefinition:
    grid = {
        "baseline": "lksctp",
        "mode": ["off", "linear_timeouts"],
        "loss_share": [0.01, 0.05],
        "rtt_ms": 100,
        "message_bytes": 100,
        "iat_ms": 250,
    }
    told = {"name": "some", "title": "t", "description": "d", "seed": 1, "runs": 2, "minutes": 1}
    return ExperimentDefinition.model_validate(told | {"grids": [grid], "figures": figures})


def _run(cell: Cell) -> CellSummary:
    late_us = 1e6 if cell.mode == "off" else 2e5
    rows = tuple(
        {
            f"{FIRST}_samples": samples,
            f"{FIRST}_mean_us": late_us,
            f"{FIRST}_cdf_us": [late_us],
            f"{FIRST}_cdf_share": [1.0],
            "chunks_first_timeout": timeouts,
            "chunks_first_fast": 1,
            "throughput_per_100_ms_intervals": 10,
            "throughput_per_100_ms_cdf_bit_per_s": [0.0, 8_000.0 * samples],
            "throughput_per_100_ms_cdf_share": [0.5, 1.0],
            "position_tank_s": samples,
            "position_error_cdf_units": [0.0, samples / 100],
            "position_error_cdf_share": [0.8, 1.0],
        }
        for samples, timeouts in ((100, 7), (300, 1))
    )
    return CellSummary(cell, rows)


def _drawn(figure: dict[str, Any]) -> Drawing:
    experiment = _experiment(figure)
    (drawn,) = asked_for(experiment, [_run(cell) for cell in experiment.cells()], None, None)
    assert figure["title"].encode() in drawn.svg()
    return drawn


def test_latencies_are_of_the_cells_that_it_names_and_of_all_runs() -> None:
    points = _drawn(LATENCIES).points
    # What was never retransmitted twice has no bar there.
    assert [(one["line"], one["of"], one["samples"]) for one in points] == [
        ("off", "1st", 400),
        ("linear_timeouts", "1st", 400),
    ]
    shown = [(one["mean_ms"], one["p99_ms"], one["max_ms"]) for one in points]
    assert shown == [(1000.0, 1000.0, 1000.0), (200.0, 200.0, 200.0)]


def test_kinds_are_shares_of_the_sum_over_runs() -> None:
    points = _drawn(KINDS | {"where": {"loss_share": 0.05}}).points
    of_off = [one for one in points if one["line"] == "off"]
    # Not the mean of 7 of 8 and 1 of 2.
    assert [(one["kind"], one["share"]) for one in of_off] == [("timeout", 0.8), ("fast", 0.2)]


def test_a_distribution_is_of_all_intervals() -> None:
    points = _drawn(DISTRIBUTION | {"where": {"loss_share": 0.01}}).points
    of_off = [(one["kbit/s"], one["share"]) for one in points if one["line"] == "off"]
    assert of_off == [(0.0, 0.5), (800.0, 0.75), (2400.0, 1.0)]


def test_a_position_error_is_in_units_and_weighs_by_the_time_of_tanks() -> None:
    figure = {**DISTRIBUTION, "curve": "position_error", "from_share": 0.75, "to": 2.5}
    drawn = _drawn(figure)
    first = [(point["units"], point["share"]) for point in drawn.points][:3]
    assert first == [(0.0, pytest.approx(0.8)), (1.0, pytest.approx(0.85)), (3.0, 1.0)]
    (panel,) = drawn.figure.axes
    assert panel.get_xlabel() == "position error, units"
    assert (panel.get_xlim(), panel.get_ylim()) == ((0, 2.5), (0.75, 1))
    # Positions in the file are cut short; what it says is not.
    assert b">0.75</text>" in drawn.svg()
    assert not re.search(rb"<[^>]*\d\.\d\d", drawn.svg())


@pytest.mark.parametrize(
    ("figure", "remedy"),
    [
        (LATENCIES | {"curves": {"1st": "first"}}, "no curve is called `first`; there are felt_so"),
        (LATENCIES | {"curves": {"1st": "felt_sojourn"}}, "no mean over all runs; give one of ret"),
        (LATENCIES | {"curves": {"1st": "throughput_per_2_s"}}, "no mean over all runs"),
        (KINDS | {"totals": {"1st": {"a": "b"}}}, "no metric is called `b`: name one of the resul"),
        (DISTRIBUTION | {"curve": "evenly"}, "no curve is called `evenly`"),
    ],
)
def test_what_results_do_not_have_is_refused(figure: dict[str, Any], remedy: str) -> None:
    with pytest.raises(ValidationError, match=remedy):
        _experiment(figure)


@pytest.mark.parametrize("name", ["sctp-artificial-loss", "sctp-congestion", "sctp-interarrival"])
def test_bars_beside_each_other_have_colours_of_their_own(name: str) -> None:
    experiment, _ = read(EXPERIMENTS / f"{name}.yaml")
    modes = {cell.mode: style_of(cell)["color"] for cell in experiment.cells()}
    assert len(set(modes.values())) == len(modes), modes


@pytest.mark.parametrize("name", ["sctp-anarchy-online", "sctp-two-stacks", "tcp-lite-today"])
def test_one_mode_on_two_baselines_is_two_lines_to_look_at(name: str) -> None:
    experiment, _ = read(EXPERIMENTS / f"{name}.yaml")
    styles = {(cell.transport.baseline, cell.mode): style_of(cell) for cell in experiment.cells()}
    assert len({str(style) for style in styles.values()}) == len(styles), styles
