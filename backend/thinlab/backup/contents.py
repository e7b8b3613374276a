"""What a backup holds, and what it says of itself.

    contents.json                     this file's kind, the schema's version, tables and columns
    database/<table>.copy             rows, as PostgreSQL's COPY writes them
    recordings/<key>/…  typing/<session>/…  demos/<demo>/…  tls/…     as they lie on the disk
    seal.json                         SHA-256 and size of everything before it

A tar file in zstd. Whatever breaks off lacks its seal; whatever is damaged does not match it.

SPDX-License-Identifier: Apache-2.0
"""

import re
from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

CONTENTS, SEAL = "contents.json", "seal.json"
ROWS = re.compile(r"database/([a-z_][a-z0-9_]*)\.copy")
STORED = re.compile(r"(recordings|typing|demos|tls)(/[A-Za-z0-9_][A-Za-z0-9_.-]*){1,3}")


class BackupError(Exception):
    """A backup cannot be made or restored; the text tells why, and the remedy."""


class _Kept(BaseModel):
    model_config = ConfigDict(extra="forbid")


class KeptTable(_Kept):
    """One table, in an order in which rows can be entered again."""

    name: str
    columns: list[str]
    counters: dict[str, int]
    """The last number that was drawn, by column: none is drawn twice after a restore either."""


class Contents(_Kept):
    """`contents.json`."""

    kind: Literal["thinlab backup"] = "thinlab backup"
    form: int = 1
    version: str
    """Of Thinlab."""
    schema_version: str
    """Number of the last migration."""
    made_at: datetime
    tables: list[KeptTable]


class Member(_Kept):
    """One file of a backup."""

    sha256: str
    size_bytes: int


class Seal(_Kept):
    """`seal.json`."""

    members: dict[str, Member]
    rows: dict[str, int]
    """By table."""
    missing: list[str]
    """Folders that the database names and that were not there."""
