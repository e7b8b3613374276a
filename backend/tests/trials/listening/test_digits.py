"""Digits in noise: the staircase, the sounds, and a page that does not play by the rules."""

import dataclasses
import hashlib
import io
import json
import random
import wave
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi import FastAPI
from httpx import AsyncClient
from numpy.typing import NDArray
from pydantic import ValidationError
from sqlalchemy import select

from tests.applications import app_over
from tests.bots.planted import Planted, pair, plant
from tests.made_up import Participant, put_recordings, study_definition
from thinlab.analysis.simulated.digits import Hearing, passing, precision
from thinlab.bots.bot import End
from thinlab.bots.crowd import Plan
from thinlab.clips import wav
from thinlab.clips.manifest import ClipKind, ClipPurpose, Clips, ManifestClip
from thinlab.database.schema import HearingTest
from thinlab.export import rows
from thinlab.export.participant_columns import participant_columns
from thinlab.monitoring import monitor, roster
from thinlab.study.catalogue import StoredStudy
from thinlab.study.consistency import inconsistencies
from thinlab.study.definition import StudyDefinition
from thinlab.study.hearing.digits import (
    FAMILIARISING,
    HIGHEST_DB,
    LOWEST_DB,
    DigitsTest,
    next_db,
    ratios_db,
    threshold_db,
)
from thinlab.trials.listening.checks.digits import mixed
from thinlab.trials.listening.checks.digits.check import DigitsCheck
from thinlab.trials.registry import KINDS, bot_parts
from thinlab.web.serve import load
from thinlab.web.services import Services

SEED = b"sixteen bytes it"
AT = "/api/participation"
TRIPLETS = 8
TEST = {"test": "digits", "language": "en", "srt_db_at_most": -4, "triplets": TRIPLETS}


def made_up_digits(folder: Path) -> Clips:
    """Ten “digits”: noises in bands of their own, of different lengths."""
    chance = np.random.default_rng(7)
    manifest = {}
    for digit in range(10):
        samples = chance.standard_normal(24_000 + 600 * digit)
        spectrum = np.fft.rfft(samples)
        hertz = np.fft.rfftfreq(len(samples), 1 / wav.SAMPLE_RATE_HZ)
        spectrum[np.abs(hertz - 400 * (digit + 1)) > 300] = 0
        sound = np.fft.irfft(spectrum, len(samples))
        sound *= 0.1 / np.sqrt(np.mean(sound**2))
        content = wav.encode(np.rint(sound * 32_767).astype("<i2").tobytes())
        (folder / f"en_{digit}.wav").write_bytes(content)
        manifest[f"en_{digit}"] = ManifestClip(
            title=str(digit),
            kind=ClipKind.SPEECH,
            purpose=ClipPurpose.CHECK,
            attribution="Made-up digits.",
            licence="CC0-1.0",
            changes="",
            language="en",
            talker="woman",
            active_level_dbov=-26.0,
            length_ms=500,
            sha256=hashlib.sha256(content).hexdigest(),
        )
    return Clips(folder, manifest)


@pytest.fixture
def voice(tmp_path: Path) -> mixed.Voice:
    return mixed.voice_of(made_up_digits(tmp_path), "en")


def samples_of(content: bytes) -> NDArray[np.float64]:
    with wave.open(io.BytesIO(content), "rb") as file:
        assert (file.getnchannels(), file.getframerate()) == (1, mixed.RATE_HZ)
        return np.frombuffer(file.readframes(file.getnframes()), dtype="<i2").astype(float)


def test_the_staircase_goes_one_down_and_one_up() -> None:
    assert list(ratios_db([True, True, False, True])) == [0, -2, -4, -2, -4]
    assert next_db(LOWEST_DB, right=True) == LOWEST_DB
    assert next_db(HIGHEST_DB, right=False) == HIGHEST_DB


def test_the_threshold_is_the_mean_after_the_first_with_the_one_that_would_follow() -> None:
    rights = [True] * FAMILIARISING + [False, True, False, True]
    # −8, −6, −8, −6 and, never heard, −8.
    assert threshold_db(rights) == pytest.approx(-7.2)


def test_who_guesses_comes_nowhere_near() -> None:
    test = DigitsTest.model_validate(TEST | {"triplets": 23, "srt_db_at_most": 6})
    assert 0 < test.guessed_share < 1e-6
    chance = random.Random(1)  # noqa: S311
    told = threshold_db(chance.random() < 1 / 720 for _ in range(23))
    assert told > 6


