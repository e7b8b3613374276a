"""Who gets what in a study of so many participants, as its allocation hands it out.

SPDX-License-Identifier: Apache-2.0
"""

import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thinlab.analysis.votes import TrialKind
from thinlab.participation.allocation import draw_row
from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.scale import ScaleKind
from thinlab.study.scales.preference import PreferenceScale
from thinlab.study.schedule import covers_of, rows_of, run_of
from thinlab.study.trial import member_conditions, presented, runs_of

Numbers = NDArray[np.intp]
OPEN_QUESTIONS: tuple[TrialKind, ...] = ("pair", "single")


@dataclass(frozen=True)
class PresentedTrial:
    """One trial, and who gets it how: arrays have one entry a participant."""

    id: str
    kind: TrialKind
    clip: str
    conditions: tuple[str, ...]
    runs: int
    run: Numbers
    b_first: NDArray[np.bool_]

    @property
    def rated(self) -> str:
        """The condition that a score is about where conditions are rated."""
        return self.conditions[-1]


def in_both_orders(trials: Sequence[PresentedTrial]) -> bool:
    """As `thinlab.analysis.preference` has it: trials that turn the conditions are turned back."""
    of_first = trials[0].conditions
    came_first = [trial.b_first ^ (trial.conditions != of_first) for trial in trials]
    return len(np.unique(np.concatenate(came_first))) > 1


@dataclass(frozen=True)
class PresentedBlock:
    """Trials of a block whose votes are analysed: pairs and single recordings, or controls too."""

    id: str
    scale: ScaleKind
    ties: bool
    """Whether "no difference" may be said."""
    participants: int
    trials: tuple[PresentedTrial, ...]


def blocks_of(
    definition: StudyDefinition,
    participants: int,
    seed: int,
    *,
    kinds: Collection[TrialKind] = OPEN_QUESTIONS,
) -> Iterator[PresentedBlock]:
    """Everybody completes: the cells are as balanced as the allocation makes them.

    Trials of other `kinds` are handed out, and left out here.
    """
    chance = random.Random(seed)  # noqa: S311
    for block in definition.blocks:
        # Which levels of a staircase are presented hangs on the answers.
        if block.role == "trials" and block.adaptive is None:
            yield _block(block, participants, chance, kinds)


def _block(
    block: Block, participants: int, chance: random.Random, kinds: Collection[TrialKind]
) -> PresentedBlock:
    covers, rows = covers_of(block), rows_of(block)
    held: dict[int, list[int]] = {}
    asked = [(index, trial) for index, trial in enumerate(block.trials) if trial.kind in kinds]
    run = np.zeros((len(block.trials), participants), dtype=np.intp)
    b_first = np.zeros(run.shape, dtype=np.bool_)
    for participant in range(participants):
        drawn = draw_row(covers, held, chance)
        held.setdefault(drawn.row, []).append(drawn.round)
        for place in rows[drawn.row]:
            b_first[place.trial, participant] = place.first_member == "b"
        for index, trial in asked:
            run[index, participant] = run_of(index, drawn, runs_of(trial), len(rows))
    return PresentedBlock(
        id=block.id,
        scale=block.scale.kind,
        ties=isinstance(block.scale, PreferenceScale)
        and block.scale.answers.no_difference is not None,
        participants=participants,
        trials=tuple(
            PresentedTrial(
                id=trial.id,
                kind=trial.kind,
                clip=presented(trial),
                conditions=member_conditions(trial),
                runs=runs_of(trial),
                run=run[index],
                b_first=b_first[index],
            )
            for index, trial in asked
        ),
    )
