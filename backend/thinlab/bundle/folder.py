"""A folder that is there whole or not at all.

SPDX-License-Identifier: Apache-2.0
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from thinlab import durable


class FolderError(Exception):
    """The folder cannot be made; the text says why, and the remedy."""


@contextmanager
def whole(target: Path) -> Iterator[Path]:
    """A folder beside the target, which takes the target's name when the block ends well.

    Whatever ends the block otherwise leaves nothing; what a killed process left is
    cleared by the next that makes the same folder. Raises `FolderError`.
    """
    if target.exists() or target.is_symlink():
        raise FolderError(
            f"{target}: is there already, and is left as it is. Name a folder that is not there "
            "yet, or move that one away"
        )
    prefix = f".{target.name}.half-made-"
    try:
        _clear(target.parent, prefix)
        half_made = Path(tempfile.mkdtemp(prefix=prefix, dir=target.parent))
    except OSError as error:
        raise FolderError(
            f"{target}: {error.strerror}; name a folder where you may write"
        ) from error
    lock = os.open(half_made, os.O_RDONLY)
    try:
        # Held as long as somebody writes here: then nobody takes it for a leftover.
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield half_made
        _onto_disk(half_made)
        half_made.chmod(0o755)
        try:
            half_made.rename(target)
        except OSError as error:
            raise FolderError(
                f"{target}: {error.strerror}; somebody made it meanwhile: name another"
            ) from error
        durable.sync(target.parent)
    finally:
        shutil.rmtree(half_made, ignore_errors=True)
        os.close(lock)


def _clear(parent: Path, prefix: str) -> None:
    for left in parent.glob(f"{prefix}*"):
        lock = os.open(left, os.O_RDONLY)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            continue
        else:
            shutil.rmtree(left, ignore_errors=True)
        finally:
            os.close(lock)


def _onto_disk(folder: Path) -> None:
    for place, _, files in os.walk(folder):
        for name in files:
            durable.sync(Path(place, name))
        durable.sync(Path(place))
