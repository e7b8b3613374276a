"""Where an installation's files lie, and which of them its database names.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass
from pathlib import Path

import asyncpg

from thinlab.settings import Settings


@dataclass(frozen=True)
class Folder:
    """A folder of files that belong to a row."""

    name: str
    """Such as `typing/7`."""
    has_files: bool
    """Whether the row says that there are some."""


# Of a typing session that is under way there is nothing yet; a void one may have broken off early.
NAMED = {
    "recording": ("recordings", "select key as name, true as has_files from recording order by id"),
    "typing_session": (
        "typing",
        "select id::text as name, state = 'done' as has_files from typing_session order by id",
    ),
    "demo": ("demos", "select id::text as name, false as has_files from demo order by id"),
}


@dataclass(frozen=True)
class Place:
    """The folders of one installation."""

    data: Path
    recordings: Path

    @classmethod
    def of(cls, settings: Settings) -> "Place":
        """Of the installation that these settings describe."""
        return cls(settings.data, settings.recordings)

    def path(self, name: str) -> Path:
        """Where the files of a member's name lie."""
        kind, _, rest = name.partition("/")
        return (self.recordings if kind == "recordings" else self.data / kind) / rest

    async def named_by(self, connection: asyncpg.Connection) -> list[Folder]:
        """Folders that the database's rows name; older schemas lack some tables."""
        # The certificate of our own making: browsers need not be told to trust another one.
        found = [Folder("tls", has_files=False)]
        for table, (kind, query) in NAMED.items():
            if await connection.fetchval("select to_regclass($1)", f"public.{table}") is not None:
                rows = await connection.fetch(query)
                found += [Folder(f"{kind}/{row['name']}", row["has_files"]) for row in rows]
        return found
