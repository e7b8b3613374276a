"""What the routes work with: database, recordings, recorder, live parts.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from fastapi import Depends, Request

from thinlab.database.engine import Database
from thinlab.demo.demos import Demos
from thinlab.live.service import Live
from thinlab.recording.clips import Clips
from thinlab.recording.keeper import RecorderKeeper
from thinlab.recording.store import RecordingStore
from thinlab.web.presenter_key import PresenterKey


@dataclass(frozen=True)
class Services:
    """Made once at start, handed to every route."""

    database: Database
    store: RecordingStore
    clips: Clips
    recorder: RecorderKeeper
    live: Live
    demos: Demos
    build: str
    """Content hash of the running backend and pages; stored with every vote."""
    analyser: Path | None = None
    """The agent's program, which reads captures; none: they can only be downloaded."""
    public_address: str | None = None
    """Where browsers find this server; none: where the presenter's browser does."""
    presenter: PresenterKey = field(default_factory=PresenterKey)
    drawing: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Who draws waits here for their turn, not at the database with a connection in hand."""


def _here(request: Request) -> Services:
    services: Services = request.app.state.services
    return services


Here = Annotated[Services, Depends(_here)]