def test_the_share_of_guessers_is_what_counting_all_ways_gives() -> None:
    """By every sequence of answers to eight triplets, at a threshold that some reach."""
    test = DigitsTest.model_validate(TEST | {"srt_db_at_most": 6, "tries": 2})
    once = 0.0
    for ways in range(2**TRIPLETS):
        rights = [bool(ways >> bit & 1) for bit in range(TRIPLETS)]
        if threshold_db(rights) <= test.srt_db_at_most:
            right = sum(rights)
            once += (1 / 720) ** right * (719 / 720) ** (TRIPLETS - right)
    assert test.guessed_share == pytest.approx(1 - (1 - once) ** 2)


@pytest.mark.parametrize("changes", [{"srt_db_at_most": 7}, {"triplets": 7}, {"language": "nb"}])
def test_what_tells_nothing_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        DigitsTest.model_validate(TEST | changes)


def test_a_threshold_has_to_be_stated() -> None:
    with pytest.raises(ValidationError, match="srt_db_at_most"):
        DigitsTest.model_validate({"test": "digits", "language": "en"})


def test_simulated_listeners_are_told_apart_as_the_documentation_says() -> None:
    test = DigitsTest.model_validate(TEST | {"triplets": 23, "srt_db_at_most": -6})
    hearing = Hearing(slope_per_db=0.2)
    clear, worse = passing(test, hearing, (-3, 3), 300, seed=1)
    assert clear > 0.97
    assert worse < 0.03
    one = precision(test, hearing, -6, 300, seed=1)
    assert abs(one.bias_db) < 0.3
    assert 0.4 < one.error_db < 1
    # Two tries are independent.
    assert one.retest_db == pytest.approx(one.error_db * 2**0.5, rel=0.15)


def test_neither_size_nor_level_tells_how_deep_the_digits_are(voice: mixed.Voice) -> None:
    rounds = [
        mixed.triplet(voice, SEED, 1, spoken, snr_db)
        for spoken in ("012", "987")
        for snr_db in range(LOWEST_DB, HIGHEST_DB + 1, 6)
    ]
    assert len({len(one) for one in rounds}) == 1
    assert len({one[:44] for one in rounds}) == 1
    levels = [np.sqrt(np.mean(samples_of(one) ** 2)) for one in rounds]
    assert max(levels) / min(levels) < 1.01
    assert max(np.abs(samples_of(one)).max() for one in rounds) < 32_767


def test_the_same_round_is_the_same_bytes(voice: mixed.Voice) -> None:
    first, again = (mixed.triplet(voice, SEED, 3, "314", -4) for _ in range(2))
    assert first == again
    assert mixed.triplet(voice, SEED, 4, "314", -4) != first


