"""Folders for what is nobody else's to read: logs, what was typed, what was said in a demo.

SPDX-License-Identifier: Apache-2.0
"""

from pathlib import Path

OWNER_ONLY = 0o700


class NumberedFolders:
    """The folders of things that have a number, under one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def of(self, number: int) -> Path:
        """One thing's, by its number; it need not be there."""
        return self.folder / str(number)


def private_folder(folder: Path) -> Path:
    """Makes a folder that only its owner can enter; closes one that others could."""
    folder.mkdir(mode=OWNER_ONLY, parents=True, exist_ok=True)
    if folder.stat().st_mode & 0o077:
        folder.chmod(OWNER_ONLY)
    return folder
