"""Curves of several results together.

SPDX-License-Identifier: Apache-2.0
"""

import math

import pytest

from thinlab.experiment.curves import CURVE_POINTS, CURVES, of_all, of_result, together

FIRST = "retransmission_latency_first"


def _row(samples: int, *points: tuple[float, float], mean_us: float = 0.0) -> dict[str, object]:
    return {
        f"{FIRST}_samples": samples,
        f"{FIRST}_mean_us": mean_us,
        f"{FIRST}_cdf_us": [value for value, _ in points],
        f"{FIRST}_cdf_share": [share for _, share in points],
    }


def test_results_weigh_by_what_they_have_of_it() -> None:
    rows = [
        _row(100, (300.0, 1.0), mean_us=300.0),
        _row(300, (500.0, 0.5), (700.0, 1.0), mean_us=600.0),
        # None was retransmitted: it changes nothing.
        {},
    ]
    told = of_all(FIRST, rows)
    assert told[f"{FIRST}_cdf_us"] == [300.0, 500.0, 700.0]
    assert told[f"{FIRST}_cdf_share"] == pytest.approx([0.25, 0.625, 1.0])
    assert told[f"{FIRST}_samples"] == 400
    assert told[f"{FIRST}_mean_us"] == pytest.approx(525.0)
    numbers = [told[f"{FIRST}_{name}_us"] for name in ("min", "p50", "p99", "max")]
    assert numbers == [300.0, 500.0, 700.0, 700.0]
    assert of_all(FIRST, [{}]) == {}


def test_curves_of_everything_weigh_alike() -> None:
    one = {"felt_sojourn_cdf_us": [1.0], "felt_sojourn_cdf_share": [1.0]}
    other = {"felt_sojourn_cdf_us": [1.0, 3.0], "felt_sojourn_cdf_share": [0.5, 1.0]}
    told = together([one, other])
    assert told == {"felt_sojourn_cdf_us": [1.0, 3.0], "felt_sojourn_cdf_share": [0.75, 1.0]}


def test_percentiles_are_of_all_values_and_not_of_those_that_are_kept() -> None:
    def values(flow: int) -> list[float]:
        return [1_000.0 * at + flow for at in range(512)]

    flows = [
        _row(512, *((value, (at + 1) / 512) for at, value in enumerate(values(flow))))
        for flow in range(20)
    ]
    told = of_all(FIRST, flows)
    pooled = sorted(value for flow in range(20) for value in values(flow))
    for ending, share in (("p50", 0.5), ("p99", 0.99)):
        assert told[f"{FIRST}_{ending}_us"] == pooled[math.ceil(share * len(pooled)) - 1]
    assert len(told[f"{FIRST}_cdf_us"]) == CURVE_POINTS


def test_many_values_keep_their_ends() -> None:
    values = [float(value) for value in range(2_000)]
    shares = [(at + 1) / 2_000 for at in range(2_000)]
    told = of_all(
        "felt_sojourn", [{"felt_sojourn_cdf_us": values, "felt_sojourn_cdf_share": shares}]
    )
    kept = told["felt_sojourn_cdf_us"]
    assert (len(kept), kept[0], kept[-1]) == (CURVE_POINTS, 0.0, 1_999.0)


def test_a_result_has_the_curves_that_it_has() -> None:
    result = {
        "felt": {"sojourn": {"cdf": [{"latency_us": 5.0, "share": 1.0}]}},
        "metrics": {"application": {"per_byte": {"cdf": []}, "per_message": {"cdf": []}}},
        "retransmission_latency": {"first": None},
        "throughput": {"per_100_ms": {"cdf": [{"throughput_bit_per_s": 8_000.0, "share": 1.0}]}},
    }
    told = of_result(result)
    assert told["felt_sojourn_cdf_us"] == [5.0]
    assert told["throughput_per_100_ms_cdf_bit_per_s"] == [8_000.0]
    assert not any(name.startswith(FIRST) for name in told)
    # But for those that no result of the agent's has.
    assert {curve.path[0] for curve in CURVES.values() if curve.path} == set(result)
