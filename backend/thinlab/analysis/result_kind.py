"""What is asked of a kind of result; `thinlab.analysis.registry` has the kinds.

SPDX-License-Identifier: Apache-2.0
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Generic, TypeVar

from pydantic import ConfigDict
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.analysis.asked import Asked
from thinlab.analysis.figure import Figure
from thinlab.analysis.findings import Estimate, Finding
from thinlab.analysis.votes import (
    AnalysedBlock,
    AnalysedVote,
    AnalysisPlan,
    by_conditions,
    in_order,
)
from thinlab.study.scale import RATINGS


class Part(Finding):
    """What a kind adds to a study's results. Each field has a default: what tells of nothing."""

    # Whoever gets results gets every field.
    model_config = ConfigDict(json_schema_serialization_defaults_required=True)


@dataclass(frozen=True)
class BlockVotes:
    """A block's votes that count, trial by trial in the study file's order."""

    block: AnalysedBlock
    pairs: Sequence[AnalysedVote]
    """Of which one was preferred, or scored against the other."""
    rated: Sequence[AnalysedVote]
    """On conditions that are rated, alone or against a reference."""
    told_apart: Sequence[AnalysedVote]
    """On which of two a third one was."""
    controls: Sequence[AnalysedVote]
    levels: Sequence[AnalysedVote] = ()
    """On pairs that were presented because of what was answered before."""

    @cached_property
    def compared(self) -> list[list[AnalysedVote]]:
        """Pairs by the two conditions."""
        return by_conditions(self.pairs)


@dataclass(frozen=True)
class Case:
    """What was declared, and what was answered."""

    plan: AnalysisPlan
    votes: Sequence[AnalysedVote]
    """Those that count."""

    @cached_property
    def blocks(self) -> list[BlockVotes]:
        """In the study file's order."""
        found = []
        for block in self.plan.blocks:
            mine = in_order(block, self.votes)
            asked = [vote for vote in mine if vote.kind not in {"control", "level"}]
            rated = asked if block.scale in RATINGS else []
            told_apart = asked if block.scale == "abx" else []
            found.append(
                BlockVotes(
                    block,
                    pairs=[] if rated or told_apart else asked,
                    rated=rated,
                    told_apart=told_apart,
                    controls=[vote for vote in mine if vote.kind == "control"],
                    levels=[vote for vote in mine if vote.kind == "level"],
                )
            )
        return found


class Rank(IntEnum):
    """Where a sentence stands among those of all kinds."""

    WARNING = 0
    DECISION = 1
    PRIMARY = 2
    FINDING = 3
    DETAIL = 4
    NOTE = 5


Said = tuple[Rank, str]
Found = TypeVar("Found", bound=Part)
Needed = TypeVar("Needed")


class ResultKind(ABC, Generic[Found, Needed]):
    """A kind of result. Only `found` has to be there; the rest is for those that have it.

    Whoever asks for results of any kind imports all of them, so numerical libraries are imported
    in `found`: they are slow, and the server has to start fast.
    """

    name: str
    """Of its folder."""
    part: type[Found]

    def applies(self, plan: AnalysisPlan) -> bool:  # noqa: ARG002
        """Whether a study with this plan has such a result at all."""
        return True

    async def needed(self, session: AsyncSession, asked: Asked) -> Needed | None:  # noqa: ARG002
        """What is read beside the votes; cheap, as it is read each time."""
        return None

    def fingerprint(self, needed: Needed | None) -> object:
        """Changes whenever what is found could for what was needed; hashable."""
        return needed

    @abstractmethod
    def found(self, case: Case, needed: Needed | None) -> Found:
        """What the votes say. Pure. `needed` is none of votes that nobody has stored."""

    def with_primary(self, found: Found, judged: Callable[[Estimate], Estimate]) -> Found:  # noqa: ARG002
        """The same, each estimate that was declared as primary and is tested as it is judged.

        They are corrected over all kinds together.
        """
        return found

    def sentences(self, found: Found) -> Iterable[Said]:  # noqa: ARG002
        """In plain English, to paste into a text."""
        return ()

    def figures(self, found: Found) -> Iterable[Figure]:  # noqa: ARG002
        """Every number, for the bundle."""
        return ()
