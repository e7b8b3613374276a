"""Where a tank is a while after what is known of it.

SPDX-License-Identifier: Apache-2.0
"""

import math

import numpy as np
import pytest

from thinlab.experiment.tanks.known import States
from thinlab.experiment.tanks.reckoning import moved_on

QUARTER = math.pi / 2
RADIUS = 20.0


def after(seconds: float, *row: float) -> list[float]:
    """Where that tank is then."""
    states = States.of(((1, *row, 0.0),))
    return moved_on(states, np.array([0]), np.array([seconds])).tolist()[0]  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("velocity", "turning", "there"),
    [
        # Turning to the left, eastwards and northwards; to the right; backwards.
        ((RADIUS * QUARTER, 0), QUARTER, (RADIUS, RADIUS)),
        ((0, RADIUS * QUARTER), QUARTER, (-RADIUS, RADIUS)),
        ((0, RADIUS * QUARTER), -QUARTER, (RADIUS, RADIUS)),
        ((-RADIUS * QUARTER, 0), QUARTER, (-RADIUS, -RADIUS)),
        # So slowly that the game takes it for none.
        ((3, 4), 0.001, (3, 4)),
    ],
)
def test_a_tank_on_the_ground_goes_on_in_its_arc(
    velocity: tuple[float, float], turning: float, there: tuple[float, float]
) -> None:
    assert after(1, 100, 200, 5, *velocity, 0, turning, 0) == pytest.approx(
        [100 + there[0], 200 + there[1], 5]
    )


def test_a_tank_in_the_air_falls_without_turning_down_to_the_ground() -> None:
    thrown = (0, 0, 10, 3, 4, 9.8, QUARTER, 1)
    assert after(1, *thrown) == pytest.approx([3, 4, 14.9])
    assert after(2, *thrown) == pytest.approx([6, 8, 10])
    assert after(10, *thrown)[2] == 0