@pytest.mark.parametrize("snr_db", [0, -8, 6])
def test_speech_is_as_far_from_the_noise_as_is_said(voice: mixed.Voice, snr_db: int) -> None:
    """Noise alone is what is left when hardly any speech is mixed in: both are known apart."""
    noise = samples_of(mixed.triplet(voice, SEED, 1, "270", -120))
    both = samples_of(mixed.triplet(voice, SEED, 1, "270", snr_db))
    # Where no digit sounds there is noise alone, and tells the gain of the whole.
    quiet = slice(mixed.RATE_HZ // 10, 4 * mixed.RATE_HZ // 10)
    gain = np.linalg.norm(both[quiet]) / np.linalg.norm(noise[quiet])
    speech = both / gain - noise
    place = slice(round(0.5 * mixed.RATE_HZ), round((0.5 + mixed.PLACE_S) * mixed.RATE_HZ))
    length = len(voice.digits[2])
    level = np.sqrt(np.sum(speech[place] ** 2) / length) / np.sqrt(np.mean(noise**2))
    assert 20 * np.log10(level) == pytest.approx(snr_db, abs=0.3)


def test_the_noise_has_the_spectrum_of_the_digits(voice: mixed.Voice) -> None:
    noise = samples_of(mixed.triplet(voice, SEED, 1, "012", -120))
    spectrum = np.abs(np.fft.rfft(noise)) ** 2
    hertz = np.fft.rfftfreq(len(noise), 1 / mixed.RATE_HZ)
    places = np.linspace(0, mixed.RATE_HZ / 2, len(voice.spectrum))
    bands = [(low, low + 400) for low in range(200, 4_200, 400)]
    of_noise = np.array([spectrum[(hertz >= a) & (hertz < b)].sum() for a, b in bands])
    of_digits = np.array(
        [(voice.spectrum[(places >= a) & (places < b)] ** 2).sum() for a, b in bands]
    )
    apart_db = 10 * np.log10(of_noise / of_noise.sum()) - 10 * np.log10(of_digits / of_digits.sum())
    assert np.abs(apart_db).max() < 1.5


def test_a_program_hears_them(voice: mixed.Voice) -> None:
    for spoken in ("012", "598", "736"):
        assert mixed.recognised(voice, mixed.triplet(voice, SEED, 1, spoken, -6)).digits == spoken


def test_a_triplet_has_three_different_digits() -> None:
    rule = DigitsTest.model_validate(TEST | {"triplets": 40})
    drawn = DigitsCheck().draw(rule)
    assert all(len(set(one)) == 3 for one in drawn)
    assert len(set(drawn)) > 30


@pytest.fixture
def services(services: Services, tmp_path: Path) -> Services:
    folder = tmp_path / "digits"
    folder.mkdir()
    return dataclasses.replace(services, digits=made_up_digits(folder))


async def loaded(services: Services, study: StoredStudy, **changes: Any) -> StoredStudy:  # noqa: ANN401
    definition = study_definition(**({"hearing": [TEST]} | changes))
    assert study.slug == definition.slug
    await load(services.database, [definition])
    return await put_recordings(services, definition.slug)


@pytest.fixture
async def tested(services: Services, study: StoredStudy) -> StoredStudy:
    return await loaded(services, study)


async def begin(somebody: Participant) -> dict[str, Any]:
    begun = await somebody.browser.post(f"{AT}/hearing", headers=somebody.headers)
    assert begun.status_code == 200, begun.text
    told: dict[str, Any] = begun.json()
    return told


async def send(somebody: Participant, round_: int, answer: str, number: int = 1) -> Any:  # noqa: ANN401
    body = {"test": "digits", "number": number, "round": round_, "answer": answer}
    return await somebody.browser.post(f"{AT}/hearing-rounds", headers=somebody.headers, json=body)


async def heard(somebody: Participant, round_: int, number: int = 1) -> Any:  # noqa: ANN401
    return await somebody.browser.get(
        f"{AT}/hearing/digits/{number}/{round_}", headers=somebody.headers
    )


async def key(services: Services, number: int = 1) -> HearingTest:
    """Of the one who is tested."""
    async with services.database.transaction() as session:
        found = await session.scalars(select(HearingTest).where(HearingTest.number == number))
        return found.one()


async def take(
    somebody: Participant, services: Services, rights: list[bool], number: int = 1
) -> None:
    spoken = (await key(services, number)).rights
    for round_, (right, digits) in enumerate(zip(rights, spoken, strict=True), start=1):
        told = await send(somebody, round_, digits if right else "000", number)
        assert told.json() == {"answered": round_, "over": round_ == len(rights)}


async def test_who_hears_goes_on_and_the_threshold_is_everywhere(
    browser: AsyncClient, services: Services, tested: StoredStudy
) -> None:
    somebody = await Participant.join(browser, tested.slug)
    begun = await begin(somebody)
    assert begun == {
        "test": "digits",
        "number": 1,
        "rounds": TRIPLETS,
        "sounds": 3,
        "needed": True,
        "answered": 0,
    }
    await take(somebody, services, [True] * 4 + [False, True, False, True])
    assert (await somebody.progress())["state"] == "trials"
    async with services.database.transaction() as session:
        (row,) = await roster.of_study(session, tested)
        seen = await monitor.of_study(session, tested, KINDS)
        (one,) = (await rows.attendances(session, tested)).values()
    assert [vars(test) for test in row.hearing] == [
        {"test": "digits", "passed": True, "tries": 1, "told": "threshold −7.2 dB"}
    ]
    assert [(test.test, test.passed, test.failed) for test in seen.hearing] == [("digits", 1, 0)]
    columns = {column.name: column for column in participant_columns([tested.definition])}
    cells = {
        name: columns[f"hearing_digits_{name}"].cell(one)
        for name in ("srt_db", "correct", "of", "tries", "passed")
    }
    assert cells == {"srt_db": -7.2, "correct": 6, "of": 8, "tries": 1, "passed": True}
    assert columns["hearing_digits_srt_db"].unit == "dB"


async def test_who_does_not_stops_for_good(
    browser: AsyncClient, services: Services, tested: StoredStudy
) -> None:
    somebody = await Participant.join(browser, tested.slug)
    await begin(somebody)
    await take(somebody, services, [True, False] * 4)
    assert (await somebody.progress())["state"] == "hearing_failed"
    again = await browser.post(f"{AT}/hearing", headers=somebody.headers)
    assert (again.status_code, again.json()["type"]) == (409, "/problems/settled")
    opened = await browser.post("/api/participation/trials", headers=somebody.headers)
    assert opened.status_code == 409


async def test_a_rule_leaves_out_or_marks_who_did_not_pass(
    browser: AsyncClient, services: Services, study: StoredStudy
) -> None:
    tested = await loaded(
        services,
        study,
        hearing=[TEST | {"needed": False}],
        exclusion=[{"rule": "hearing_failed", "test": "digits"}],
    )
    somebody = await Participant.join(browser, tested.slug)
    await begin(somebody)
    await take(somebody, services, [False] * TRIPLETS)
    assert (await somebody.progress())["state"] == "trials"
    async with services.database.transaction() as session:
        (row,) = await roster.of_study(session, tested)
    (flag,) = row.flags
    assert row.excluded
    assert flag.finding == "The test of digits was not passed: threshold 10.8 dB."


@pytest.mark.parametrize(
    ("hearing", "said"),
    [([], "no test of digits"), ([TEST], "is not let in, unless it has `needed: false`")],
)
def test_a_rule_that_can_never_apply_is_refused(hearing: list[Any], said: str) -> None:
    definition = study_definition(
        hearing=hearing, exclusion=[{"rule": "hearing_failed", "test": "digits"}]
    )
    assert said in " ".join(found_in(definition))


def found_in(definition: StudyDefinition) -> list[str]:
    return [one.message for one in inconsistencies(definition, {}, KINDS)]


async def test_a_page_that_is_loaded_again_goes_on_with_the_same_staircase(
    browser: AsyncClient, services: Services, tested: StoredStudy
) -> None:
    somebody = await Participant.join(browser, tested.slug)
    await begin(somebody)
    spoken = (await key(services)).rights
    await send(somebody, 1, spoken[0])
    await send(somebody, 2, "000")
    before = (await heard(somebody, 3)).content
    assert (await begin(somebody))["answered"] == 2
    assert (await heard(somebody, 3)).content == before
    assert (await key(services)).rights == spoken


async def test_another_process_goes_on_where_one_died(
    browser: AsyncClient, services: Services, tested: StoredStudy, app: FastAPI
) -> None:
    """What was acknowledged is in the database, and nothing of a try is anywhere else."""
    somebody = await Participant.join(browser, tested.slug)
    await begin(somebody)
    await send(somebody, 1, "000")
    before = (await heard(somebody, 2)).content
    app.state.services = dataclasses.replace(services)
    mixed._made.cache_clear()
    assert (await begin(somebody))["answered"] == 1
    assert (await heard(somebody, 2)).content == before


async def test_an_answer_cannot_be_taken_back(
    browser: AsyncClient, services: Services, tested: StoredStudy
) -> None:
    somebody = await Participant.join(browser, tested.slug)
    await begin(somebody)
    spoken = (await key(services)).rights
    await send(somebody, 1, "000")
    for replay in ("000", spoken[0], "111"):
        told = await send(somebody, 1, replay)
        assert (told.status_code, told.json()) == (200, {"answered": 1, "over": False})
    assert (await key(services)).answers == ["000"]


async def test_no_round_can_be_skipped_or_heard_ahead_or_again(
    browser: AsyncClient, services: Services, tested: StoredStudy
) -> None:
    somebody = await Participant.join(browser, tested.slug)
    await begin(somebody)
    for round_ in (2, TRIPLETS, TRIPLETS + 1):
        assert (await heard(somebody, round_)).status_code == 404
        assert (await send(somebody, round_, "123")).status_code == 404
    await send(somebody, 1, "123")
    assert (await heard(somebody, 1)).status_code == 404
    assert (await heard(somebody, 2)).status_code == 200
    assert (await key(services)).answers == ["123"]
    # All at once is not how this test is answered.
    body = {"test": "digits", "number": 1, "answers": [0] * TRIPLETS}
    whole = await browser.post(f"{AT}/hearing-answers", headers=somebody.headers, json=body)
    assert whole.status_code == 404


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "12",
        "1234",
        "abc",
        "\uff11\uff12\uff13",
        "1 2",
        "12\n",
        "-12",
        "\u0663\u0663\u0663",
        "9" * 21,
    ],
)
async def test_what_is_no_triplet_is_refused_and_changes_nothing(
    browser: AsyncClient, services: Services, tested: StoredStudy, answer: str
) -> None:
    somebody = await Participant.join(browser, tested.slug)
    await begin(somebody)
    assert (await send(somebody, 1, answer)).status_code == 422
    assert (await key(services)).answers is None


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"test": "levels", "number": 1, "round": 1, "answer": "123"}, 404),
        ({"test": "digits", "number": 2, "round": 1, "answer": "123"}, 404),
        ({"test": "digits", "number": 1, "round": 0, "answer": "123"}, 422),
        ({"test": "digits", "number": 1, "round": 1, "answer": 123}, 422),
        ({"test": "digits", "number": 1, "round": 1, "answer": "123", "srt_db": -20}, 422),
        ({"test": "digits", "number": 1, "round": 10**9, "answer": "123"}, 422),
    ],
)
async def test_garbage_is_refused(
    browser: AsyncClient, tested: StoredStudy, body: dict[str, Any], status: int
) -> None:
    somebody = await Participant.join(browser, tested.slug)
    await begin(somebody)
    told = await browser.post(f"{AT}/hearing-rounds", headers=somebody.headers, json=body)
    assert told.status_code == status


