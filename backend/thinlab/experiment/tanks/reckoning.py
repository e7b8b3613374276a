"""Where a tank is while nothing new is known of it: BZFlag's dead reckoning.

On the ground it goes on with its speed, straight or in the arc that it turns in. In the air it
cannot steer, and falls, until it is on the ground: there it stays.

SPDX-License-Identifier: Apache-2.0
"""

import numpy as np

from thinlab.experiment.tanks.known import Floats, Integers, States

# The game's own, unless a server says otherwise; units/s².
GRAVITY = -9.8
# The game takes slower turns for none; rad/s.
LEAST_TURNING = 0.001


def moved_on(states: States, which: Integers, seconds: Floats) -> Floats:
    """Where the tanks of these states are so long after them: a row of three each."""
    velocity = states.velocity[which]
    falls = states.falls[which]
    turning = np.where(falls, 0.0, states.turning[which])
    turns = np.abs(turning) > LEAST_TURNING
    rate = np.where(turns, turning, 1.0)
    # The velocity, turned on and on, summed up: along it, and to its left.
    along = np.where(turns, np.sin(rate * seconds) / rate, seconds)
    leftwards = np.where(turns, (1 - np.cos(rate * seconds)) / rate, 0.0)
    position = states.position[which].copy()
    position[:, 0] += velocity[:, 0] * along - velocity[:, 1] * leftwards
    position[:, 1] += velocity[:, 1] * along + velocity[:, 0] * leftwards
    position[:, 2] += velocity[:, 2] * seconds + np.where(falls, GRAVITY / 2 * seconds**2, 0.0)
    position[:, 2] = np.maximum(position[:, 2], np.minimum(states.position[which, 2], 0.0))
    return position
