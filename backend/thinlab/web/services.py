"""What the routes work with: database, recordings, recorder.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request

from thinlab.database.engine import Database
from thinlab.recording.clips import Clips
from thinlab.recording.recorder import Recorder
from thinlab.recording.store import RecordingStore


@dataclass(frozen=True)
class Services:
    """Made once at start, handed to every route."""

    database: Database
    store: RecordingStore
    clips: Clips
    recorder: Recorder
    build: str
    """Content hash of the running backend and pages; stored with every vote."""


def _here(request: Request) -> Services:
    services: Services = request.app.state.services
    return services


Here = Annotated[Services, Depends(_here)]
