"""What a presenter is told before believing what they see.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Any

import pytest

from thinlab.condition import profiles, words
from thinlab.condition.transport import PAPERS
from thinlab.demo.advice import measured_advice, settings_advice
from thinlab.demo.limits import (
    FREE_LIMIT_BYTES,
    LENGTH_LIMIT_MS,
    SIZE_LIMIT_BYTES,
    limit_advice,
    limit_reached,
)
from thinlab.demo.presets import FIRST, LATE_OR_DAMAGED, PRESETS
from thinlab.demo.setting import DemoSettings
from thinlab.demo.wording import lane_names

PLENTY = 100 * FREE_LIMIT_BYTES


def settings(
    *lanes: tuple[str, list[str]], stream: dict[str, Any] | None = None, preset: str = "paper"
) -> DemoSettings:
    """Lanes by baseline and mechanisms."""
    return DemoSettings.model_validate(
        {
            "path": next(one.path for one in PRESETS if one.name == preset),
            "lanes": [
                {"name": None, "baseline": baseline, "mechanisms": mechanisms}
                for baseline, mechanisms in lanes
            ],
            "stream": stream or FIRST.stream,
        }
    )


def said(given: DemoSettings) -> str:
    return " ".join(one.text for one in settings_advice(given))


def sparse(iat_ms: float) -> dict[str, Any]:
    return {"kind": "synthetic", "payload_bytes": 120, "iat_ms": iat_ms}


def test_the_papers_setting_needs_no_advice() -> None:
    assert settings_advice(FIRST) == []
    floor = settings(("modern", ["bundling"]), ("modern", ["bundling", "window_floor"]))
    assert settings_advice(floor) == []


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (settings(("modern", []), ("modern", ["linear_timeouts"])), "No difference"),
        (
            settings(("modern", []), ("modern", ["linear_timeouts"]), stream=sparse(140)),
            "Hardly a difference is to be expected on modern",
        ),
        (
            settings(("newreno2008", []), ("newreno2008", ["linear_timeouts"]), stream=sparse(140)),
            "several packets in a row",
        ),
        (settings(("newreno2008", []), ("newreno2008", ["linear_timeouts"])), "too thick"),
        (
            settings(("modern", []), ("modern", ["bundling_depth"])),
            "no lane bundles",
        ),
        (
            settings(("modern", ["bundling"]), ("modern", ["bundling", "bundling_depth"])),
            "look at the bytes",
        ),
        (settings(("bbr", []), ("bbr", ["window_floor"])), "BBR has no threshold"),
        (
            settings(("modern", []), ("modern", ["window_floor"]), stream=sparse(140)),
            "needs a small window only",
        ),
        (settings(("modern", []), ("modern", ["tail_copy"])), "too thick"),
        (
            settings(("newreno2008", []), ("newreno2008", ["early_probe"]), stream=sparse(140)),
            "no loss probes",
        ),
        (settings(("modern", []), ("modern", ["write_recovery"])), "no lane bundles"),
        (
            settings(("modern", ["bundling"]), ("modern", ["bundling", "write_recovery"])),
            "too thick",
        ),
        (
            settings(
                ("modern", ["bundling"]),
                ("modern", ["bundling", "write_recovery"]),
                stream=sparse(140),
            ),
            "after a timeout",
        ),
        (settings(("newreno2008", []), ("newreno2008", [])), "same sender"),
        (settings(("newreno2008", []), ("modern", [])), "differ in their baseline"),
        (settings(("newreno2008", []), ("lksctp", [])), "differ in their protocol"),
        (
            settings(("lksctp", []), ("lksctp", ["bundling", "tail_copy"]), stream=sparse(20)),
            "too thick for SCTP's mechanisms",
        ),
        (
            settings(("modern", []), ("modern", ["bundling"]), stream=sparse(400)),
            "switches itself off",
        ),
        (
            settings(("newreno2008", []), ("newreno2008", ["bundling"]), preset="clean"),
            "Nothing is lost",
        ),
    ],
)
def test_what_cannot_show_a_difference_is_said(given: DemoSettings, expected: str) -> None:
    assert expected in said(given)
    assert all(one.reason for one in settings_advice(given))


def test_what_can_show_one_is_left_alone() -> None:
    for stream in (None, sparse(140)):
        assert said(settings(("modern", []), ("modern", ["bundling"]), stream=stream)) == ""
    tail = settings(("modern", []), ("modern", ["early_probe", "tail_copy"]), stream=sparse(140))
    assert said(tail) == ""
    sctp = settings(("lksctp", []), ("lksctp", ["short_min_rto"]), stream=sparse(140))
    assert said(sctp) == ""


def figures(p99_ms: float) -> dict[str, Any]:
    distribution = {"p99_us": p99_ms * 1000, "samples": 1_700}
    return {
        "metrics": {"application": {"per_message": distribution}},
        "felt": {"sojourn": {"p99_us": 2 * p99_ms * 1000, "samples": 90}},
    }


def test_what_was_measured_is_said_in_numbers() -> None:
    names = ["A (off)", "B (all)", "C (bundling)"]
    (one, other) = measured_advice(names, [figures(420), figures(110), figures(415)], FIRST)
    assert one.text == (
        "B (all) is quicker: 99 of 100 messages arrive within 110 ms, over A (off) within 420 ms."
    )
    assert other.text == (
        "No difference so far: over A (off) and C (bundling) 99 of 100 messages arrive within "
        "420 ms."
    )
    assert measured_advice(names[:1], [figures(420)], FIRST) == []
    assert measured_advice(names[:2], [None, figures(1)], FIRST) == []
    typed = settings(
        ("modern", []),
        ("modern", ["bundling"]),
        stream={"kind": "terminal", "editor": "vi", "text": ""},
    )
    (echo,) = measured_advice(names[:2], [figures(100), figures(150)], typed)
    assert echo.text == (
        "B (all) is slower: 99 of 100 echoes of keys arrive within 300 ms, over A (off) within "
        "200 ms."
    )


def test_limits_are_told_before_they_are_reached() -> None:
    assert limit_advice(0, 0, PLENTY) == []
    assert limit_reached(0, 0, PLENTY) is None
    near = limit_advice(
        LENGTH_LIMIT_MS - 300_000, int(SIZE_LIMIT_BYTES * 0.95), FREE_LIMIT_BYTES * 2
    )
    assert len(near) == 3
    assert "5 minutes" in near[0].text
    assert limit_reached(LENGTH_LIMIT_MS, 0, PLENTY)
    assert limit_reached(0, SIZE_LIMIT_BYTES, PLENTY)
    assert limit_reached(0, 0, FREE_LIMIT_BYTES - 1)


def test_lanes_are_called_by_what_they_do() -> None:
    lanes = settings(("modern", []), ("modern", [one.value for one in PAPERS])).lanes
    assert lane_names(lanes) == ["off", "all"]
    mixed = settings(("modern", ["bundling"]), ("bbr", ["bundling", "linear_timeouts"])).lanes
    assert lane_names(mixed) == ["bundling, modern", "linear timeouts + bundling, bbr"]
    assert lane_names([lanes[0].model_copy(update={"name": "Mine"})]) == ["Mine"]


def test_presets_are_known_by_their_paths() -> None:
    assert len({one.name for one in PRESETS}) == len(PRESETS)
    for preset in PRESETS:
        assert profiles.of_path(preset.path) is profiles.named(preset.name)
        assert words.path(preset.path) == preset.title
    odd = FIRST.path.model_copy(
        update={"forward": FIRST.path.forward.model_copy(update={"delay_ms": 10})}
    )
    assert profiles.of_path(odd) is None
    assert words.path(odd) == "there 10 ms, 2 % lost; back 65 ms, 2 % lost"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, ""),
        ({"path": FIRST.path}, "Nothing is damaged on this path"),
        ({"stream": FIRST.stream}, "Damaged sound is left out, not heard: choose G.711"),
    ],
)
def test_damage_is_heard_where_the_path_makes_some_and_the_codec_takes_it(
    changes: dict[str, Any], expected: str
) -> None:
    told = said(LATE_OR_DAMAGED.model_copy(update=changes))
    assert told.startswith(expected)
    assert bool(told) == bool(expected)
