"""Finished sessions, one file each by content key: complete or absent.

    sessions/<first two digits>/<key>.json
    sessions/texts/<hash>.txt   what many of them name

An experiment that is interrupted, or changed, or made longer, finds what it
has in common with earlier ones.

SPDX-License-Identifier: Apache-2.0
"""

import json
import os
import tempfile
from collections.abc import Iterable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from thinlab import durable


class SessionStore:
    """Records of sessions under one folder of the cache."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, key: str) -> dict[str, Any] | None:
        """The record of a session, if it was run."""
        try:
            text = self._file(key).read_text(encoding="utf-8")
        except FileNotFoundError:
            return None
        record: dict[str, Any] = json.loads(text)
        return record

    def __contains__(self, key: str) -> bool:
        return self._file(key).exists()

    def last_written(self, keys: Iterable[str]) -> date | None:
        """The day on which the last of these sessions was kept; none if none is here."""
        files = [self._file(key) for key in keys]
        times = [file.stat().st_mtime for file in files if file.exists()]
        return datetime.fromtimestamp(max(times), UTC).date() if times else None

    def write(self, key: str, record: dict[str, Any]) -> None:
        """Keeps a record: the file appears whole, by renaming."""
        file = self._file(key)
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=".new-", dir=file.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as fresh:
            json.dump(record, fresh, separators=(",", ":"))
            fresh.flush()
            os.fsync(fresh.fileno())
        Path(name).replace(file)

    def keep_text(self, name: str, text: str) -> None:
        """Keeps what many records name, such as settings, once: `name` is its hash."""
        file = self._text_file(name)
        if not file.exists():
            file.parent.mkdir(parents=True, exist_ok=True)
            durable.write_whole(file, text.encode())

    def text(self, name: str) -> str | None:
        """What was kept by that name."""
        try:
            return self._text_file(name).read_text(encoding="utf-8")
        except FileNotFoundError:
            return None

    def _text_file(self, name: str) -> Path:
        return self.folder / "texts" / f"{name}.txt"

    def _file(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.json"
