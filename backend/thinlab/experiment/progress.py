"""A run's progress on the terminal: one bar, or a line now and then where there is none.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich import progress as bars
from rich.console import Console

from thinlab.experiment.runner import Progress

LINES = 20
"""How often a run says how far it is where nobody watches a bar."""


LEAST_MINUTES_S = 90
"""From so many seconds on, minutes are told."""


@contextmanager
def progress_bar(name: str) -> Iterator[Callable[[Progress], None]]:
    """Shown until left; takes the latest state."""
    console = Console(stderr=True)
    with bars.Progress(
        bars.TextColumn("{task.description}"),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TextColumn("{task.fields[left]}"),
        bars.TextColumn("{task.fields[said]}"),
        console=console,
        disable=not console.is_terminal,
    ) as bar:
        task = bar.add_task(name, total=None, said="", left="")
        told = -1

        def show(progress: Progress) -> None:
            nonlocal told
            through = progress.found + progress.done + progress.failed
            said = f"{progress.found} found" if progress.found else ""
            if progress.broken:
                said += f"{', ' if said else ''}{progress.broken} broken by the path"
            if progress.failed:
                said += f"{', ' if said else ''}{progress.failed} failed"
            if progress.tried_again:
                said += f"{', ' if said else ''}{progress.tried_again} tried again"
            left = "" if progress.left_s is None else f"{_words(progress.left_s)} left"
            bar.update(task, total=progress.wanted, completed=through, said=said, left=left)
            step = through * LINES // max(progress.wanted, 1)
            if not console.is_terminal and step != told:
                told = step
                parts = (f"{through} of {progress.wanted} sessions {said}".rstrip(), left)
                console.print(", ".join(filter(None, parts)))

        yield show


def _words(seconds: float) -> str:
    """`2 h 5 min`, `5 min`, `40 s`."""
    minutes = round(seconds / 60)
    if seconds < LEAST_MINUTES_S:
        return f"{seconds:.0f} s"
    hours, rest = divmod(minutes, 60)
    return f"{hours} h {rest} min" if hours else f"{minutes} min"
