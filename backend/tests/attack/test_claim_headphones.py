"""Passes the headphone test without hearing it.

SPDX-License-Identifier: Apache-2.0
"""

import io
import wave
from collections import Counter

import httpx
import pytest_asyncio

from tests.attack.aim import Instance
from tests.made_up import Participant, put_recordings, study_definition
from thinlab.bots.ears import right_one
from thinlab.study import catalogue

AT = "/api/participation/headphones"
FULL_MARKS = {"correct": 6, "of": 6, "tries": 1}


@pytest_asyncio.fixture
async def deaf(own: Instance, visitor: httpx.AsyncClient) -> Participant:
    """Somebody in a study that needs headphones."""
    assert own.inside is not None
    async with own.inside.database.transaction() as session:
        await catalogue.load(session, study_definition(headphones="required"))
    await put_recordings(own.inside, own.study)
    return await Participant.join(visitor, own.study)


async def test_says_that_it_was_passed(deaf: Participant) -> None:
    for claim in (FULL_MARKS, FULL_MARKS | {"number": 1, "answers": [0] * 6}, {"passed": True}):
        body = {"level_percent": 50, "headphones": claim}
        refused = await deaf.browser.post(
            "/api/participation/sound-check", headers=deaf.headers, json=body
        )
        assert refused.status_code == httpx.codes.UNPROCESSABLE_ENTITY
    assert (await deaf.progress())["state"] == "sound_check"


async def _answered(deaf: Participant, number: int, answers: list[int]) -> httpx.Response:
    body = {"level_percent": 50, "headphones": {"number": number, "answers": answers}}
    return await deaf.browser.post(
        "/api/participation/sound-check", headers=deaf.headers, json=body
    )


async def test_answers_a_try_that_was_never_drawn(deaf: Participant) -> None:
    assert (await _answered(deaf, 1, [0] * 6)).json()["type"] == "/problems/no-such-try"
    await deaf.browser.post(AT, headers=deaf.headers)
    assert (await _answered(deaf, 2, [0] * 6)).json()["type"] == "/problems/no-such-try"
    assert (await deaf.progress())["headphones_tries"] == 0


async def test_tries_until_it_fits(deaf: Participant) -> None:
    """One answer a try, two tries; neither the same try again nor a new one helps."""
    for number in (1, 2):
        begun = (await deaf.browser.post(AT, headers=deaf.headers)).json()
        # Nothing but how many there are.
        assert begun == {"number": number, "rounds": 6}
        rounds = [
            await deaf.browser.get(f"{AT}/{number}/{one}", headers=deaf.headers)
            for one in range(1, 7)
        ]
        right = [right_one(one.content, "huggins") for one in rounds]
        wrong = [(tone + 1) % 3 for tone in right]
        assert (await _answered(deaf, number, wrong)).json()["headphones_passed"] is False
        # Now that they are known.
        assert (await _answered(deaf, number, right)).json()["headphones_passed"] is False
        gone = await deaf.browser.get(f"{AT}/{number}/1", headers=deaf.headers)
        assert gone.status_code == httpx.codes.NOT_FOUND
    assert (await deaf.progress())["state"] == "headphones_failed"
    more = await deaf.browser.post(AT, headers=deaf.headers)
    assert more.json()["type"] == "/problems/settled"


async def test_looks_at_the_files(deaf: Participant) -> None:
    """Rounds differ in their samples only, and places are drawn anew for everybody."""
    tones: Counter[int] = Counter()
    seen: set[bytes] = set()
    headers: set[tuple[tuple[str, str], ...]] = set()
    for somebody in [deaf, *[await Participant.join(deaf.browser) for _ in range(3)]]:
        await somebody.browser.post(AT, headers=somebody.headers)
        for one in range(1, 7):
            answered = await somebody.browser.get(f"{AT}/1/{one}", headers=somebody.headers)
            headers.add(tuple(answered.headers.items()))
            with wave.open(io.BytesIO(answered.content), "rb") as file:
                form = file.getparams()
            assert form[:4] == (2, 2, 16_000, 64_000)
            tones[right_one(answered.content, "huggins")] += 1
            seen.add(answered.content)
    assert len(headers) == 1
    assert len(seen) == 24
    # Of 24, one place of three with fewer than one is a chance of 2 in 10 000.
    assert set(tones) == {0, 1, 2}
    # Another's rounds, and the sound again, are what they were, and theirs alone.
    other = await Participant.join(deaf.browser)
    stolen = await deaf.browser.get(f"{AT}/1/1", headers=other.headers)
    assert stolen.status_code == httpx.codes.NOT_FOUND
