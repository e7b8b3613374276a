"""A share of each recording, in different parts, before an answer: set by the study, kept here.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from httpx import ASGITransport, AsyncClient
from sqlalchemy import text

from tests.applications import app_over
from tests.conftest import ORIGIN
from tests.made_up import (
    HEARD,
    Participant,
    block,
    noise,
    put_recordings,
    sign_in,
    study_definition,
)
from tests.study.study_files import CLIPS, DEMO, SURVEY, faults
from thinlab.clips.wav import SAMPLE_RATE_HZ
from thinlab.participation.coverage import covered_ms
from thinlab.study.definition import StudyDefinition
from thinlab.study.deviation import compare
from thinlab.study.file import read
from thinlab.study.frozen import FrozenDocument
from thinlab.study.heard_share import HEARD_SHARE
from thinlab.trials.registry import KINDS
from thinlab.web.serve import load
from thinlab.web.services import Services

Parts = list[dict[str, int]] | None

SECONDS = 4
PAIR = {"kind": "pair", "id": "speech", "clip": "speech", "seed": 1}
PAIR |= {"conditions": ["plain", "modified"]}
ALIKE = {"kind": "control", "id": "alike", "clip": "speech", "condition": "modified", "seed": 2}


def parts(*ends_ms: tuple[int, int]) -> list[dict[str, int]]:
    """As an account tells them."""
    return [{"from_ms": begin, "to_ms": end} for begin, end in ends_ms]


def account(first: Parts, second: Parts) -> dict[str, Any]:
    """Of a vote."""
    return HEARD | {"covered_first": first, "covered_second": second}


@pytest_asyncio.fixture
async def listener(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Participant]:
    """Somebody in a study that asks for three quarters, on a server that looks at it."""
    monkeypatch.setattr("tests.made_up.noise", lambda seed: noise(seed, SECONDS * SAMPLE_RATE_HZ))
    asking = study_definition(blocks=[block([PAIR, ALIKE], heard_share_at_least=0.75)])
    await load(services.database, [asking])
    await put_recordings(services, "demo")
    app = app_over(replace(services, listening=True))
    async with AsyncClient(transport=ASGITransport(app), base_url=ORIGIN) as browser:
        yield await Participant.join(browser)


async def open_and_wait(listener: Participant, services: Services) -> dict[str, Any]:
    """A trial whose recordings were fetched long enough ago."""
    trial = await listener.open_trial()
    await listener.hear_trial(trial["trial_token"])
    async with services.database.transaction() as session:
        await session.execute(text("update recording_fetch set at = at - interval '1 minute'"))
    return trial


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (None, None),
        ([], []),
        (parts((0, 4000)), []),
        # Three seconds of one passage are one second.
        (parts((0, 4000)), parts((0, 1000), (0, 1000), (0, 1000))),
        # Beyond the end there is nothing to be heard.
        (parts((0, 4000)), parts((2000, 90_000))),
        (parts((3000, 0)), parts((0, 4000))),
    ],
)
async def test_too_little_of_either_is_refused(
    listener: Participant, services: Services, first: Parts, second: Parts
) -> None:
    trial = await open_and_wait(listener, services)
    refused = await listener.vote_unheard(trial["trial_token"], account=account(first, second))
    assert (refused.status_code, refused.json()["type"]) == (409, "/problems/not-heard")
    assert "75 %" in refused.json()["remedy"]
    assert (await listener.progress())["trials_done"] == 0


async def test_as_much_as_is_asked_for_is_enough_in_any_order(
    listener: Participant, services: Services
) -> None:
    trial = await open_and_wait(listener, services)
    enough = account(parts((3000, 4000), (0, 2000)), parts((500, 2500), (2000, 3500)))
    voted = await listener.vote_unheard(trial["trial_token"], account=enough)
    assert voted.status_code == 201, voted.text


async def test_it_is_the_same_for_every_trial_of_a_block(listener: Participant) -> None:
    trials = await listener.open_trials()
    assert [trial["must_hear_share"] for trial in trials] == [0.75, 0.75]


async def test_researchers_look_and_bots_vote_at_once(
    listener: Participant, services: Services
) -> None:
    await sign_in(listener.browser, services)
    for kind in ("preview", "bot"):
        somebody = await Participant.join(listener.browser, kind=kind)
        trial = await somebody.open_trial()
        assert (await somebody.vote(trial["trial_token"])).status_code == 201


def test_what_sounds_again_counts_once() -> None:
    def covered(*ends_ms: tuple[int, int]) -> int:
        return covered_ms(ends_ms, 1000)

    assert covered() == 0
    assert covered((0, 400), (200, 300), (350, 500)) == 500
    assert covered((600, 2000), (0, 100)) == 500


def test_a_file_that_leaves_it_open_asks_for_four_fifths(tmp_path: Path) -> None:
    file = tmp_path / "demo.yaml"
    file.write_text(DEMO.read_text().replace("    heard_share_at_least: 0.1\n", ""))
    assert [one.heard_share_at_least for one in read(file, CLIPS, KINDS).blocks] == [HEARD_SHARE]
    # In turn each is heard to its end, and what is typed is not heard.
    for name in ("p800-ccr.yaml", "lcn2008-typing.yaml"):
        blocks = read(SURVEY / name, CLIPS, KINDS).blocks
        assert {one.heard_share_at_least for one in blocks} == {None}


def test_a_study_from_before_there_were_shares_stays_as_it_was(tmp_path: Path) -> None:
    file = tmp_path / "demo.yaml"
    file.write_text(DEMO.read_text().replace("    heard_share_at_least: 0.1\n", ""))
    now = read(file, CLIPS, KINDS)
    said = now.model_dump(mode="json")
    for one in said["blocks"]:
        del one["heard_share_at_least"]
    stored = StudyDefinition.model_validate(said)
    frozen = FrozenDocument.of(stored, {}, 0)
    assert not any("heard_share" in path for path in frozen.design)
    meant = now.as_it_was_meant(stored)
    assert meant.content_hash == stored.content_hash != now.content_hash
    assert compare(frozen, meant, None) == []
    # Who writes it into the file means it.
    file.write_text(DEMO.read_text())
    written = read(file, CLIPS, KINDS).as_it_was_meant(stored)
    assert [one.heard_share_at_least for one in written.blocks] == [0.1]
    (told,) = compare(frozen, written, None)
    assert told.place == "blocks[trials].heard_share_at_least"


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        (DEMO, "heard_share_at_least: 0.1", "heard_share_at_least: 80", "too large. At most 1"),
        (DEMO, "heard_share_at_least: 0.1", "heard_share_at_least: most", "Write a number"),
        (
            DEMO,
            "heard_share_at_least: 0.1",
            "heard_share_at_least: 0.1\n    playback: in_turn",
            "is heard to its end. Remove it",
        ),
        (
            SURVEY / "lcn2008-typing.yaml",
            "  - id: papers\n",
            "  - id: papers\n    heard_share_at_least: 0.5\n",
            "this block is typed: nothing is played. Remove it",
        ),
    ],
)
def test_faults_are_named(tmp_path: Path, file: Path, old: str, new: str, says: str) -> None:
    found = faults(tmp_path, file, old, new)
    assert any("heard_share_at_least" in fault and says in fault for fault in found), found
