"""Mean opinion scores, as a kind of result.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Iterator

from thinlab.analysis.figure import Figure, of_counts, of_estimate, of_runs, two
from thinlab.analysis.findings import Estimate
from thinlab.analysis.result_kind import Case, Rank, ResultKind, Said
from thinlab.analysis.scores.findings import DifferenceFindings, ScoresPart


class ScoresKind(ResultKind[ScoresPart, None]):
    """Recordings judged alone."""

    name = "scores"
    part = ScoresPart

    def found(self, case: Case, needed: None) -> ScoresPart:  # noqa: ARG002
        """Conditions and their differences."""
        from thinlab.analysis.scores.found import scores

        return scores(case)

    def with_primary(self, found: ScoresPart, judged: Callable[[Estimate], Estimate]) -> ScoresPart:
        """Differences between conditions that were declared."""

        def of_two(one: DifferenceFindings) -> DifferenceFindings:
            if not one.primary or one.difference.p_value is None:
                return one
            return one.model_copy(update={"difference": judged(one.difference)})

        return found.model_copy(update={"differences": [of_two(one) for one in found.differences]})

    def sentences(self, found: ScoresPart) -> Iterator[Said]:
        """Conditions over all clips, and how they differ."""
        for one in found.conditions:
            if one.clip is None:
                yield Rank.FINDING, one.mos.sentence
        for difference in found.differences:
            rank = Rank.PRIMARY if difference.primary else Rank.FINDING
            yield rank, difference.difference.sentence

    def figures(self, found: ScoresPart) -> Iterator[Figure]:
        """Conditions, with each clip as well, and run by run; then differences."""
        for one in found.conditions:
            subject = one.condition if one.clip is None else f"{one.condition} with {one.clip}"
            yield from of_counts("condition", one.block, subject, "score", one.histogram)
            yield of_estimate("condition", one.block, subject, "mos", one.mos)
            yield from of_runs("condition", one.block, subject, "mos", one.runs)
        for each in found.differences:
            subject = two(each.condition_a, each.condition_b)
            yield of_estimate("difference", each.block, subject, "difference", each.difference)