async def test_before_a_try_was_begun_and_after_it_there_is_nothing(
    browser: AsyncClient, services: Services, tested: StoredStudy
) -> None:
    somebody = await Participant.join(browser, tested.slug)
    assert (await heard(somebody, 1)).status_code == 404
    assert (await send(somebody, 1, "123")).status_code == 404
    await begin(somebody)
    await take(somebody, services, [False] * TRIPLETS)
    assert (await heard(somebody, TRIPLETS)).status_code == 404
    # A page that did not hear of its last answer sends it again.
    assert (await send(somebody, TRIPLETS, "000")).json() == {"answered": TRIPLETS, "over": True}
    assert (await send(somebody, TRIPLETS + 1, "000")).status_code == 404
    assert (await somebody.progress())["state"] == "hearing_failed"


async def test_nothing_but_the_sound_depends_on_the_answers(
    browser: AsyncClient, services: Services, tested: StoredStudy
) -> None:
    """Two people, one always right and one always wrong, are told the same of each round."""
    told = []
    for right in (True, False):
        somebody = await Participant.join(browser, tested.slug)
        await begin(somebody)
        async with services.database.transaction() as session:
            tries = await session.scalars(
                select(HearingTest).order_by(HearingTest.participant_id.desc())
            )
            spoken = tries.first()
        assert spoken is not None
        seen = []
        for round_ in range(1, TRIPLETS + 1):
            sound = await heard(somebody, round_)
            headers = {name: value for name, value in sound.headers.items() if name != "date"}
            seen.append((len(sound.content), sound.content[:44], headers))
            answered = await send(somebody, round_, spoken.rights[round_ - 1] if right else "000")
            seen.append((answered.json(), b"", {}))
        told.append(seen)
    assert told[0] == told[1]


