"""A whole study: its declared plan and its votes in, every finding out. Pure.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from thinlab.analysis.correction import holm
from thinlab.analysis.findings import Estimate
from thinlab.analysis.hypotheses.findings import InterimFindings, LookFindings
from thinlab.analysis.registry import RESULT_KINDS, StudyResults, sentences
from thinlab.analysis.result_kind import Case, Part
from thinlab.analysis.votes import AnalysedVote, AnalysisPlan, LeftOut, counting, participants
from thinlab.analysis.wording import counted as number_of
from thinlab.analysis.wording import exploratory, p_text

NOTHING_LEFT_OUT = LeftOut()
NOTHING_NEEDED: Mapping[str, Any] = MappingProxyType({})


def analyse(
    plan: AnalysisPlan,
    votes: Sequence[AnalysedVote],
    left_out: LeftOut = NOTHING_LEFT_OUT,
    needed: Mapping[str, Any] = NOTHING_NEEDED,
) -> StudyResults:
    """What the votes say; training, gold and trapping votes are left out here.

    `needed`: what kinds of result need beside votes, by their names.
    """
    counted = counting(votes)
    case = Case(plan, counted)
    parts = [
        kind.found(case, needed.get(kind.name)) if kind.applies(plan) else kind.part()
        for kind in RESULT_KINDS
    ]
    results = StudyResults(
        participants_analysed=participants(counted),
        participants_excluded=left_out.participants_excluded,
        votes_analysed=len(counted),
        votes_of_unfinished_sessions=left_out.votes_of_unfinished_sessions,
        votes_of_other_versions=left_out.votes_of_other_versions,
        confidence=plan.confidence,
        correction=plan.correction,
        hypothesis=plan.hypothesis,
        sentences=[],
        **_fields(_decided(parts, plan)),
    )
    return results.model_copy(update={"sentences": sentences(results)})


def at_look(plan: AnalysisPlan, looks: Sequence[LookFindings]) -> StudyResults:
    """What a study that goes on shows of its latest look: the hypotheses, and nothing else."""
    latest = looks[-1]
    results = StudyResults(
        participants_analysed=latest.analysed,
        participants_excluded=(latest.completed or latest.analysed) - latest.analysed,
        votes_analysed=max(
            (one.estimate.votes for one in latest.hypotheses if one.estimate), default=0
        ),
        votes_of_unfinished_sessions=0,
        votes_of_other_versions=0,
        confidence=plan.confidence,
        correction=plan.correction,
        hypothesis=plan.hypothesis,
        sentences=[],
        hypotheses=latest.hypotheses,
        together=latest.together,
        interim=InterimFindings(looks=list(looks), over_run=0),
    )
    return results.model_copy(update={"sentences": sentences(results)})


def _fields(parts: Sequence[Part]) -> dict[str, Any]:
    return {name: getattr(part, name) for part in parts for name in type(part).model_fields}


def _decided(parts: Sequence[Part], plan: AnalysisPlan) -> list[Part]:
    """The primary p-values, corrected as declared over all that are primary."""
    tested: list[Estimate] = []

    def noted(found: Estimate) -> Estimate:
        tested.append(found)
        return found

    for kind, part in zip(RESULT_KINDS, parts, strict=True):
        kind.with_primary(part, noted)
    if plan.correction == "holm":
        adjusted = holm([found.p_value or 0.0 for found in tested])
        told = [
            _after_holm(found, p_value, len(tested))
            for found, p_value in zip(tested, adjusted, strict=True)
        ]
    else:
        told = [_uncorrected(found, len(tested)) for found in tested]
    # Kinds go through theirs in the same order as before.
    judged = iter(told)
    return [
        kind.with_primary(part, lambda _: next(judged))
        for kind, part in zip(RESULT_KINDS, parts, strict=True)
    ]


def _after_holm(found: Estimate, p_value: float, tests: int) -> Estimate:
    told = f"{p_text(p_value)} after Holm's correction for {number_of(tests, 'primary test')}"
    return _told(found, told).model_copy(update={"p_adjusted": p_value, "exploratory": False})


def _uncorrected(found: Estimate, tests: int) -> Estimate:
    """The only test decides; of several without correction, none does more than explore."""
    p_value = found.p_value or 0.0
    if tests == 1:
        return _told(found, p_text(p_value)).model_copy(update={"exploratory": False})
    return _told(found, f"{exploratory(p_value)}, one of {tests} primary tests without correction")


def _told(found: Estimate, test: str) -> Estimate:
    """Findings call their p-values exploratory until it is known which decide."""
    said = exploratory(found.p_value or 0.0)
    return found.model_copy(update={"sentence": found.sentence.replace(said, test, 1)})
