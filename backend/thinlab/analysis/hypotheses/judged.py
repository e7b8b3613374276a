"""What a study declared to decide: a difference, or none that matters, or neither is shown.

A difference is tested against none, one-sided where a direction was declared. That there is none
that matters is shown by two one-sided tests (TOST; Schuirmann: A comparison of the two one-sided
tests procedure and the power approach. J Pharmacokinetics and Biopharmaceutics 15, 1987): the
interval of 2 × confidence − 1, such as 90 %, lies within the smallest effect that matters. Both
rest on one variance, that of `thinlab.analysis.crossed`.

With `any`, all tests are corrected together (`correction.step_down`). With `all`, each has the full
level: who claims all errs only where a false one is among them (intersection-union; Berger:
Multiparameter hypothesis testing and acceptance sampling. Technometrics 24, 1982).

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from dataclasses import dataclass

from thinlab.analysis.compared import (
    SHARES,
    Compared,
    Confidence,
    Tails,
    Unit,
    compare,
    trials_of,
    unit,
)
from thinlab.analysis.correction import step_down
from thinlab.analysis.hypotheses.findings import (
    HypothesisFindings,
    TogetherFindings,
    Verdict,
)
from thinlab.analysis.looks import Levels
from thinlab.analysis.votes import AnalysedVote, AnalysisPlan
from thinlab.analysis.wording import p_text, percent, plain
from thinlab.study.hypothesis import RIGHT, TWO_SIDED, ControlHypothesis, Hypothesis


@dataclass(frozen=True)
class Tested:
    """The p-values of one hypothesis."""

    difference: float | None
    equivalence: float | None


def hypotheses(
    plan: AnalysisPlan, votes: Sequence[AnalysedVote], levels: Levels | None = None
) -> tuple[list[HypothesisFindings], TogetherFindings | None]:
    """What was declared, in its order; and all together where they must all be shown.

    `levels`: of a look, at which less than 1 − confidence may be used.
    """
    levels = levels or Levels.without_looks(plan.confidence)
    confidence = Confidence(1 - levels.two_sided, 1 - 2 * levels.one_sided)
    scales = {trial: block for block in plan.blocks for trial in block.trials}
    compared = [compare(one, scales, votes, confidence) for one in plan.hypotheses]
    tested = [_tested(one, found) for one, found in zip(plan.hypotheses, compared, strict=True)]
    adjusted = (
        _adjusted(tested, plan.hypotheses)
        if plan.rule == "any" and len(tested) > 1
        else [Tested(None, None)] * len(tested)
    )
    findings = [
        _judged(_Case(one, unit(one, scales), found, raw, corrected, plan, levels))
        for one, found, raw, corrected in zip(
            plan.hypotheses, compared, tested, adjusted, strict=True
        )
    ]
    if plan.rule == "any" or len(findings) < 2:  # noqa: PLR2004
        return findings, None
    return findings, _together(findings, levels)


def equivalence(tails: Tails, null: float, smallest: float) -> float:
    """The larger p-value of the two one-sided tests."""
    return max(tails.p_above(null - smallest), tails.p_below(null + smallest))


def _tested(one: Hypothesis, found: Compared | None) -> Tested:
    if found is None or found.tails is None:
        return Tested(None, None)
    null = found.estimate.null_value or 0.0
    smallest = one.smallest_effect
    shown = None if smallest is None else equivalence(found.tails, null, smallest)
    if one.direction == TWO_SIDED:
        return Tested(found.p_value, shown)
    above = isinstance(one, ControlHypothesis) or one.direction in {RIGHT, found.conditions[1]}
    p_value = found.tails.p_above(null) if above else found.tails.p_below(null)
    return Tested(p_value, shown)


def _adjusted(tested: Sequence[Tested], declared: Sequence[Hypothesis]) -> list[Tested]:
    """All tests that were declared count, those without votes as well."""
    places: list[tuple[int, str]] = []
    p_values: list[float] = []
    for number, (one, p_value) in enumerate(zip(declared, tested, strict=True)):
        places.append((number, "difference"))
        p_values.append(1.0 if p_value.difference is None else p_value.difference)
        if one.smallest_effect is not None:
            places.append((number, "equivalence"))
            p_values.append(1.0 if p_value.equivalence is None else p_value.equivalence)
    adjusted = dict(zip(places, step_down(p_values, [number for number, _ in places]), strict=True))
    return [
        Tested(
            None if raw.difference is None else adjusted[number, "difference"],
            None if raw.equivalence is None else adjusted[number, "equivalence"],
        )
        for number, raw in enumerate(tested)
    ]


@dataclass(frozen=True)
class _Case:
    """A hypothesis with all that is known of it."""

    one: Hypothesis
    unit: Unit
    found: Compared | None
    raw: Tested
    adjusted: Tested
    plan: AnalysisPlan
    levels: Levels

    @property
    def decisive(self) -> Tested:
        """The p-values that count."""
        return Tested(
            self.raw.difference if self.adjusted.difference is None else self.adjusted.difference,
            self.raw.equivalence
            if self.adjusted.equivalence is None
            else self.adjusted.equivalence,
        )

    @property
    def verdict(self) -> Verdict:
        """At 1 − confidence, or at the level of a look."""
        alpha = self.levels.of(self.one)
        difference, equivalent = self.decisive.difference, self.decisive.equivalence
        if difference is None:
            return "too_few"
        none_that_matters = equivalent is not None and equivalent < self.levels.one_sided
        if difference < alpha:
            return "small_difference" if none_that_matters else "difference"
        return "no_difference" if none_that_matters else "neither"

    @property
    def sentence(self) -> str:
        """The estimate's, and the verdict's."""
        if self.found is None:
            return f"{self.one.id}: there are no votes to test it by."
        return f"{self.one.id}: {self.found.estimate.sentence} {self._judgement()}".rstrip()

    def _judgement(self) -> str:
        match self.verdict:
            case "too_few":
                return "" if self.found and self.found.estimate.too_few else "That tests nothing."
            case "difference":
                return f"{self._difference()} is shown ({self._p_difference()})."
            case "small_difference":
                return (
                    f"{self._difference()} is shown ({self._p_difference()}), but by less "
                    f"than what matters: {self._within('lies within')}."
                )
            case "no_difference":
                return (
                    "There is no difference that matters: "
                    f"{self._within('lies within')}; {self._difference(opens=False)} is not shown "
                    f"({self._p_difference()})."
                )
            case "neither" if self.one.smallest_effect is None:
                return (
                    f"{self._difference()} is not shown ({self._p_difference()}), which does not "
                    "show that there is none."
                )
            case "neither":
                return (
                    f"Neither {self._difference(opens=False)} ({self._p_difference()}) nor that "
                    f"there is none that matters is shown: {self._within('is not shown within')}."
                )

    def _difference(self, *, opens: bool = True) -> str:
        if self.one.direction == TWO_SIDED:
            said = "a difference"
        elif isinstance(self.one, ControlHypothesis):
            said = "that a difference is noticed more often than in controls"
        elif self.unit == "share_right":
            said = "that X is told rightly more often than by chance"
        else:
            said = f"that {self.one.direction} is better"
        return said[0].upper() + said[1:] if opens else said

    def _p_difference(self) -> str:
        side = "" if self.one.direction == TWO_SIDED else "one-sided "
        return f"{side}{p_text(self.decisive.difference or 0.0)}{self._corrected()}"

    def _corrected(self) -> str:
        count = len(self.plan.hypotheses)
        if count == 1:
            return ""
        number = f"{count} hypotheses"
        if self.plan.rule == "any":
            return f" after Holm's correction for {number}"
        return f", which counts only where all {number} are shown"

    def _within(self, verb: str) -> str:
        low, high = (self.found and self.found.ends) or (0.0, 0.0)
        level = f"{(1 - 2 * self.levels.one_sided) * 100:.4g} %"
        smallest = self.one.smallest_effect or 0.0
        if self.unit in SHARES:
            ends, band = (
                (percent(low), percent(high)),
                (percent(0.5 - smallest), percent(0.5 + smallest)),
            )
        else:
            ends, band = (plain(low), plain(high)), (plain(-smallest), plain(smallest))
        p_value = p_text(self.decisive.equivalence or 0.0)
        return (
            f"the {level} CI, {ends[0]} to {ends[1]}, {verb} {band[0]} to {band[1]} (two one-sided "
            f"tests, {p_value}{self._corrected()})"
        )


def _judged(case: _Case) -> HypothesisFindings:
    one, found = case.one, case.found
    a, b = (found.conditions if found else ()) or (None, None)
    low, high = (found.ends if found else None) or (None, None)
    return HypothesisFindings(
        id=one.id,
        unit=case.unit,
        trials=list(trials_of(one)),
        condition_a=a,
        condition_b=b,
        direction=one.direction,
        smallest_effect=one.smallest_effect,
        estimate=found.estimate.model_copy(update={"exploratory": False}) if found else None,
        p_value=case.raw.difference,
        p_adjusted=case.adjusted.difference,
        equivalence_confidence=1 - 2 * case.levels.one_sided,
        equivalence_low=low,
        equivalence_high=high,
        equivalence_p=case.raw.equivalence,
        equivalence_p_adjusted=case.adjusted.equivalence,
        verdict=case.verdict,
        sentence=case.sentence,
    )


def _together(findings: Sequence[HypothesisFindings], levels: Levels) -> TogetherFindings:
    differences = max(1.0 if one.p_value is None else one.p_value for one in findings)
    number = f"all {len(findings)} hypotheses"
    shown = all(one.verdict in {"difference", "small_difference"} for one in findings)
    sentences = [
        f"That {number} hold is {'' if shown else 'not '}shown (largest {p_text(differences)})."
    ]
    equivalences = None
    if all(one.smallest_effect is not None for one in findings):
        equivalences = max(
            1.0 if one.equivalence_p is None else one.equivalence_p for one in findings
        )
        is_shown = equivalences < levels.one_sided
        sentences.append(
            "That none of them is about a difference that matters is "
            f"{'' if is_shown else 'not '}shown (largest {p_text(equivalences)})."
        )
    return TogetherFindings(
        differences_shown=shown,
        differences_p=differences,
        equivalences_shown=None if equivalences is None else equivalences < levels.one_sided,
        equivalences_p=equivalences,
        sentence=" ".join(sentences),
    )
