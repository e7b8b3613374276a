"""What is told of a curvature is what the whole matrix says."""

import numpy as np
import pytest

from thinlab.analysis.delay.curvature import CrossedCurvature


@pytest.mark.parametrize(("people", "recordings"), [(7, 3), (3, 7), (4, 4), (5, 1), (1, 1)])
def test_it_is_as_the_whole_matrix_has_it(people: int, recordings: int) -> None:
    random = np.random.default_rng(people * 100 + recordings)
    met = random.uniform(0.1, 2.0, (people, recordings))
    own, heard = 1 + met.sum(axis=1), 1 + met.sum(axis=0)
    whole = np.block([[np.diag(own), met], [met.T, np.diag(heard)]])
    inverse = np.linalg.inv(whole)
    right = random.normal(size=people + recordings)

    found = CrossedCurvature(own, heard, met)

    assert found.half_log_determinant == pytest.approx(np.linalg.slogdet(whole)[1] / 2)
    assert found.solved(right) == pytest.approx(inverse @ right)
    assert found.inverse_diagonal == pytest.approx(np.diag(inverse))
    assert found.inverse_met == pytest.approx(inverse[:people, people:])
