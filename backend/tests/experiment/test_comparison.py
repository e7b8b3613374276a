"""Published figures beside ours, and somebody's sessions beside the same of ours, by hand.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import ValidationError

from tests.experiment.made_up_cell import CELL
from thinlab.experiment import codebook, self_check
from thinlab.experiment.comparison import Comparison, compare
from thinlab.experiment.definition import AsPublished, Check
from thinlab.experiment.file import read
from thinlab.experiment.published import Published
from thinlab.experiment.replication import Agreement, agrees
from thinlab.experiment.replication import compare as compare_sessions
from thinlab.experiment.request import requests
from thinlab.experiment.summary import CellSummary

SMALL = Path(__file__).parent / "small.yaml"
SIZE = "packet_payload_mean_bytes"


def published(value: float, **more: object) -> Published:
    """One figure of one cell."""
    rows = [{"mode": "bundling", "loss_share": 0.01, "metrics": {SIZE: value}}]
    return Published.model_validate(
        {"source": "Somebody", "short": "them", "rows": rows, "rounded_to": {}} | more
    )


def compared(theirs: Published, *checks: Check) -> Comparison:
    """The one comparison of a cell whose runs gave 120, 121, 122: 121 ± 2.48."""
    rows = tuple({SIZE: value} for value in (120.0, 121.0, 122.0))
    (only,) = compare(checks, [CellSummary(CELL, rows)], theirs)
    return only


def test_a_row_may_speak_of_one_group_of_flows() -> None:
    rows = [{"mode": "bundling", "group": "ssh, back", "metrics": {SIZE: 157.4}}]
    theirs = published(0, rows=rows)
    assert theirs.metric(replace(CELL, group="ssh, back"), SIZE) == 157.4
    assert theirs.metric(replace(CELL, group="ssh"), SIZE) is None


def test_what_lies_in_the_band_agrees() -> None:
    inside, outside = compared(published(123.4)), compared(published(123.6))
    assert (inside.agrees, inside.why) == (True, "within our 95 % interval")
    assert (inside.ours, inside.theirs, inside.difference) == (
        "121.0 ± 2.5",
        "123.4",
        "-2.4 (-1.9%)",
    )
    assert (outside.agrees, outside.why) == (False, "")


def test_a_printed_digit_is_as_exact_as_it_is() -> None:
    rounded = {"rounded_to": {SIZE: 1}}
    assert compared(published(123.9, **rounded)).agrees
    assert not compared(published(124.1, **rounded)).agrees


def test_the_experiments_own_limit_counts() -> None:
    check = AsPublished(check="as_published", metric=SIZE, within=5)
    assert (
        compared(published(126), check).why == "within the 5.0 bytes that the experiment asks for"
    )
    assert not compared(published(126.1), check).agrees


def test_a_cause_is_told_where_figures_differ_and_only_there() -> None:
    cause = {"metric": SIZE, "mode": "bundling", "cause": "Because", "trace": "a capture"}
    elsewhere = cause | {"where": {"loss_share": 0.5}, "cause": "Elsewhere"}
    theirs = published(150, causes=[elsewhere, cause])
    assert (compared(theirs).why, compared(theirs).trace) == ("Because", "a capture")
    assert compared(published(121, causes=[cause])).trace == ""


def test_metrics_that_nobody_has_are_refused() -> None:
    rows = [{"mode": "off", "metrics": {"paket": 1.0}}]
    with pytest.raises(ValidationError, match="no metric is called `paket`"):
        Published.model_validate({"source": "S", "short": "s", "rows": rows})


def sessions(**changed: object) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """All of small.yaml, and the same with one session changed."""
    experiment, _ = read(SMALL)
    theirs = [
        {
            "key": request.key("one"),
            "host_build": "one",
            "packets": 10,
            "rto_ms": float("nan"),
            "sender_capture_sha256": "s",
            "receiver_capture_sha256": "r",
            "version_python": "3",
        }
        for request in requests(experiment)
    ]
    ours = [dict(row) for row in theirs]
    ours[3] |= changed
    return theirs, ours


def test_the_same_sessions_agree() -> None:
    experiment, _ = read(SMALL)
    told = compare_sessions(experiment, *sessions())
    assert len(told) == 12
    assert {(one.metrics, one.captures, one.why) for one in told} == {
        (Agreement.SAME, Agreement.SAME, "")
    }
    assert agrees(told)


@pytest.mark.parametrize(
    ("changed", "metrics", "captures", "why"),
    [
        ({"packets": 11}, "different", "same", "this should not be"),
        ({"sender_capture_sha256": "x"}, "same", "different", "this should not be"),
        ({"packets": 11, "version_python": "4"}, "different", "same", "python 3 there, 4 here"),
        ({"sender_capture_sha256": None}, "same", "not recorded", ""),
    ],
)
def test_what_differs_is_named(
    changed: dict[str, object], metrics: str, captures: str, why: str
) -> None:
    experiment, _ = read(SMALL)
    told = compare_sessions(experiment, *sessions(**changed))
    one = told[3]
    assert (one.metrics, one.captures) == (metrics, captures)
    assert why in one.why
    assert one.differing == (["packets"] if "packets" in changed else [])
    assert agrees(told) is (why == "")


def test_another_build_and_a_missing_session_are_told_apart() -> None:
    experiment, _ = read(SMALL)
    theirs, _ = sessions()
    ours = [
        {**row, "key": request.key("two"), "host_build": "two", "packets": 11}
        for row, request in zip(theirs, requests(experiment), strict=True)
    ]
    told = compare_sessions(experiment, theirs, ours[1:])
    assert (told[0].metrics, told[0].why) == (Agreement.MISSING, "it failed here")
    assert "another host build: one there, two here" in told[1].why


def result(**changed: int) -> dict[str, object]:
    """What a record keeps of packets and bytes."""
    way = {"sent_packets": 10, "received_packets": 9, "dropped_packets": 2}
    forward = way | {"duplicated_packets": 1} | changed
    return {
        "check": {"forward": forward, "backward": way | {"sent_packets": 11}},
        "metrics": {"unique_bytes": 100, "delivered_bytes": 100},
    }


def test_a_packet_that_nobody_answers_for_breaks_the_self_check() -> None:
    assert self_check.broken(result()) is None
    assert self_check.broken(result(received_packets=8)) == (
        "self-check, forward: of 11 packets 8 were received and 2 dropped"
    )
    short = result() | {"metrics": {"unique_bytes": 100, "delivered_bytes": 99}}
    assert self_check.broken(short) == (
        "self-check: 100 bytes of the stream were sent, 99 were delivered"
    )


def test_the_codebook_has_a_line_for_every_column() -> None:
    lines = codebook.as_csv(["key", "packets", "rto_ms", "counter_X", "version_python"])
    assert [line.split(",")[0] for line in lines.splitlines()] == [
        *("column", "key", "packets", "rto_ms", "counter_X", "version_python")
    ]
    assert all(line.split(",", 3)[3] for line in lines.splitlines())
