"""How often the analysis finds a difference where there is none, finding by finding.

The tests are those of the results page: the same functions, given the same columns.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from thinlab.analysis import davidson, linear
from thinlab.analysis.crossed import FEWEST_RECORDINGS, Array, Bounds
from thinlab.analysis.proportion import over_recordings, proportion
from thinlab.analysis.simulated.answers import NO_DIFFERENCE, Answers, simulate
from thinlab.analysis.simulated.column import Column, rated_difference
from thinlab.analysis.simulated.presented import (
    PresentedBlock,
    PresentedTrial,
    blocks_of,
    in_both_orders,
)
from thinlab.analysis.simulated.scales import EFFECTS
from thinlab.study.definition import StudyDefinition
from thinlab.study.scale import RATINGS

CONFIDENCE = 0.95
# Where a file sets no number of completed sessions.
PARTICIPANTS = 60


@dataclass(frozen=True)
class Rate:
    """Of one kind of finding of a study."""

    study: str
    finding: str
    recordings: int
    """Behind each finding."""
    fewest: int
    """Of the condition of which there are fewest."""
    tests: int
    """Of which something is told: of conditions that no clip has both of, nothing is."""
    found: int
    """With recordings as a sample, or where there are too few of them without."""
    found_without: int
    """With participants as the only sample."""

    @property
    def generalises(self) -> bool:
        """Whether the finding is about other losses."""
        return self.recordings >= FEWEST_RECORDINGS

    @property
    def may_find_too_little(self) -> bool:
        """Exact tests, and differences from a condition of which there are a few recordings.

        With 2.6 degrees of freedom, as two such recordings leave, some effects are found that are
        none, but fewer than at 5 %.
        """
        return self.fewest < FEWEST_RECORDINGS


@dataclass(frozen=True)
class Outcome:
    """One finding of one simulated study; without both p-values nothing is told."""

    finding: str
    recordings: int
    fewest: int
    p_value: float | None
    p_without: float | None


def rates(
    definition: StudyDefinition, studies: int, seed: int, *, scale: float = 1.0
) -> list[Rate]:
    """`scale`: how much recordings differ, as a multiple of `EFFECTS`.

    Findings on too few recordings claim nothing about others: there, recordings do not differ.
    """
    stop = definition.stop
    participants = PARTICIPANTS if stop is None else stop.completed or PARTICIPANTS
    chance = np.random.default_rng(seed)
    counts: dict[tuple[str, int, int], list[int]] = {}
    for block in blocks_of(definition, participants, seed):
        if not block.trials:
            continue
        few = sum(trial.runs for trial in block.trials) < FEWEST_RECORDINGS
        effects = EFFECTS[block.scale]
        effects = replace(effects, recordings=0.0 if few else scale * effects.recordings)
        answers = simulate(block, effects, studies, chance)
        for study in range(studies):
            for test in outcomes_of(block, answers, study):
                about = (test.finding, test.recordings, test.fewest)
                count = counts.setdefault(about, [0, 0, 0])
                count[0] += test.p_value is not None or test.p_without is not None
                count[1] += test.p_value is not None and test.p_value < 1 - CONFIDENCE
                count[2] += test.p_without is not None and test.p_without < 1 - CONFIDENCE
    return [Rate(definition.slug, *about, *count) for about, count in counts.items()]


def outcomes_of(
    block: PresentedBlock, answers: Mapping[str, Answers], study: int
) -> Iterator[Outcome]:
    """What the results page tests of one study: every trial, and every comparison."""
    if block.scale in RATINGS:
        yield from _ratings(block, answers, study)
        return
    test = {"preference": _share, "abx": _share_right}.get(block.scale, _cmos)
    for trial in block.trials:
        if test is not _share or in_both_orders([trial]):
            yield test("one trial", [trial], answers, study)
    compared: dict[frozenset[str], list[PresentedTrial]] = {}
    for trial in block.trials:
        compared.setdefault(frozenset(trial.conditions), []).append(trial)
    for trials in compared.values():
        # On too few recordings the interval is the profile likelihood's, which is slow.
        if block.scale == "preference" and sum(trial.runs for trial in trials) >= FEWEST_RECORDINGS:
            yield _davidson(trials, answers, study)
        if len(trials) > 1 and (test is not _share or in_both_orders(trials)):
            yield test("comparison", trials, answers, study)


def _share(
    finding: str, trials: list[PresentedTrial], answers: Mapping[str, Answers], study: int
) -> Outcome:
    votes = Column.of(trials, answers, study)
    decided = votes.given != NO_DIFFERENCE
    hits = ((votes.given == 0) == votes.b_first)[decided].astype(np.float64)
    person, recording = votes.person[decided], votes.recording[decided]
    both = over_recordings(hits, person, recording, CONFIDENCE)
    these = proportion(hits.astype(bool).tolist(), [str(one) for one in person], CONFIDENCE)
    without = these.p_half if these else None
    runs = sum(trial.runs for trial in trials)
    return Outcome(f"share, {finding}", runs, runs, both.p_half if both else without, without)


def _share_right(
    finding: str, trials: list[PresentedTrial], answers: Mapping[str, Answers], study: int
) -> Outcome:
    votes = Column.of(trials, answers, study)
    hits = (votes.given == 1).astype(np.float64)
    both = over_recordings(hits, votes.person, votes.recording, CONFIDENCE)
    these = proportion(hits.astype(bool).tolist(), [str(one) for one in votes.person], CONFIDENCE)
    without = these.p_half if these else None
    runs = sum(trial.runs for trial in trials)
    about = f"share of right answers, {finding}"
    return Outcome(about, runs, runs, both.p_half if both else without, without)


def _davidson(trials: list[PresentedTrial], answers: Mapping[str, Answers], study: int) -> Outcome:
    votes = Column.of(trials, answers, study)
    columns = zip(votes.person, votes.b_first, votes.given, votes.recording, strict=True)
    fitted = davidson.fit(
        [
            davidson.Comparison(str(person), 0, bool(b_first), int(given), str(recording))
            for person, b_first, given, recording in columns
        ],
        1,
        CONFIDENCE,
    )
    preference = fitted.preferences[0] if fitted else None
    these = preference.told.these or preference.told.bounds if preference else None
    runs = sum(trial.runs for trial in trials)
    return Outcome(
        "Davidson's preference",
        runs,
        runs,
        preference.p_value if preference else None,
        these.p_value if these else None,
    )


def _cmos(
    finding: str, trials: list[PresentedTrial], answers: Mapping[str, Answers], study: int
) -> Outcome:
    votes = Column.of(trials, answers, study)
    x = np.column_stack([np.where(votes.b_first, -1.0, 1.0), np.ones(len(votes.given))])
    runs = sum(trial.runs for trial in trials)
    return _fitted(f"CMOS, {finding}", (runs, runs), x, votes)


def _ratings(
    block: PresentedBlock, answers: Mapping[str, Answers], study: int
) -> Iterator[Outcome]:
    conditions = dict.fromkeys(trial.rated for trial in block.trials)
    for a, b in combinations(conditions, 2):
        trials = [trial for trial in block.trials if trial.rated in {a, b}]
        votes = Column.of(trials, answers, study)
        x = rated_difference(trials, [trial.rated == b for trial in trials])
        runs = {name: sum(trial.runs for trial in trials if trial.rated == name) for name in (a, b)}
        finding = f"difference of MOS ({runs[a]} and {runs[b]} recordings)"
        counted = (sum(runs.values()), min(runs.values()))
        yield _fitted(finding, counted, x, votes, levels=True)


def _fitted(
    finding: str, runs: tuple[int, int], x: Array, votes: Column, *, levels: bool = False
) -> Outcome:
    scores = votes.given.astype(np.float64)
    fitted = linear.least_squares(
        x, scores, votes.person, votes.recording, CONFIDENCE, levels=levels
    )
    if fitted is None:
        return Outcome(finding, *runs, None, None)
    told = fitted[0].told
    return Outcome(finding, *runs, _p(told.bounds), _p(told.these or told.bounds))


def _p(bounds: Bounds | None) -> float | None:
    return bounds.p_value if bounds else None
