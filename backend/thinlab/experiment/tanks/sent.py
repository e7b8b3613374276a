"""What a session sends of a captured game's tanks: its messages, over and over.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass

import numpy as np

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.experiment.tanks.error import NEVER_NS, Heard
from thinlab.experiment.tanks.known import Integers, Told


@dataclass(frozen=True, eq=False)
class Sent:
    """The messages about tanks in what a session sends: those of the game, over and over."""

    told: Told
    nth: Integers
    """Of each of them, which of the game's messages it is."""
    game: Integers
    """The how many-th game it is of."""
    ends: Integers
    """The offset in the session's stream after its last byte."""
    sent_ns: Integers
    """When the write was due that its last byte is in."""
    ages_ns: Integers
    over_ns: Integers
    """When its game has no further writes."""

    @classmethod
    def of(cls, told: Told, replay: pb.ReplayStream) -> "Sent":
        """As the agent sends a replay."""
        at_ns = np.array([message.at_ns for message in replay.messages], np.int64)
        written = np.cumsum([message.payload_bytes for message in replay.messages])
        within_ns = at_ns[np.searchsorted(written, told.ends, side="left")]
        lasts_ns = replay.lasts_ns or NEVER_NS
        games = lasts_ns // replay.every_ns + 1 if replay.every_ns else 1
        game = np.repeat(np.arange(games), len(told.ends))
        which = np.tile(np.arange(len(told.ends)), games)
        sent_ns = within_ns[which] + game * replay.every_ns
        kept = sent_ns <= lasts_ns
        which, game, sent_ns = which[kept], game[kept], sent_ns[kept]
        return cls(
            told=told,
            nth=which,
            game=game,
            ends=told.ends[which] + game * written[-1],
            sent_ns=sent_ns,
            ages_ns=told.ages_ns(within_ns)[which],
            over_ns=np.minimum(at_ns[-1] + game * replay.every_ns, lasts_ns),
        )

    def heard(self, came_ns: Integers) -> Heard:
        """What the player knew who could read them then."""
        return Heard(
            states=self.told.states,
            which=self.told.which[self.nth],
            holds_ns=self.sent_ns - self.ages_ns,
            sent_ns=self.sent_ns,
            came_ns=came_ns,
            game=self.game,
            over_ns=self.over_ns,
        )
