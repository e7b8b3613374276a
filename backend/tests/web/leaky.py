"""An application that was made to tell, in one way at a time.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from thinlab.condition.condition import Condition
from thinlab.database.schema import Presentation, Recording
from thinlab.study.definition import StudyDefinition
from thinlab.web.services import Services


@dataclass(frozen=True)
class Secret:
    """What the server knows of a token and must not tell."""

    mode: str
    kind: str


@dataclass
class Answer:
    """A whole response, to be changed."""

    path: str
    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes
    secret: Secret | None
    """Of the token at the end of the path."""
    secrets: dict[str, Secret]
    """Of all tokens."""
    delay_s: float = 0.0

    @property
    def is_recording(self) -> bool:
        """Whether samples are in it."""
        return self.body[:4] == b"RIFF" and self.secret is not None

    def put_json(self, value: Any) -> None:  # noqa: ANN401
        """Another body."""
        self.body = json.dumps(value).encode()


Plant = Callable[[Answer], None]


class Leaky:
    """Asks the application, lets the plant change the answer, and sends it."""

    def __init__(
        self, app: ASGIApp, services: Services, study: StudyDefinition, plant: Plant
    ) -> None:
        self.app = app
        self.services = services
        self.study = study
        self.plant = plant
        self.secrets: dict[str, Secret] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        messages: list[Message] = []

        async def keep(message: Message) -> None:
            messages.append(message)

        path = scope.get("path", "")
        await self.app({**scope, "path": path.split("~")[0]}, receive, keep)
        if path.endswith("/trials"):
            await self._learn()
        answer = Answer(
            path=path,
            status=messages[0]["status"],
            headers=[one for one in messages[0]["headers"] if one[0] != b"content-length"],
            body=b"".join(message.get("body", b"") for message in messages[1:]),
            secret=self.secrets.get(path.rsplit("/", 1)[-1].split("~")[0]),
            secrets=self.secrets,
        )
        self.plant(answer)
        await asyncio.sleep(answer.delay_s)
        length = (b"content-length", str(len(answer.body)).encode())
        start = {"type": "http.response.start", "status": answer.status}
        await send(start | {"headers": [*answer.headers, length]})
        await send({"type": "http.response.body", "body": answer.body})

    async def _learn(self) -> None:
        async with self.services.database.transaction() as session:
            for place in ("first", "second"):
                token = getattr(Presentation, f"{place}_token")
                recording = getattr(Presentation, f"{place}_recording_id")
                rows = await session.execute(
                    select(
                        Presentation.trial_token,
                        Presentation.trial_id,
                        token,
                        Recording.condition,
                    ).join(Recording, Recording.id == recording)
                )
                for trial_token, trial_id, recording_token, condition in rows:
                    _, trial = self.study.trial(trial_id)
                    mode = Condition.model_validate(condition).transport.mode
                    secret = Secret(mode, trial.kind)
                    self.secrets |= {trial_token: secret, recording_token: secret}
