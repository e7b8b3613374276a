"""Bots that mind damage so much and delay so much take a study, and its analysis tells as much.

The whole path is real: the host that records, the server, PostgreSQL, votes over HTTP, and what the
results page gets. `backend/bots-with-tastes` sends bots through many studies; the test is its short
form.
"""

import os
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from tests.bots.late_or_damaged import real_studies
from thinlab.bots.planted_taste import LOG_ODDS_APART, NothingWeighedError, utilities_of

# Studies of each taste.
STUDIES = int(os.environ.get("THINLAB_STUDIES", "1"))
BOTS = int(os.environ.get("THINLAB_BOTS", "40"))
# Of preferences, and of ratings.
BLOCKS = ("main", "rated")
# To whom a ms of damage, which is eight wrong samples, is as bad as so many of concealment. The
# study's recordings have up to 130 ms of the one and 6 s of the other: to the former it is damage
# by which most of them differ, to the latter delay.
TASTES = {"damage-averse": 50.0, "delay-averse": 5.0}
SURE = 0.001
WEIGHED: dict[str, Any] = {
    "analysis": {
        "delay_metric": "playout_concealed_ms",
        "weighed_against": "playout_damaged_ms",
    }
}


def heard(concealed_ms: float, damaged_ms: float | None) -> dict[str, Any]:
    """A result of which nothing else is asked."""
    return {"playout": {"concealed_ms": concealed_ms, "damaged_ms": damaged_ms}}


def test_recordings_are_as_far_apart_as_the_worth_of_their_damage_says() -> None:
    results = {1: heard(0, None), 2: heard(300, 0), 3: heard(0, 100), 4: None}
    utilities = utilities_of(WEIGHED, results, 2.0)
    # 0, 300 and 200 ms of concealment's worth; the reference is as the first.
    best, late, damaged = LOG_ODDS_APART / 2, -LOG_ODDS_APART / 2, -LOG_ODDS_APART / 6
    assert utilities == pytest.approx({1: best, 2: late, 3: damaged, 4: best})
    assert set(utilities_of(WEIGHED, {1: None, 2: None}, 2.0).values()) == {0.0}


@pytest.mark.parametrize("plan", [None, {"delay_metric": "playout_concealed_ms"}])
def test_a_plan_that_weighs_nothing_is_told(plan: dict[str, Any] | None) -> None:
    with pytest.raises(NothingWeighedError):
        utilities_of({"analysis": plan}, {1: heard(1, 1)}, 1.0)


@pytest.mark.alone
async def test_a_planted_taste_lies_in_the_interval_of_what_is_told(
    data_folder: Path, tmp_path: Path
) -> None:
    slugs = {f"{name}-{number}": name for number in range(STUDIES) for name in TASTES}
    outcomes: dict[tuple[str, str], list[bool]] = {}
    async with real_studies(list(slugs), data_folder, tmp_path) as studies:
        for number, (slug, taste) in enumerate(slugs.items()):
            worth = TASTES[taste]
            said = await studies.send(slug, worth, BOTS, seed=number)
            assert f"honest: {BOTS} complete" in said
            for block, found in (await studies.weighed(slug)).items():
                print(f"{slug}, {block}: {found['sentence']}", flush=True)
                told = outcomes.setdefault((taste, block), [])
                if found["worth"] is not None:
                    low, value, high = (found["worth"][end] for end in ("low", "value", "high"))
                    told.append(low <= worth <= high)
                    # Twice as far out on either side is as good as never missed.
                    assert 2 * low - value <= worth <= 2 * high - value, found["sentence"]
    assert set(outcomes) == {(taste, block) for taste in TASTES for block in BLOCKS}
    for (taste, block), told in outcomes.items():
        inside = sum(told)
        print(f"{taste}, {block}: inside {inside} of {len(told)} told, of {STUDIES} studies")
        # One interval of twenty may miss it; so few hold it once in a thousand times.
        assert told, "no line"
        assert stats.binomtest(inside, len(told), 0.95, "less").pvalue > SURE
