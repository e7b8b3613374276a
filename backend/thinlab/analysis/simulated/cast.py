"""The simulated votes of one study as rows, which is what the results are worked out from.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from functools import cache

from thinlab.analysis.simulated.answers import Answers
from thinlab.analysis.simulated.presented import PresentedBlock
from thinlab.analysis.votes import AnalysedVote, TrialWords
from thinlab.study.scale import ScaleKind
from thinlab.study.trial import ChoiceName

CHOICES: tuple[ChoiceName, ...] = ("first", "second", "no_difference")
WITH_CHOICES: frozenset[ScaleKind] = frozenset({"preference", "abx"})
WORDS = TrialWords(
    sensed="sensed", copies="copies", people="participants", meet_these="meet these recordings"
)
"""Simulated votes are neither heard nor typed, and their sentences are read by nobody."""


class Casting:
    """Casts the votes of one block, study by study; who gets what is the same in all."""

    def __init__(self, block: PresentedBlock) -> None:
        self.block = block
        self._row = cache(self._made)

    def votes(
        self, answers: Mapping[str, Answers], study: int, people: int | None = None
    ) -> list[AnalysedVote]:
        """Trial by trial, participant by participant: of everybody, or of so many, the first."""
        row = self._row
        return [
            row(number, person, given)
            for number, trial in enumerate(self.block.trials)
            for person, given in enumerate(answers[trial.id].given[study, :people].tolist())
        ]

    def _made(self, number: int, person: int, given: int) -> AnalysedVote:
        trial = self.block.trials[number]
        run = int(trial.run[person])
        return AnalysedVote(
            participant=f"p{person}",
            block=self.block.id,
            trial=trial.id,
            kind=trial.kind,
            clip=trial.clip,
            conditions=trial.conditions,
            answer=given if self.block.scale not in WITH_CHOICES else CHOICES[given],
            right=given == 1 if self.block.scale == "abx" else None,
            words=WORDS,
            first="b" if trial.b_first[person] else "a",
            run=run,
            recording=f"{trial.id} {run}",
        )
