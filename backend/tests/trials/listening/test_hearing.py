"""Tests of hearing and equipment: what sounds, who passes, and what guessing reaches.

SPDX-License-Identifier: Apache-2.0
"""

import io
import wave
from typing import Any

import numpy as np
import pytest
from httpx import AsyncClient
from numpy.typing import NDArray
from pydantic import ValidationError
from sqlalchemy import func, select

from tests.made_up import Participant, put_recordings, study_definition
from thinlab.database.schema import HearingTest
from thinlab.export import rows
from thinlab.export.participant_columns import participant_columns
from thinlab.monitoring import monitor
from thinlab.study.catalogue import StoredStudy
from thinlab.study.guessing import passed_by_guessing
from thinlab.study.hearing.bandwidth import BandwidthTest
from thinlab.study.hearing.levels import LevelsTest
from thinlab.trials.listening.checks.bandwidth.check import LOW_HZ
from thinlab.trials.listening.checks.one_of_some import RATE_HZ
from thinlab.trials.listening.checks.registry import CHECKS
from thinlab.trials.registry import KINDS
from thinlab.web.serve import load
from thinlab.web.services import Services

SEED = b"sixteen bytes it"
LEVELS = LevelsTest(test="levels", difference_db=2)
BANDWIDTH = BandwidthTest(test="bandwidth", up_to_hz=8000)
AT = "/api/participation"


def round_of(test: LevelsTest | BandwidthTest, right: int) -> bytes:
    begun = HearingTest(test=test.test, seed=SEED, rights=[right], answers=None)
    return CHECKS[test.test].sound(test, begun, 1, None)


def sounds(round_: bytes, count: int) -> list[NDArray[np.float64]]:
    with wave.open(io.BytesIO(round_), "rb") as file:
        assert (file.getnchannels(), file.getframerate()) == (1, RATE_HZ)
        samples = np.frombuffer(file.readframes(file.getnframes()), dtype="<i2").astype(float)
    assert abs(samples).max() < 32_767
    return [
        samples[at : at + RATE_HZ] for at in range(0, count * RATE_HZ * 3 // 2, RATE_HZ * 3 // 2)
    ]


def level_db(sound: NDArray[np.float64], low_hz: float = 0, high_hz: float = 24_000) -> float:
    spectrum = np.abs(np.fft.rfft(sound))
    return float(20 * np.log10(np.linalg.norm(spectrum[round(low_hz) : round(high_hz)]) + 1e-9))


@pytest.mark.parametrize("difference_db", [0.5, 2, 12])
@pytest.mark.parametrize("right", [0, 1])
def test_the_louder_tone_is_as_much_louder_as_is_said(right: int, difference_db: float) -> None:
    test = LevelsTest(test="levels", difference_db=difference_db)
    round_ = round_of(test, right)
    levels = [level_db(sound) for sound in sounds(round_, 2)]
    assert levels[right] - levels[1 - right] == pytest.approx(difference_db, abs=0.02)
    assert CHECKS["levels"].hear(round_, None) == right


@pytest.mark.parametrize("up_to_hz", [6_000, 8_000, 16_000])
@pytest.mark.parametrize("right", range(3))
def test_the_noises_differ_above_and_nowhere_below(right: int, up_to_hz: int) -> None:
    test = BandwidthTest(test="bandwidth", up_to_hz=up_to_hz)
    round_ = round_of(test, right)
    heard = sounds(round_, 3)
    low = [level_db(sound, *LOW_HZ) for sound in heard]
    assert max(low) - min(low) < 0.2
    high = [level_db(sound, 0.75 * up_to_hz, up_to_hz) for sound in heard]
    others = [level for number, level in enumerate(high) if number != right]
    assert high[right] - max(others) > 40
    # Who hears nothing of it has nothing to go by.
    beyond = [level_db(sound, LOW_HZ[1] + 100, 0.75 * up_to_hz - 100) for sound in heard]
    assert max(beyond) < max(low) - 40
    assert CHECKS["bandwidth"].hear(round_, None) == right


def test_all_rounds_of_a_test_are_as_long() -> None:
    for test in (LEVELS, BANDWIDTH):
        lengths = {len(round_of(test, right)) for right in range(test.sounds)}
        assert len(lengths) == 1


def test_as_many_rounds_have_to_be_right_as_guessing_seldom_reaches() -> None:
    assert (LEVELS.least, BANDWIDTH.least) == (10, 6)
    for test in (LEVELS, BANDWIDTH):
        assert test.guessed_share <= 0.05
        one_less = passed_by_guessing(test.rounds, test.sounds, test.least - 1, test.tries)
        assert one_less > 0.05
    own = LevelsTest(test="levels", difference_db=2, rounds=8, correct_at_least=6, tries=1)
    assert own.least == 6
    assert own.guessed_share == pytest.approx(37 / 256)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"rounds": 4}, "of those who only guess, 12 % have all 4 rounds right in one of 2 tries"),
        ({"correct_at_least": 13}, "nobody could pass"),
        ({"difference_db": 0}, "greater than or equal to 0.5"),
    ],
)
def test_what_cannot_tell_anything_is_refused(changes: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError) as raised:
        LevelsTest.model_validate({"test": "levels", "difference_db": 2, **changes})
    assert said in str(raised.value)


