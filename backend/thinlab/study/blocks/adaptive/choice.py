"""What comes next: a function of the votes so far and of the study's seed. Pure.

The level is the one that is expected to tell most about threshold, slope and lapse share. Which
clip's staircase is next, which member is first and which run is heard is drawn from the seed for
each participant, before anything is answered: so none of them tells anything of the level.

SPDX-License-Identifier: Apache-2.0
"""

import random
from collections import Counter
from collections.abc import Sequence

from thinlab.questplus.posterior import Answer, Posterior
from thinlab.study.blocks.adaptive.levels import Level, grid_of, staircase_of, staircases
from thinlab.study.blocks.kind import Taken, Turn
from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.schedule import MemberName
from thinlab.study.trial import presented, runs_of


def length(block: Block) -> int:
    """One staircase for each clip."""
    return staircase_of(block).trials * len(clips(block))


def clips(block: Block) -> list[str]:
    """In the file's order."""
    return list(dict.fromkeys(presented(trial) for trial in block.trials))


def next_turn(
    definition: StudyDefinition, block: Block, seed: str, taken: Sequence[Taken]
) -> Turn | None:
    """What follows; none where the block is done."""
    if len(taken) >= length(block):
        return None
    clip = _clip_of(block, seed, len(taken))
    levels = staircases(definition, block)[clip]
    index = next_level(block, levels, taken)
    chosen = levels[index].trial
    mine = {level.trial for level in levels}
    done = sum(one.turn.trial in mine for one in taken)
    heard = Counter(one.turn.trial for one in taken)
    runs = runs_of(block.trials[chosen])
    begins = _chance(block, seed, f"run {block.trials[chosen].id}").randrange(runs)
    return Turn(
        trial=chosen,
        # As long as there are runs that were not heard, one of those: a loss pattern is recognised.
        run=(begins + heard[chosen]) % runs,
        first_member=_sides(block, seed, clip)[done],
    )


def next_level(block: Block, levels: tuple[Level, ...], taken: Sequence[Taken]) -> int:
    """Index of the level that a staircase presents after these votes of the block."""
    posterior = Posterior.of(grid_of(staircase_of(block), levels), answers(levels, taken))
    return posterior.next_level([level.log for level in levels])


def answers(levels: tuple[Level, ...], taken: Sequence[Taken]) -> list[Answer]:
    """The votes on one clip: right is to choose the reference, which the file names first."""
    logs = {level.trial: level.log for level in levels}
    return [
        Answer(logs[one.turn.trial], right=is_right(one)) for one in taken if one.turn.trial in logs
    ]


def is_right(one: Taken) -> bool:
    """Whether the reference was chosen."""
    return (one.choice == "first") == (one.turn.first_member == "a")


def _clip_of(block: Block, seed: str, done: int) -> str:
    """In each round every clip comes once, in an order of its own."""
    order = clips(block)
    round_, place = divmod(done, len(order))
    _chance(block, seed, f"round {round_}").shuffle(order)
    return order[place]


def _sides(block: Block, seed: str, clip: str) -> list[MemberName]:
    """Of a staircase's trials: the reference is first in half of them, in no order."""
    sides: list[MemberName] = [
        "a" if number % 2 == 0 else "b" for number in range(staircase_of(block).trials)
    ]
    _chance(block, seed, f"sides {clip}").shuffle(sides)
    return sides


def _chance(block: Block, seed: str, what: str) -> random.Random:
    return random.Random(f"{staircase_of(block).seed}/{seed}/{block.id}/{what}")  # noqa: S311
