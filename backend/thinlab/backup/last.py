"""When the last backup was made, for whoever watches the server.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ValidationError

if TYPE_CHECKING:
    from thinlab.backup.making import Made

NAME = "last-backup.json"


class LastBackup(BaseModel):
    """What is told of a backup; where it lies is its maker's business."""

    made_at: datetime
    size_bytes: int


def note(data: Path, made: "Made") -> None:
    """Keeps it in the data folder."""
    last = LastBackup(made_at=made.made_at, size_bytes=made.size_bytes)
    unready = data / f".{NAME}"
    unready.write_text(last.model_dump_json() + "\n")
    unready.chmod(0o644)
    unready.rename(data / NAME)


def last_backup(data: Path) -> LastBackup | None:
    """The last one; none where there is none."""
    try:
        return LastBackup.model_validate_json((data / NAME).read_bytes())
    except (OSError, ValidationError):
        return None