async def test_bots_hear_them_and_those_who_hear_badly_are_screened_out(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert services.digits is not None
    entries = {name: clip.model_dump() for name, clip in services.digits.manifest.items()}
    (tmp_path / "digits.yaml").write_text(json.dumps({"clips": entries}))
    # Bots look for the digits where the server of this machine has them.
    monkeypatch.setenv("THINLAB_MANIFEST", str(tmp_path / "manifest.yaml"))
    monkeypatch.setenv("THINLAB_DIGITS", str(services.digits.folder))
    hearing = [{"test": "levels", "difference_db": 2}, TEST]
    study = await plant(services, [pair(1)], hearing=hearing)
    planted = Planted(app_over(services), services, study)
    plan = Plan({"honest": 0.5, "hard_of_hearing": 0.5}, 4, seed=1, parts=bot_parts())
    crowd = await planted.let_loose(plan, {"plain": 0.0, "modified": 1.0})
    assert sorted(one.end for one in crowd.outcomes) == sorted(
        [End.COMPLETE] * 2 + [End.SCREENED_OUT] * 2
    )


async def test_the_voice_is_credited(browser: AsyncClient, tested: StoredStudy) -> None:
    page = (await browser.get(f"/api/studies/{tested.slug}")).json()
    assert "Made-up digits. CC0-1.0." in page["credits"]
