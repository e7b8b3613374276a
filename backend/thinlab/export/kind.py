"""What the export of votes asks of a kind of trial; `thinlab.trials` has the kinds.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.engine import Transactions
from thinlab.database.schema import Presentation
from thinlab.export.column import Column
from thinlab.export.entry import Experienced, VoteEntry
from thinlab.study.catalogue import StoredStudy
from thinlab.study.trial import Medium, Trial


class Reader(Protocol):
    """Finds what was presented, vote by vote."""

    async def read(self, session: AsyncSession, presentations: Sequence[Presentation]) -> None:
        """Before `of_presentation` is asked for any of these."""

    def of_presentation(
        self, presentation: Presentation, trial: Trial
    ) -> tuple[Experienced, Experienced | None]:
        """At the first place and at the second; no second where one is judged alone."""


@dataclass(frozen=True)
class OwnTable:
    """An export beside the votes, of what one kind keeps."""

    title: str
    """In the names of its route: `Keystrokes` is had by `getKeystrokesExport`."""
    meaning: str
    """What a row is."""
    columns: Sequence[Column[Any]]
    lots: Callable[[Transactions, StoredStudy], AsyncIterator[list[Any]]]
    """Its rows, of every version of a study, lot by lot."""


class ExportedKind(Protocol):
    """A kind of trial in the export of votes."""

    medium: Medium
    words: str
    """What such a trial presents."""
    place_words: str
    """What it presents at a place."""
    place_columns: tuple[Column[Any], ...]
    """Over what its reader gives."""
    perceived: tuple[str, ...]
    """Of these, by their names: the few that say most of what people may have noticed."""
    block_columns: tuple[Column[VoteEntry], ...]
    """Of how the trials of a block are done."""
    account_columns: tuple[Column[VoteEntry], ...]
    """Of how an answer was reached; `DECISION_MS` where it belongs among them."""

    tables: Mapping[str, OwnTable]
    """Exports of its own, by name."""

    async def reader(self, session: AsyncSession, slug: str) -> Reader:
        """For all votes of a study, of any version."""


Kinds = Mapping[str, ExportedKind]
"""By medium, in the order of their columns."""
