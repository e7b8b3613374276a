"""Files that outlive a loss of power.

SPDX-License-Identifier: Apache-2.0
"""

import os
from pathlib import Path


def write(path: Path, content: bytes) -> None:
    """Writes a file that is on the disk when this returns; its name in the folder may not be."""
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync(path: Path) -> None:
    """A file's content, or what was renamed in a folder, outlives a loss of power."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file that appears whole, by renaming, in place of what was there."""
    fresh = path.with_name(f".new-{path.name}")
    write(fresh, content)
    fresh.replace(path)
