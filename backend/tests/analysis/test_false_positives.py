"""Where there is nothing to be found, the analysis finds it as seldom as it says."""

from typing import TYPE_CHECKING

import numpy as np

from tests.analysis.simulated import vote
from tests.study.study_files import CLIPS, SURVEY
from thinlab.analysis.preference import share_for_b
from thinlab.analysis.simulated.answers import simulate
from thinlab.analysis.simulated.false_positives import outcomes_of, rates
from thinlab.analysis.simulated.presented import blocks_of
from thinlab.analysis.simulated.scales import EFFECTS
from thinlab.study.file import read
from thinlab.study.trial import ChoiceName
from thinlab.trials.registry import KINDS

if TYPE_CHECKING:
    from thinlab.study.schedule import MemberName

PAIR = read(SURVEY / "p800-pair.yaml", CLIPS, KINDS)
CHOICES: tuple[ChoiceName, ...] = ("first", "second", "no_difference")


def test_a_shipped_design_keeps_its_level() -> None:
    found = {rate.finding: rate for rate in rates(PAIR, 150, seed=1)}
    trials = found["share, one trial"]
    assert (trials.tests, trials.recordings, trials.generalises) == (1200, 3, True)
    # 1200 tests at 5 % lie within 3.4 and 6.7 % but for one time in a hundred.
    assert 0.034 <= trials.found / trials.tests <= 0.067
    # With listeners as the only sample, three times as many.
    assert trials.found_without / trials.tests > 0.11
    assert found["share, comparison"].recordings == 12


def test_conditions_that_no_clip_has_both_of_are_told_nothing_of() -> None:
    study = read(SURVEY / "late-or-damaged.yaml", CLIPS, KINDS)
    found = {rate.finding: rate for rate in rates(study, 5, seed=1)}
    alike = found["difference of MOS (6 and 6 recordings)"]
    assert (alike.tests, alike.may_find_too_little) == (5 * 15, False)
    # Clean speech has one recording of either clip: a level of two, whose spread nobody knows.
    few = found["difference of MOS (6 and 2 recordings)"]
    assert (few.tests, few.may_find_too_little) == (5 * 6, True)
    assert found["difference of MOS (6 and 1 recordings)"].tests == 0


def test_runs_and_sides_are_as_balanced_as_the_allocation_makes_them() -> None:
    (block,) = blocks_of(PAIR, 48, seed=2)
    for trial in block.trials:
        cells = np.bincount(trial.run * 2 + trial.b_first, minlength=6)
        assert cells.tolist() == [8] * 6, trial.id


def test_what_is_simulated_is_what_the_results_page_says() -> None:
    (block,) = blocks_of(PAIR, 48, seed=3)
    answers = simulate(block, EFFECTS["preference"], 1, np.random.default_rng(3))
    trial = block.trials[0]
    votes = []
    for person in range(48):
        first: MemberName = "b" if trial.b_first[person] else "a"
        answer = CHOICES[int(answers[trial.id].given[0, person])]
        run = int(trial.run[person])
        votes.append(vote(f"p{person}", trial.id, answer, first=first, run=run))
    said = share_for_b(votes, 0.95)
    assert said is not None
    simulated = next(outcomes_of(block, answers, 0))
    assert said.p_value == simulated.p_value
    assert said.these is not None
    assert said.these.p_value == simulated.p_without
