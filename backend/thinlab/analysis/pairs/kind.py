"""Pairs, as a kind of result.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Iterator

from thinlab.analysis.figure import Figure, of_counts, of_estimate, of_runs, two
from thinlab.analysis.findings import Estimate
from thinlab.analysis.pairs.findings import (
    ComparisonFindings,
    PairFindings,
    PairsPart,
    TrialFindings,
)
from thinlab.analysis.result_kind import Case, Rank, ResultKind, Said


class PairsKind(ResultKind[PairsPart, None]):
    """Conditions compared in pairs."""

    name = "pairs"
    part = PairsPart

    def found(self, case: Case, needed: None) -> PairsPart:  # noqa: ARG002
        """Trials and comparisons."""
        from thinlab.analysis.pairs.found import pairs

        return pairs(case)

    def with_primary(self, found: PairsPart, judged: Callable[[Estimate], Estimate]) -> PairsPart:
        """Trials that were declared."""

        def of_trial(trial: TrialFindings) -> TrialFindings:
            test = trial.test
            if not trial.primary or test is None or test.p_value is None:
                return trial
            name = "share" if trial.scale == "preference" else "mean"
            return trial.model_copy(update={name: judged(test)})

        return found.model_copy(update={"trials": [of_trial(trial) for trial in found.trials]})

    def sentences(self, found: PairsPart) -> Iterator[Said]:
        """Primary trials, what is said over all trials, then the other trials."""
        for trial in found.trials:
            if trial.test is not None:
                rank = Rank.PRIMARY if trial.primary else Rank.DETAIL
                yield rank, f"{trial.trial_id}: {trial.test.sentence}"
        for pair in found.comparisons:
            said = pair.preference if pair.scale == "preference" else pair.mean
            if said is not None:
                yield Rank.FINDING, said.sentence

    def figures(self, found: PairsPart) -> Iterator[Figure]:
        """Trial by trial and run by run, then over all trials."""
        for trial in found.trials:
            yield from _of_pair("trial", trial.trial_id, trial)
            name = "share" if trial.scale == "preference" else "mean"
            yield from of_runs("trial", trial.block, trial.trial_id, name, trial.runs)
        for one in found.comparisons:
            yield from _of_comparison(one)


def _of_comparison(one: ComparisonFindings) -> Iterator[Figure]:
    subject = two(one.condition_a, one.condition_b)
    yield from _of_pair("comparison", subject, one)
    if one.majority is not None:
        yield of_estimate("comparison", one.block, subject, "majority", one.majority)


def _of_pair(finding: str, subject: str, pair: PairFindings) -> Iterator[Figure]:
    for name in ("votes_a", "votes_b", "votes_none"):
        yield Figure(finding, pair.block, subject, name, getattr(pair, name))
    yield from of_counts(finding, pair.block, subject, "score", pair.histogram)
    for name in ("share", "preference", "mean", "order_effect", "ties"):
        estimate: Estimate | None = getattr(pair, name)
        if estimate is not None:
            yield of_estimate(finding, pair.block, subject, name, estimate)
