"""What the server has acknowledged, as those noted it who were told: a file of its own.

SPDX-License-Identifier: Apache-2.0
"""

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import httpx

from thinlab.bots.network import Line

VOTES = "/api/participation/votes"


class KeptVote(NamedTuple):
    """A vote with its receipt."""

    study: str
    vote_key: str
    choice: str


class KeptSession(NamedTuple):
    """A typing session of which the page was told that it has ended, and counts."""

    token: str
    keys: int


class KeptEvent(NamedTuple):
    """A command of a presenter that was answered with “done”."""

    demo_id: int
    number: int
    text: str


class KeptPollVote(NamedTuple):
    """A listener's vote that the page was shown as stored."""

    demo_id: int
    poll: int
    choice: str


Kept = KeptVote | KeptSession | KeptEvent | KeptPollVote


class Ledger:
    """Entries in memory and on the disk; a soak that is cut off leaves its lines."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("w")
        self.entries: list[Kept] = []

    def enter(self, kept: Kept) -> None:
        """Notes what was acknowledged just now."""
        self.entries.append(kept)
        self._file.write(json.dumps({"kind": type(kept).__name__, **kept._asdict()}) + "\n")
        self._file.flush()

    def of(self, kind: type[Any]) -> list[Any]:
        """All of a kind, in the order in which they were acknowledged."""
        return [one for one in self.entries if isinstance(one, kind)]

    def counts(self) -> Counter[str]:
        """How many of each kind."""
        return Counter(type(one).__name__ for one in self.entries)


@dataclass
class LedgerLine(Line):
    """A bot's line that notes each vote when its receipt has come."""

    study: str = ""
    ledger: Ledger | None = None

    async def ask(
        self,
        method: str,
        path: str,
        **given: Any,  # noqa: ANN401
    ) -> httpx.Response:
        """As `Line`."""
        answer = await super().ask(method, path, **given)
        body = given.get("body")
        if path == VOTES and body is not None and self.ledger is not None:
            self.ledger.enter(KeptVote(self.study, str(body["vote_key"]), str(body["choice"])))
        return answer
