"""What a fitted model says in words, and what it must not say.

A threshold is told where it lies within what was measured, and the votes show that they follow the
metric. An end of its interval that lies beyond what was measured is open.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass

from thinlab.analysis.delay.model import Fitted, Spanned
from thinlab.analysis.delay.observed import Observed
from thinlab.analysis.delay.written import written
from thinlab.analysis.findings import Estimate
from thinlab.analysis.votes import participants, recordings
from thinlab.analysis.wording import counted, generalises, plain
from thinlab.contract.columns import MetricColumn
from thinlab.study.scale import RATINGS

HALF = {
    "preference": "three in four of those who choose choose the less delayed",
    "ccr": "half find the less delayed better",
    "acr": "half say good or better",
    "dcr": "half hear no degradation, or none that annoys",
}
FOLLOWS = {
    "preference": "the less delayed is preferred",
    "ccr": "the less delayed is found better",
    "acr": "scores fall",
    "dcr": "scores fall",
}
AGAINST = {
    "preference": "the more delayed is preferred",
    "ccr": "the more delayed is found better",
    "acr": "scores rise",
    "dcr": "scores rise",
}
# Which way the votes go with delay, if they do.
SIGNS = {"preference": 1, "ccr": 1, "acr": -1, "dcr": -1}


@dataclass(frozen=True)
class Said:
    """The figures that may be told, and the sentence."""

    threshold: Estimate | None
    slope: Estimate
    sentence: str


@dataclass(frozen=True)
class Told:
    """What everything that is said of a model needs."""

    observed: Observed
    metric: MetricColumn
    fitted: Fitted
    confidence: float
    planned: bool

    def said(self) -> Said:
        """All of it."""
        slope = self._slope()
        why_not = self._why_no_threshold(slope)
        if why_not is not None:
            return Said(None, slope, why_not)
        threshold = self._threshold()
        return Said(threshold, slope, threshold.sentence)

    @property
    def _title(self) -> str:
        return f"“{self.metric.title}”"

    @property
    def _range(self) -> tuple[float, float]:
        """Measured; of pairs without those that do not differ."""
        delay = self.observed.delay
        if self.observed.scale not in RATINGS:
            delay = delay[delay > 0]
        return float(delay.min()), float(delay.max())

    def _written(self, value: float) -> str:
        return written(value, self.metric.unit)

    def _why_no_threshold(self, slope: Estimate) -> str | None:
        scale, (least, most) = self.observed.scale, self._range
        sign = SIGNS[scale]
        paired = scale not in RATINGS
        where = f"{self._title} differs" if paired else self._title
        if self.fitted.separated:
            return (
                f"The votes follow {self._title} without exception, and so set the curve no slope. "
                f"Add recordings {'that differ less' if paired else 'between these'}."
            )
        if self.fitted.goes_with(-sign):
            return (
                f"The more {where}, the more {AGAINST[scale]} ({slope.sentence}). That is not what "
                "delay does by itself: something else in these recordings goes with it."
            )
        threshold = self.fitted.threshold
        if not self.fitted.goes_with(sign):
            return (
                f"It is not shown that {FOLLOWS[scale]} the more {where} ({slope.sentence}), so "
                "there is no threshold. Add participants, runs, or conditions that differ more."
            )
        if threshold is None or not (least <= threshold.value <= most):
            return self._beyond(threshold)
        return None

    def _beyond(self, threshold: Spanned | None) -> str:
        """Of votes that follow the metric."""
        scale, (least, most) = self.observed.scale, self._range
        if scale in RATINGS:
            above = threshold.value > most if threshold else self._all_good()
            if above:
                return (
                    f"More than {HALF[scale]} at all of {self._title} that was measured, "
                    f"up to {self._written(most)}. Add conditions with more delay."
                )
            return (
                f"Fewer than {HALF[scale]} at all of {self._title} that was measured, "
                f"from {self._written(least)} on. Add conditions with less delay."
            )
        above = threshold.value > most if threshold else not self._all_better()
        if above:
            return (
                f"That {HALF[scale]} takes more than the largest difference in {self._title} that "
                f"was measured, {self._written(most)}. Add conditions with more delay."
            )
        return (
            f"More than that {HALF[scale]} at the smallest difference in {self._title} that was "
            f"measured, {self._written(least)}. Add conditions that differ less."
        )

    def _all_good(self) -> bool:
        return bool((self.observed.answer > 3).all())  # noqa: PLR2004

    def _all_better(self) -> bool:
        return bool((self.observed.answer > 0).all())

    def _threshold(self) -> Estimate:
        found = self.fitted.threshold
        assert found is not None, "said why there is none"  # noqa: S101
        scale, (least, most) = self.observed.scale, self._range
        floor = least if scale in RATINGS else 0.0
        low = found.low if found.low is not None and found.low >= floor else None
        high = found.high if found.high is not None and found.high <= most else None
        differs = "is" if scale in RATINGS else "differs by"
        half = HALF[scale]
        return self._estimate(
            f"{self._title} where {half}",
            found.value,
            low,
            high,
            f"{half[0].upper()}{half[1:]} where {self._title} {differs} "
            f"{self._written(found.value)} ({self._interval(low, high)}; "
            f"{counted(len(self.observed.votes), 'vote')} of "
            f"{counted(participants(self.observed.votes), 'participant')}; {self._generalises()}).",
        )

    def _interval(self, low: float | None, high: float | None) -> str:
        level = f"{self.confidence * 100:g} % CI"
        if low is None and high is None:
            return f"the {level} reaches beyond what was measured on both sides"
        if low is None or high is None:
            side, end = ("up to", high) if low is None else ("from", low)
            return (
                f"{level} {side} {self._written(end or 0.0)}, and beyond what was measured on the "
                "other side"
            )
        return f"{level} {self._written(low)} to {self._written(high)}"

    def _slope(self) -> Estimate:
        slope = self.fitted.slope
        least, most = self._range
        over = most - (least if self.observed.scale in RATINGS else 0.0)
        ends = (
            "without an interval"
            if slope.low is None or slope.high is None
            else f"{self.confidence * 100:g} % CI {plain(slope.low * over)} to "
            f"{plain(slope.high * over)}"
        )
        what = "of a higher score" if self.observed.scale in RATINGS else "of the less delayed"
        return self._estimate(
            f"log odds {what} per unit of {self._title}",
            slope.value,
            slope.low,
            slope.high,
            f"log odds {what} change by {plain(slope.value * over)} over what was measured, {ends}",
        )

    def _estimate(
        self, measure: str, value: float, low: float | None, high: float | None, sentence: str
    ) -> Estimate:
        votes = self.observed.votes
        return Estimate(
            measure=measure,
            value=value,
            low=low,
            high=high,
            null_value=None,
            p_value=None,
            exploratory=not self.planned,
            votes=len(votes),
            participants=participants(votes),
            recordings=recordings(votes),
            scope=self.fitted.scope,
            these=None,
            method=self.fitted.method,
            sentence=sentence,
        )

    def _generalises(self) -> str:
        return generalises(self.fitted.scope, self.observed.votes[0].words)
