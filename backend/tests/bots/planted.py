"""A study with made-up recordings, a key that says how each sounds, and bots let loose on it.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient
from sqlalchemy import select

from tests.conftest import ORIGIN
from tests.made_up import PASSWORD, block, put_recordings, study_definition
from thinlab.bots.bot import End, Seat
from thinlab.bots.crowd import Crowd, Plan, send
from thinlab.bots.key import AnswerKey, Sound, digest
from thinlab.database.schema import Recording, TrialRecording
from thinlab.researcher import account
from thinlab.study import catalogue
from thinlab.study.catalogue import StoredStudy
from thinlab.study.trial import TrappingTrial, member_conditions
from thinlab.web.services import Services

SLUG = "planted"


def pair(number: int, **changes: Any) -> dict[str, Any]:  # noqa: ANN401
    """A pair of plain and modified speech."""
    common = {"kind": "pair", "id": f"pair-{number}", "clip": "speech", "seed": 100 * number}
    return common | {"conditions": ["plain", "modified"]} | changes


def control(number: int) -> dict[str, Any]:
    """One plain recording as two."""
    common = {"kind": "control", "id": f"control-{number}", "clip": "song", "seed": 7 * number}
    return common | {"condition": "plain"}


async def plant(
    services: Services,
    trials: list[dict[str, Any]],
    **changes: Any,  # noqa: ANN401
) -> StoredStudy:
    """A study with these trials in one block, ready to hear."""
    block_changes = changes.pop("block", {})
    definition = study_definition(slug=SLUG, blocks=[block(trials, **block_changes)], **changes)
    async with services.database.transaction() as session:
        await catalogue.load(session, definition)
    return await put_recordings(services, SLUG)


async def key_of(
    services: Services, study: StoredStudy, utilities: Mapping[str, float]
) -> AnswerKey:
    """How every recording sounds: by its condition; a trap says what it wants."""
    async with services.database.transaction() as session:
        rows = await session.execute(
            select(TrialRecording, Recording.key)
            .join(Recording, Recording.id == TrialRecording.recording_id)
            .where(TrialRecording.study_id == study.id)
        )
        used = rows.all()
    sounds = {}
    for row, key in used:
        _, trial = study.definition.trial(row.trial_id)
        names = member_conditions(trial)
        condition = names["ab".index(row.member)]
        says = trial.answer if isinstance(trial, TrappingTrial) else None
        audio = await services.store.audio(key)
        wav = b"".join([chunk async for chunk in audio.chunks()])
        sounds[digest(wav)] = Sound(utilities[condition], says)
    return AnswerKey(sounds)


async def researchers_cookie(app: FastAPI, services: Services) -> str:
    """The session that lets bots join."""
    async with services.database.transaction() as session:
        setup = await account.new_setup_token(session)
    async with AsyncClient(transport=ASGITransport(app), base_url=ORIGIN) as browser:
        body = {"setup_token": setup, "password": PASSWORD}
        done = await browser.post("/api/researcher/password", json=body)
        assert done.status_code == 204, done.text
        return f"researcher={browser.cookies['researcher']}"


async def _no_wait(_: float) -> None:
    await asyncio.sleep(0)


async def let_loose(app: FastAPI, plan: Plan, seat: Seat, key: AnswerKey) -> Crowd:
    """All bots through the application, without any waiting."""

    def new_client() -> AsyncClient:
        return AsyncClient(transport=ASGITransport(app), base_url=ORIGIN)

    return await send(plan, seat, key, new_client, sleep=_no_wait)


@dataclass
class Planted:
    """A study that was planted, and the means to send bots into it."""

    server: FastAPI
    services: Services
    study: StoredStudy
    cookie: str = ""

    async def let_loose(self, plan: Plan, utilities: Mapping[str, float]) -> Crowd:
        """Bots that hear each condition as its utility says, until all have ended."""
        self.cookie = self.cookie or await researchers_cookie(self.server, self.services)
        key = await key_of(self.services, self.study, utilities)
        crowd = await let_loose(self.server, plan, Seat(self.study.slug, cookie=self.cookie), key)
        assert End.FAILED not in {one.end for one in crowd.outcomes}, crowd.outcomes
        return crowd