@pytest.fixture
async def tested(services: Services, study: StoredStudy) -> StoredStudy:
    definition = study_definition(
        hearing=[
            {"test": "levels", "difference_db": 2, "rounds": 8},
            {"test": "bandwidth", "up_to_hz": 8000, "needed": False, "tries": 1},
        ]
    )
    assert study.slug == definition.slug
    await load(services.database, [definition])
    return await put_recordings(services, definition.slug)


async def begin(somebody: Participant) -> dict[str, Any]:
    begun = await somebody.browser.post(f"{AT}/hearing", headers=somebody.headers)
    assert begun.status_code == 200, begun.text
    told: dict[str, Any] = begun.json()
    return told


async def answer(somebody: Participant, services: Services, *, wrong: int = 0) -> str:
    """A try with so many wrong answers; the stage after it."""
    begun = await begin(somebody)
    async with services.database.transaction() as session:
        row = (
            await session.scalars(
                select(HearingTest).where(
                    HearingTest.test == begun["test"],
                    HearingTest.number == begun["number"],
                    HearingTest.answers.is_(None),
                )
            )
        ).one()
    answers = [
        (right + (number < wrong)) % begun["sounds"] for number, right in enumerate(row.rights)
    ]
    body = {"test": begun["test"], "number": begun["number"], "answers": answers}
    states = set()
    for _ in range(2):
        told = await somebody.browser.post(
            f"{AT}/hearing-answers", headers=somebody.headers, json=body
        )
        assert told.status_code == 200, told.text
        states.add(told.json()["state"])
    (state,) = states
    return str(state)


async def at_the_tests(browser: AsyncClient, study: StoredStudy) -> Participant:
    somebody = await Participant.join(browser, study.slug)
    assert (await somebody.progress())["state"] == "hearing_check"
    return somebody


async def test_who_hears_goes_on_and_who_does_not_stops_for_good(
    browser: AsyncClient, services: Services, tested: StoredStudy
) -> None:
    hears = await at_the_tests(browser, tested)
    assert await answer(hears, services, wrong=1) == "hearing_check"
    assert await answer(hears, services) == "hearing_check"
    # The second is recorded only.
    assert await answer(hears, services, wrong=8) == "trials"
    deaf = await at_the_tests(browser, tested)
    assert await answer(deaf, services, wrong=1) == "hearing_check"
    assert await answer(deaf, services, wrong=2) == "hearing_failed"
    refused = await browser.post(f"{AT}/hearing", headers=deaf.headers)
    assert (refused.status_code, refused.json()["type"]) == (409, "/problems/settled")
    opened = await browser.post("/api/participation/trials", headers=deaf.headers)
    assert opened.status_code == 409
    async with services.database.transaction() as session:
        seen = await monitor.of_study(session, tested, KINDS)
        people = await rows.attendances(session, tested)
    assert (seen.flow.hearing_failed, seen.whereabouts.hearing_failed) == (1, 1)
    counted = {one.test: (one.passed, one.failed) for one in seen.hearing}
    assert counted == {"levels": (1, 1), "bandwidth": (0, 1)}
    columns = {one.name: one for one in participant_columns([tested.definition])}
    cells = {
        name: [columns[f"hearing_levels_{name}"].cell(one) for one in people.values()]
        for name in ("correct", "of", "tries", "passed")
    }
    assert cells == {
        "correct": [8, 6],
        "of": [8, 8],
        "tries": [2, 2],
        "passed": [True, False],
    }


async def test_leaving_a_try_uses_up_none_and_keeps_its_rounds(
    browser: AsyncClient, tested: StoredStudy
) -> None:
    somebody = await at_the_tests(browser, tested)
    begun = await begin(somebody)
    assert begun == await begin(somebody)
    assert set(begun) == {"test", "number", "rounds", "sounds", "needed", "answered"}
    first, again = [
        await browser.get(f"{AT}/hearing/levels/1/1", headers=somebody.headers) for _ in range(2)
    ]
    assert first.content == again.content
    assert first.headers["content-type"] == "audio/wav"


@pytest.mark.parametrize("path", ["levels/1/9", "levels/2/1", "bandwidth/1/1"])
async def test_rounds_that_are_not_there_are_not_played(
    browser: AsyncClient, tested: StoredStudy, path: str
) -> None:
    somebody = await at_the_tests(browser, tested)
    await begin(somebody)
    missing = await browser.get(f"{AT}/hearing/{path}", headers=somebody.headers)
    assert missing.status_code == 404


async def test_answers_to_another_number_of_rounds_are_no_try(
    browser: AsyncClient, tested: StoredStudy
) -> None:
    somebody = await at_the_tests(browser, tested)
    await begin(somebody)
    for answers, status in (([0] * 7, 404), ([0] * 2, 422), ([3] * 8, 422)):
        body = {"test": "levels", "number": 1, "answers": answers}
        told = await browser.post(f"{AT}/hearing-answers", headers=somebody.headers, json=body)
        assert told.status_code == status
    assert (await somebody.progress())["state"] == "hearing_check"


async def test_whoever_withdraws_takes_the_tests_along(
    browser: AsyncClient, services: Services, tested: StoredStudy
) -> None:
    somebody = await at_the_tests(browser, tested)
    await answer(somebody, services)
    await browser.delete("/api/participation", headers=somebody.headers)
    async with services.database.transaction() as session:
        assert await session.scalar(select(func.count()).select_from(HearingTest)) == 0
        (one,) = (await rows.attendances(session, tested)).values()
    assert one.participant.hearing is None
