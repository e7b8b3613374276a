"""Where experiments, their results, and what is made of them for the pages lie.

    <shipped>/<name>.yaml            what comes with Thinlab
    <results>/<name>/                what `thinlab experiment run` leaves; only read here
    <own>/digests/<name>/            digest.json  cells.json  report-<stamp>.html
    <own>/sessions/<key>/            captures that were made again, for a while

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from thinlab.experiment import run_state
from thinlab.experiment.stream import CAPTURES
from thinlab.settings import Settings

NAME = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*")
LONGEST_NAME = 64
KEY = re.compile(r"[0-9a-f]{32}")
# Of the sessions of all experiments: no experiment's.
RESERVED = frozenset({"sessions"})
ASKED = "asked"


def is_name(text: str) -> bool:
    """Whether an experiment may be called so; nothing else becomes a part of a path."""
    return len(text) <= LONGEST_NAME and NAME.fullmatch(text) is not None and text not in RESERVED


def is_key(text: str) -> bool:
    """Whether it may be a session's key."""
    return KEY.fullmatch(text) is not None


@dataclass(frozen=True)
class Places:
    """Of one installation."""

    shipped: Path
    results: Path
    own: Path
    build: str
    """What made the digests: another version makes them anew."""

    @classmethod
    def of(cls, settings: Settings, build: str) -> "Places":
        """As the settings say."""
        return cls(
            shipped=settings.experiments,
            results=settings.cache / "experiments",
            own=settings.data / "experiments",
            build=build,
        )

    def names(self) -> list[str]:
        """Every experiment that is shipped or was run."""
        shipped = (file.stem for file in _listed(self.shipped) if file.suffix == ".yaml")
        run = (folder.name for folder in _listed(self.results) if _is_of_a_run(folder))
        return sorted({name for name in (*shipped, *run) if is_name(name)})

    def is_known(self, name: str) -> bool:
        """Whether there is such an experiment."""
        if not is_name(name):
            return False
        return self.is_shipped(name) or _is_of_a_run(self.results_of(name))

    def is_shipped(self, name: str) -> bool:
        """Whether it comes with Thinlab."""
        return self._shipped_file(name).is_file()

    def results_of(self, name: str) -> Path:
        """The folder of an experiment's results."""
        return self.results / name

    def source(self, name: str) -> Path | None:
        """Its file: as it was run, else as it is shipped."""
        shipped = self._shipped_file(name)
        asked = self.results_of(name) / ASKED / "experiment.yaml"
        return next((file for file in (asked, shipped) if file.is_file()), None)

    def rows_files(self, name: str) -> list[Path]:
        """The Parquet files among its results: one, or none."""
        return sorted(
            file
            for file in _listed(self.results_of(name))
            if file.suffix == ".parquet" and not file.name.startswith(".")
        )

    def stamp(self, name: str) -> str:
        """Changes with whatever a digest is made of."""
        results = self.results_of(name)
        read = [*_listed(results / ASKED), *self.rows_files(name)]
        if not (results / ASKED).is_dir():
            # A file may name others in its folder.
            folders = (self.shipped, self.shipped / "published", self.shipped / CAPTURES)
            read += [file for folder in folders for file in _listed(folder)]
        told = hashlib.sha256(self.build.encode())
        for file in read:
            told.update(_state_of(file).encode())
        return told.hexdigest()[:16]

    def written_ns(self, name: str) -> int:
        """When its results were last written; 0 of one that was never run."""
        try:
            return max((file.stat().st_mtime_ns for file in self.rows_files(name)), default=0)
        except OSError:
            return 0

    def digest_folder(self, name: str) -> Path:
        """What is made of an experiment for its pages."""
        return self.own / "digests" / name

    def report_file(self, name: str, stamp: str) -> Path:
        """Its report, as of a stamp."""
        return self.digest_folder(name) / f"report-{stamp}.html"

    @property
    def sessions(self) -> Path:
        """The folder of sessions that were made again."""
        return self.own / "sessions"

    def _shipped_file(self, name: str) -> Path:
        return self.shipped / f"{name}.yaml"


def _listed(folder: Path) -> Iterable[Path]:
    """What is in a folder; nothing where it is not there, or not ours to read."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _is_of_a_run(folder: Path) -> bool:
    marks = (run_state.FILE, ASKED, f"{folder.name}.parquet")
    return any((folder / mark).exists() for mark in marks)


def _state_of(file: Path) -> str:
    try:
        state = file.stat()
    except OSError:
        return f"{file.name} gone;"
    return f"{file.name} {state.st_mtime_ns} {state.st_size};"
