"""Boxes of runs and points of runs, read off what a figure says that it shows.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any

import pytest
from pydantic import ValidationError

from thinlab.experiment.asked_drawings import asked_for
from thinlab.experiment.definition import Cell, ExperimentDefinition
from thinlab.experiment.published import Published
from thinlab.experiment.summary import CellSummary

BOXES = {
    "figure": "boxes",
    "name": "lost",
    "title": "Lost",
    "group": ["some"],
    "metric": "retransmitted_packet_share",
    "labels": ["a", "b"],
}
SCATTER = {
    "figure": "scatter",
    "name": "against",
    "title": "Against",
    "metric": "packets",
    "against": "retransmitted_packet_share",
}
RUNS = (0.01, 0.02, 0.03, 0.04, 0.10)


def _experiment(*figures: dict[str, Any]) -> ExperimentDefinition:
    flows = [{"name": "some", "stream": {"bulk": {"bytes": 1000}}}]
    grid = {"mode": ["off", "tcp_lite"], "path": [{"rtt_ms": 10}, {"rtt_ms": 20}], "flows": flows}
    told = {"name": "spread", "title": "t", "description": "d", "seed": 1, "runs": 5, "minutes": 1}
    return ExperimentDefinition.model_validate(told | {"grids": [grid], "figures": figures})


def _run(cell: Cell) -> CellSummary:
    more = cell.rtt_ms / 1000
    return CellSummary(
        cell,
        tuple(
            {"retransmitted_packet_share": one + more, "packets": 100 + number}
            for number, one in enumerate(RUNS)
        ),
    )


def _summaries(experiment: ExperimentDefinition, *, at_rtt_ms: set[int]) -> list[CellSummary]:
    parts = [part for cell in experiment.cells() for part in cell.parts()]
    return [_run(part) for part in parts if part.group == "some" and part.rtt_ms in at_rtt_ms]


def test_a_box_has_the_quartiles_of_its_runs() -> None:
    experiment = _experiment(BOXES)
    (drawn,) = asked_for(experiment, _summaries(experiment, at_rtt_ms={10, 20}), None, None)
    assert drawn.name == "spread-lost"
    first = drawn.points[0]
    assert (first["line"], first["path"], first["runs"]) == ("off", "a", 5)
    # In percent, and one more of the path with a round trip of 10 ms.
    names = ("lowest", "quartile_1", "median", "quartile_3", "highest", "mean")
    assert [first[name] for name in names] == pytest.approx([2, 3, 4, 5, 11, 5])
    assert [(one["line"], one["path"]) for one in drawn.points] == [
        ("off", "a"),
        ("tcp_lite", "a"),
        ("off", "b"),
        ("tcp_lite", "b"),
    ]
    assert b">Lost<" in drawn.svg()


def test_a_path_that_was_not_run_leaves_its_place_empty() -> None:
    experiment = _experiment(BOXES)
    (drawn,) = asked_for(experiment, _summaries(experiment, at_rtt_ms={20}), None, None)
    assert {one["path"] for one in drawn.points} == {"b"}
    assert asked_for(experiment, [], None, None) == []


def test_what_was_published_stands_beside_its_box() -> None:
    experiment = _experiment(BOXES)
    row = {"mode": "tcp_lite", "group": "some", "metrics": {"retransmitted_packet_share": 0}}
    published = Published.model_validate({"source": "s", "short": "them", "rows": [row]})
    (drawn,) = asked_for(experiment, _summaries(experiment, at_rtt_ms={10}), published, None)
    assert {"line": "tcp_lite, them", "mean": 0.0}.items() <= drawn.points[-1].items()


def test_a_run_is_a_point() -> None:
    experiment = _experiment(SCATTER)
    (drawn,) = asked_for(experiment, _summaries(experiment, at_rtt_ms={10}), None, None)
    of_off = [one for one in drawn.points if one["line"] == "off"]
    assert [one["packets"] for one in of_off] == [100, 101, 102, 103, 104]
    assert of_off[0]["retransmitted_packet_share"] == pytest.approx(2)


@pytest.mark.parametrize(
    ("figure", "remedy"),
    [
        (BOXES | {"labels": ["a"]}, "`labels` of the figure `lost` are 1, and there are 2 paths"),
        (BOXES | {"group": ["none"]}, "no flows are called `none`, which the figure `lost` names"),
    ],
)
def test_a_figure_that_cannot_be_is_refused(figure: dict[str, Any], remedy: str) -> None:
    with pytest.raises(ValidationError, match=remedy):
        _experiment(figure)
