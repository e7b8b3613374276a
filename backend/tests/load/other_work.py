"""Processes that keep processors busy beside what is measured, as others' work on the machine does.

SPDX-License-Identifier: Apache-2.0
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

FUNCTIONS = 400


def program() -> str:
    """C that a compiler optimizes for some seconds."""
    return "\n".join(
        f"int f{one}(int *a, int n) {{ int s = {one}; for (int i = 0; i < n; i++)"
        f" for (int j = i; j < n; j += i % {one + 2} + 1) s ^= a[i] * a[j] + s / (j + 1);"
        " return s; }"
        for one in range(FUNCTIONS)
    )


def spinning(folder: Path) -> list[str]:
    """Computes without a pause."""
    del folder
    return [sys.executable, "-c", "while True: pass"]


def compiling(folder: Path) -> list[str]:
    """Compiles the same file again and again."""
    source = folder / "work.c"
    source.write_text(program())
    # What a compiler that is killed leaves goes with the folder.
    compiler = f"TMPDIR='{folder}' cc -O3 -c '{source}' -o /dev/null"
    return ["sh", "-c", f"while :; do {compiler}; done"]


KINDS = {"spinning": spinning, "compiling": compiling}


@contextmanager
def other_work(kind: str, count: int, folder: Path) -> Iterator[None]:
    """So many of them, each of a session of its own: processor time is shared out by sessions."""
    command = KINDS[kind](folder)
    processes = [psutil.Popen(command, start_new_session=True) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            for one in [process, *process.children(recursive=True)]:
                with suppress(psutil.NoSuchProcess):
                    one.kill()
            process.wait()
