"""A panel's stand-in: sends workers by links as panels publish them, and hears of them so, too.

Prolific: the study's address with `{{%PROLIFIC_PID%}}`, `{{%STUDY_ID%}}` and `{{%SESSION_ID%}}`
filled in; back at `/submissions/complete?cc=CODE`, where a cookie tells who it is. SONA:
`%SURVEY_CODE%`; back at `/webstudy_credit.aspx` with `experiment_id`, `credit_token` and
`survey_code`. CloudResearch Connect appends `participantId`, `assignmentId` and `projectId`; back
at `/participant/project/ID/complete`. A server on this machine, which never answers wrongly and
believes whoever says who they are.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import socket
import uuid
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

PROJECT = "7f00c0ffee"
EXPERIMENT, CREDIT_TOKEN = "123", "9185d436"
WORKER_COOKIE = "worker"
LOOK_S = 0.02
# What a study gives it for each outcome.
CODES = {
    "complete": "C0MPLETE",
    "screened_out": "SCR33N",
    "declined": "N0C0NSENT",
    "timed_out": "T00LATE",
    "full": "0VERQU0TA",
}


@dataclass(frozen=True)
class Worker:
    """Somebody of the panel, on one visit."""

    name: str
    session: str


@dataclass
class Panel:
    """Who was sent, and what was said of whom."""

    address: str
    told: dict[str, list[tuple[str, float]]] = field(default_factory=lambda: defaultdict(list))
    """By worker: the code or path that they came back with, and when, by the loop's clock."""

    def send(self, link: str, number: int) -> tuple[Worker, str]:
        """A new worker, and the address that the panel takes them to."""
        worker = Worker(f"5f{number:022x}", uuid.uuid4().hex[:24])
        filled = {
            "{{%PROLIFIC_PID%}}": worker.name,
            "{{%SESSION_ID%}}": worker.session,
            "{{%STUDY_ID%}}": PROJECT,
            "%SURVEY_CODE%": worker.name,
        }
        for place, value in filled.items():
            link = link.replace(place, value)
        if "?" not in link:
            link += f"?participantId={worker.name}&assignmentId={worker.session}"
            link += f"&projectId={PROJECT}"
        return worker, link

    def returns(self, codes: dict[str, str]) -> list[dict[str, str]]:
        """What the researcher enters, so that people come back here rather than to Prolific."""
        url = f"{self.address}/submissions/complete?cc={{code}}"
        return [{"outcome": outcome, "code": code, "url": url} for outcome, code in codes.items()]

    def hear(self, worker: str, what: str) -> Response:
        """Somebody is back."""
        self.told[worker].append((what, asyncio.get_running_loop().time()))
        return PlainTextResponse("Thank you")

    async def _prolific(self, request: Request) -> Response:
        return self.hear(request.cookies[WORKER_COOKIE], request.query_params["cc"])

    async def _sona(self, request: Request) -> Response:
        said = request.query_params
        if (said["experiment_id"], said["credit_token"]) != (EXPERIMENT, CREDIT_TOKEN):
            return PlainTextResponse("No such study", 404)
        return self.hear(said["survey_code"], "credit")

    async def _connect(self, request: Request) -> Response:
        return self.hear(request.cookies[WORKER_COOKIE], request.path_params["project"])

    def app(self) -> Starlette:
        """The stand-in's pages."""
        return Starlette(
            routes=[
                Route("/submissions/complete", self._prolific),
                Route("/webstudy_credit.aspx", self._sona),
                Route("/participant/project/{project}/complete", self._connect),
            ]
        )


@asynccontextmanager
async def panel() -> AsyncIterator[Panel]:
    """A stand-in that listens as long as it is wanted."""
    listener = socket.create_server(("127.0.0.1", 0))
    stand_in = Panel(f"http://127.0.0.1:{listener.getsockname()[1]}")
    config = uvicorn.Config(
        stand_in.app(), access_log=False, log_config=None, lifespan="off", backlog=1024
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        await asyncio.sleep(LOOK_S)
    try:
        yield stand_in
    finally:
        server.should_exit = True
        await serving
