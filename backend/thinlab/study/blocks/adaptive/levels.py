"""Which levels a block's pairs are of, clip by clip, and what is thought of thresholds before.

SPDX-License-Identifier: Apache-2.0
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from thinlab.condition.path import Direction
from thinlab.condition.written import WrittenCondition
from thinlab.questplus.function import Grid
from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.staircase import QuantityName, Staircase
from thinlab.study.trial import PairTrial, member_conditions, presented

THRESHOLDS = 61
# A threshold is thought to lie so many times beyond the levels, at most, where nothing is said.
BEYOND = 2.0


@dataclass(frozen=True)
class Quantity:
    """What is changed from level to level."""

    value: Callable[[Direction], float]
    field: str
    """Of a direction of the path."""
    unit: str
    words: str


QUANTITIES: Mapping[QuantityName, Quantity] = MappingProxyType(
    {
        "loss_share": Quantity(lambda way: way.loss_share, "loss_share", "share", "loss"),
        "one_way_delay_ms": Quantity(lambda way: way.delay_ms, "delay_ms", "ms", "one-way delay"),
    }
)


@dataclass(frozen=True)
class Level:
    """A pair of the reference and of one value of the quantity."""

    trial: int
    """Index in the block."""
    value: float

    @property
    def log(self) -> float:
        """As the model takes it."""
        return math.log10(self.value)


def staircase_of(block: Block) -> Staircase:
    """What the file says. Raises `ValueError` of a block that is of another kind."""
    if block.adaptive is None:
        raise ValueError(f"block {block.id} is not adaptive")
    return block.adaptive


def value_of(definition: StudyDefinition, name: str, quantity: QuantityName) -> float | None:
    """Of a condition; none where it is unknown, or was not sent."""
    condition = definition.conditions.get(name)
    if not isinstance(condition, WrittenCondition):
        return None
    return QUANTITIES[quantity].value(condition.resolved.path.forward)


def but_for(condition: WrittenCondition, quantity: QuantityName) -> dict[str, Any]:
    """All that a condition is beside the quantity, in either direction."""
    said = condition.resolved.model_dump(mode="json")
    for way in ("forward", "backward"):
        del said["path"][way][QUANTITIES[quantity].field]
    return said


def staircases(definition: StudyDefinition, block: Block) -> dict[str, tuple[Level, ...]]:
    """The levels of each clip, ascending; of a study whose file was found to be good."""
    quantity = staircase_of(block).quantity
    found: dict[str, list[Level]] = {}
    for index, trial in enumerate(block.trials):
        value = value_of(definition, member_conditions(trial)[-1], quantity)
        if isinstance(trial, PairTrial) and value:
            found.setdefault(presented(trial), []).append(Level(index, value))
    return {clip: tuple(sorted(mine, key=lambda one: one.value)) for clip, mine in found.items()}


def threshold_between(staircase: Staircase, levels: tuple[Level, ...]) -> tuple[float, float]:
    """The lowest and the highest threshold that are thought possible, in the quantity's unit."""
    values = [one.value for one in levels]
    return staircase.threshold_between or (min(values) / BEYOND, max(values) * BEYOND)


def grid_of(staircase: Staircase, levels: tuple[Level, ...]) -> Grid:
    """The prior of one staircase."""
    lowest, highest = threshold_between(staircase, levels)
    return Grid.between(lowest, highest, staircase.slopes, staircase.lapse_shares, THRESHOLDS)


def written(value: float, quantity: QuantityName) -> str:
    """A level in words."""
    return f"{value * 100:g} %" if quantity == "loss_share" else f"{value:g} ms"
