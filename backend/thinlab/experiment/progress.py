"""A run's progress on the terminal: one bar, or a line now and then where there is none.

SPDX-License-Identifier: Apache-2.0
"""

from types import TracebackType
from typing import Self

from rich import progress as bars
from rich.console import Console

from thinlab.experiment.runner import Progress

LINES = 20
"""How often a run says how far it is where nobody watches a bar."""


class ProgressBar:
    """Shown until left."""

    def __init__(self, name: str) -> None:
        self._console = Console(stderr=True)
        self._bar = bars.Progress(
            bars.TextColumn("{task.description}"),
            bars.BarColumn(),
            bars.MofNCompleteColumn(),
            bars.TimeRemainingColumn(),
            bars.TextColumn("{task.fields[said]}"),
            console=self._console,
            disable=not self._console.is_terminal,
        )
        self._task = self._bar.add_task(name, total=None, said="")
        self._told = -1

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def show(self, progress: Progress) -> None:
        """Takes the latest state."""
        through = progress.found + progress.done + progress.failed
        said = f"{progress.found} found" if progress.found else ""
        if progress.failed:
            said += f"{', ' if said else ''}{progress.failed} failed"
        self._bar.update(self._task, total=progress.wanted, completed=through, said=said)
        step = through * LINES // max(progress.wanted, 1)
        if not self._console.is_terminal and step != self._told:
            self._told = step
            self._console.print(f"{through} of {progress.wanted} sessions {said}".rstrip())
