"""What a run tells whoever looks into its folder: how far it is, and that it lives.

A small file that appears whole. Its writer renews it every few seconds, and
one that nobody renews is of a run that is gone: the number of a process would
live on in another process.

SPDX-License-Identifier: Apache-2.0
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ValidationError

from thinlab import durable

if TYPE_CHECKING:
    from thinlab.experiment.definition import ExperimentDefinition
    from thinlab.experiment.runner import Progress

FILE = "run.json"
RENEWED_EVERY_S = 5.0
GONE_AFTER_S = 30.0
"""Longer than a busy machine holds the writer up."""
LONGEST_BYTES = 64 * 1024
MOST_PROBLEMS = 3


class RunState(BaseModel):
    """How far a run is, or how it ended."""

    title: str
    description: str
    stage: Literal["running", "ended", "stopped"]
    """`stopped`: before all of its sessions were through."""
    began_at: datetime
    wanted: int = 0
    found: int = 0
    done: int = 0
    failed: int = 0
    left_s: float | None = None
    problem: str | None = None
    """Why it stopped, where it was able to say so; or what sessions failed of."""


@dataclass(frozen=True)
class Seen:
    """A run as its folder tells of it."""

    state: RunState
    written_at: datetime

    @property
    def is_running(self) -> bool:
        """Whether somebody renews it."""
        age_s = time.time() - self.written_at.timestamp()
        # A clock that was set back lets nobody live on either.
        return self.state.stage == "running" and abs(age_s) < GONE_AFTER_S


def seen(folder: Path) -> Seen | None:
    """What a folder tells; none where nothing is told that could be read."""
    file = folder / FILE
    try:
        with file.open("rb") as opened:
            content = opened.read(LONGEST_BYTES)
            written_s = file.stat().st_mtime
        state = RunState.model_validate_json(content)
    except (OSError, ValidationError):
        return None
    return Seen(state, datetime.fromtimestamp(written_s, UTC))


@contextmanager
def telling(
    folder: Path, experiment: "ExperimentDefinition"
) -> Iterator[Callable[["Progress"], None]]:
    """Renews the folder's file until left; takes the latest state."""
    writer = _Writer(folder, experiment)
    thread = threading.Thread(target=writer.keep, daemon=True)
    thread.start()
    stage: Literal["ended", "stopped"] = "stopped"
    problem: str | None = None
    try:
        yield writer.take
        stage = "ended"
    except Exception as error:
        problem = str(error)
        raise
    finally:
        writer.stop.set()
        thread.join()
        writer.write(stage, problem)


class _Writer:
    def __init__(self, folder: Path, experiment: "ExperimentDefinition") -> None:
        self.stop = threading.Event()
        self._folder = folder
        self._experiment = experiment
        self._began_at = datetime.now(UTC)
        self._progress: Progress | None = None

    def take(self, progress: "Progress") -> None:
        self._progress = progress

    def keep(self) -> None:
        while True:
            self.write("running", None)
            if self.stop.wait(RENEWED_EVERY_S):
                return

    def write(self, stage: Literal["running", "ended", "stopped"], problem: str | None) -> None:
        state = RunState(
            title=self._experiment.title,
            description=self._experiment.description.strip(),
            stage=stage,
            began_at=self._began_at,
            problem=problem,
        )
        if (progress := self._progress) is not None:
            state.wanted, state.found = progress.wanted, progress.found
            state.done, state.failed = progress.done, progress.failed
            state.left_s = progress.left_s if stage == "running" else None
            if progress.problems and problem is None:
                state.problem = "; ".join(list(progress.problems)[:MOST_PROBLEMS])
        # A full disk ends no run for the sake of who watches it.
        with suppress(OSError):
            durable.write_whole(self._folder / FILE, state.model_dump_json().encode())
