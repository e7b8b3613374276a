"""What the routes work with: database, recordings, recorder, live parts.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from fastapi import Depends, Request

from thinlab.analysis.power_desk import PowerDesk
from thinlab.clips.manifest import Clips
from thinlab.database.engine import Database
from thinlab.demo.demos import Demos
from thinlab.experiment.desk.desk import ExperimentDesk
from thinlab.health.watch import Watch
from thinlab.live.service import Live
from thinlab.origin import Origin
from thinlab.recording.store import RecordingStore
from thinlab.recording.supervisor import RecorderSupervisor
from thinlab.researcher.audit import Failures
from thinlab.study.definition import StudyDefinition, used_clips, used_digits
from thinlab.study.kind import is_live
from thinlab.trials.registry import KINDS
from thinlab.web.throttle import Throttle


@dataclass(frozen=True, kw_only=True)
class Services:
    """Made once at start, handed to every route."""

    database: Database
    store: RecordingStore
    clips: Clips
    recorder: RecorderSupervisor
    live: Live
    demos: Demos
    build: str
    """Content hash of the running backend and pages; stored with every vote."""
    digits: Clips | None = None
    """Spoken, for tests of hearing; none where no study asks for them."""
    analyser: Path | None = None
    """The agent's program, which reads captures; none: they can only be downloaded."""
    public_origin: Origin | None = None
    """Where browsers find this server; none: where they ask."""
    listening: bool = True
    """Whether a vote is taken only once its recordings can have been heard."""
    strict_transport: bool = False
    """Whether browsers are told to come with encryption only, from now on."""
    failures: Failures = field(default_factory=Failures)
    """What strangers try in vain."""
    throttle: Throttle = field(default_factory=Throttle)
    experiments: ExperimentDesk | None = None
    """None where nobody may see experiments."""
    watch: Watch | None = None
    """How the installation is; none where nobody looks."""
    power: PowerDesk = field(default_factory=PowerDesk)
    """Where the power of studies is worked out."""
    drawing: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Who draws waits here for their turn, not at the database with a connection in hand."""

    def credits(self, definition: StudyDefinition) -> list[str]:
        """Whose voices and music a study uses, each once, in alphabetical order."""
        found = self.clips.credits(used_clips(definition))
        if self.digits is not None:
            found += self.digits.credits(used_digits(definition))
        return sorted(set(found))

    def live_lab_problem(self, definition: StudyDefinition) -> str | None:
        """Why there is no host for a study that needs one of the live lab."""
        return self.live.hosts.problem if is_live(definition, KINDS) else None


def _here(request: Request) -> Services:
    services: Services = request.app.state.services
    return services


Here = Annotated[Services, Depends(_here)]
