"""What each lane is called before the audience.

SPDX-License-Identifier: Apache-2.0
"""

import random
from dataclasses import dataclass

from thinlab.demo.wording import LETTERS


@dataclass(frozen=True)
class Order:
    """Which lane each letter stands for, and whether the audience knows."""

    lanes: tuple[int, ...]
    blind: bool

    @classmethod
    def told(cls, count: int) -> "Order":
        """A for the first lane, and so on."""
        return cls(tuple(range(count)), blind=False)

    @classmethod
    def drawn(cls, count: int, chance: random.Random) -> "Order":
        """Any order, for blind mode."""
        lanes = list(range(count))
        chance.shuffle(lanes)
        return cls(tuple(lanes), blind=True)

    def revealed(self) -> "Order":
        """The same, known to all."""
        return Order(self.lanes, blind=False)

    def resized(self, count: int, chance: random.Random) -> "Order":
        """The same kind of order for another number of lanes."""
        if count == len(self.lanes):
            return self
        return Order.drawn(count, chance) if self.blind else Order.told(count)

    @property
    def letters(self) -> str:
        """As many as there are lanes."""
        return LETTERS[: len(self.lanes)]

    def lane(self, letter: str) -> int:
        """What a letter stands for; of one that is gone, the first lane's."""
        at = LETTERS.index(letter)
        return self.lanes[at] if at < len(self.lanes) else self.lanes[0]

    def letter(self, lane: int) -> str:
        """What a lane is called; of one that is not there, what the next one would be."""
        return LETTERS[self.lanes.index(lane) if lane in self.lanes else lane]
