"""Links that were made to tell: each frame passes a plant that knows what the server knows.

SPDX-License-Identifier: Apache-2.0
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from sqlalchemy import select

from thinlab.database.schema import Presentation
from thinlab.live.transport import Transport
from thinlab.study.definition import StudyDefinition
from thinlab.study.trial import member_conditions
from thinlab.web.services import Services


@dataclass(frozen=True)
class Secret:
    """What the server knows of a session and must not tell."""

    mode: str
    kind: str
    condition_name: str


Plant = Callable[[dict[str, Any], Secret], dict[str, Any]]
"""Changes a frame of the server's."""


class LeakyLinks:
    """Sends what the plant makes of each frame, for the session that is typed now."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, plant: Plant) -> None:
        self.now: Secret | None = None
        send = Transport.send

        def leaky(transport: Transport, text: str) -> None:
            told = json.loads(text)
            if self.now is not None:
                told = plant(told, self.now)
            # As the server writes: no blanks.
            send(transport, json.dumps(told, separators=(",", ":"), ensure_ascii=False))

        monkeypatch.setattr(Transport, "send", leaky)


async def secret_of(services: Services, study: StudyDefinition, session_token: str) -> Secret:
    """What stands behind a token."""
    async with services.database.transaction() as session:
        presentation = await session.scalar(
            select(Presentation).where(
                (Presentation.first_token == session_token)
                | (Presentation.second_token == session_token)
            )
        )
    assert presentation is not None
    _, trial = study.trial(presentation.trial_id)
    names = member_conditions(trial)
    is_first = presentation.first_token == session_token
    index = int(is_first != (presentation.first_member == "a")) % len(names)
    return Secret(study.sent[names[index]].mode, trial.kind, names[index])
