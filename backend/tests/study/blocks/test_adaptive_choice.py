"""What comes next in a staircase: by the votes so far and the seed, and by nothing else."""

import itertools
import math
from collections import Counter

from tests.staircases import first_block, staircase_block, staircase_definition
from thinlab.questplus.posterior import Posterior
from thinlab.study.blocks.adaptive.choice import answers, is_right, next_turn
from thinlab.study.blocks.adaptive.levels import grid_of, staircases
from thinlab.study.blocks.kind import Taken, Turn
from thinlab.study.blocks.registry import kind_of, length_of, trials_total
from thinlab.study.definition import StudyDefinition
from thinlab.study.schedule import Drawn


def voted(turn: Turn, *, right: bool) -> Taken:
    return Taken(turn, "first" if right == (turn.first_member == "a") else "second", None)


def taken_by(definition: StudyDefinition, seed: str, hears_from: float) -> list[Taken]:
    """A whole block of somebody who hears levels from this one on, and else is wrong."""
    block = first_block(definition)
    values = {
        one.trial: one.value for mine in staircases(definition, block).values() for one in mine
    }
    found: list[Taken] = []
    while turn := next_turn(definition, block, seed, found):
        found.append(voted(turn, right=values[turn.trial] >= hears_from))
    return found


def test_a_block_is_as_long_as_its_staircases() -> None:
    definition = staircase_definition()
    block = first_block(definition)
    assert length_of(block) == trials_total(definition) == 16
    assert len(taken_by(definition, "p-1", 0.03)) == 16
    assert kind_of(block).chosen_by_answers


def test_only_the_first_is_drawn_with_the_session() -> None:
    definition = staircase_definition()
    block = first_block(definition)
    (first,) = kind_of(block).at_start(definition, block, Drawn(0, 0), "p-1")
    assert first == next_turn(definition, block, "p-1", [])


def test_the_level_is_the_one_that_tells_most() -> None:
    definition = staircase_definition(staircase_block("speech"))
    block = first_block(definition)
    (levels,) = staircases(definition, block).values()
    assert [level.value for level in levels] == [0.01, 0.03, 0.08, 0.2]
    taken = taken_by(definition, "p-1", 0.03)
    for number, one in enumerate(taken):
        known = answers(levels, taken[:number])
        assert block.adaptive is not None
        expected = Posterior.of(grid_of(block.adaptive, levels), known).expected_entropies(
            [level.log for level in levels]
        )
        assert math.isclose(expected[one.turn.trial], min(expected), abs_tol=1e-8)


def test_it_goes_down_for_who_hears_more() -> None:
    definition = staircase_definition(staircase_block("speech", trials=24))
    means = []
    for hears_from in (0.0, 0.08, 1.0):
        taken = taken_by(definition, "p-1", hears_from)
        means.append(sum(one.turn.trial for one in taken[-12:]) / 12)
    assert means[0] < means[1] < means[2]


def test_clips_sides_and_runs_are_balanced_whatever_is_answered() -> None:
    definition = staircase_definition()
    block = first_block(definition)
    for hears_from in (0.0, 0.03, 1.0):
        taken = taken_by(definition, "p-1", hears_from)
        clips = [block.trials[one.turn.trial].clip for one in taken]
        for number in range(0, 16, 2):
            assert set(clips[number : number + 2]) == {"speech", "song"}
        for clip in ("speech", "song"):
            sides = Counter(
                one.turn.first_member for one, its in zip(taken, clips, strict=True) if its == clip
            )
            assert sides == {"a": 4, "b": 4}
        for trial in range(len(block.trials)):
            runs = [one.turn.run for one in taken if one.turn.trial == trial]
            assert all(run != after for run, after in itertools.pairwise(runs))
    # So that a side never tells what was answered: it is the same for all of these.
    sides_of = [
        [one.turn.first_member for one in taken_by(definition, "p-1", hears_from)]
        for hears_from in (0.0, 0.03, 1.0)
    ]
    assert sides_of[0] == sides_of[1] == sides_of[2]


def test_participants_get_orders_of_their_own() -> None:
    definition = staircase_definition(staircase_block("speech", trials=24))
    sides = {
        tuple(one.turn.first_member for one in taken_by(definition, f"p-{number}", 0.03))
        for number in range(8)
    }
    assert len(sides) == 8


def test_right_is_whoever_chooses_the_reference() -> None:
    assert is_right(Taken(Turn(0, 0, "a"), "first", None))
    assert is_right(Taken(Turn(0, 0, "b"), "second", None))
    assert not is_right(Taken(Turn(0, 0, "b"), "first", None))
