"""A look at a study: what is found at the level that it may use, and whether the study stops. Pure.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence

from thinlab.analysis.hypotheses.findings import (
    HypothesisFindings,
    InterimFindings,
    LookFindings,
    LookVerdict,
    TogetherFindings,
)
from thinlab.analysis.hypotheses.judged import hypotheses
from thinlab.analysis.hypotheses.taken import Looked
from thinlab.analysis.looks import Schedule
from thinlab.analysis.votes import AnalysedVote, AnalysisPlan, participants

DECIDED = {"difference", "small_difference", "no_difference"}


def look(
    plan: AnalysisPlan, votes: Sequence[AnalysedVote], taken: Sequence[LookFindings], number: int
) -> LookFindings:
    """At a planned look, over the votes of the sessions that it is about."""
    return _found(plan, votes, taken, number, None)


def at_the_end(
    plan: AnalysisPlan, votes: Sequence[AnalysedVote], looked: Looked
) -> InterimFindings:
    """The look that stopped the study, or the one at its end, which may spend all that is left.

    What is found once votes are shown outside of the looks keeps no level, and says so.
    """
    taken = looked.taken
    for at, one in enumerate(taken, 1):
        if one.verdict == "stop":
            over_run = max(0, participants(votes) - one.analysed)
            return InterimFindings(looks=list(taken[:at]), over_run=over_run)
    verdict: LookVerdict = "last" if looked.ended else "unplanned"
    found = _found(plan, votes, taken, len(plan.looks), verdict)
    return InterimFindings(looks=[*taken, found], over_run=0)


def _found(
    plan: AnalysisPlan,
    votes: Sequence[AnalysedVote],
    taken: Sequence[LookFindings],
    number: int,
    verdict: LookVerdict | None,
) -> LookFindings:
    schedule = Schedule(plan.looks[-1], tuple(one.analysed for one in taken))
    people = participants(votes)
    levels = schedule.levels(people, plan.confidence, last=verdict == "last")
    findings, together = hypotheses(plan, votes, levels)
    found = LookFindings(
        number=number,
        of=len(plan.looks),
        completed=plan.looks[number - 1] if verdict is None else None,
        analysed=people,
        planned=plan.looks[-1],
        fraction=schedule.fraction(people),
        two_sided=levels.two_sided,
        one_sided=levels.one_sided,
        verdict=verdict or ("stop" if is_decided(findings, together) else "continue"),
        hypotheses=findings,
        together=together,
        sentence="",
    )
    return found.model_copy(update={"sentence": _sentence(found)})


def is_decided(findings: Sequence[HypothesisFindings], together: TogetherFindings | None) -> bool:
    """Of several, all have to be shown, or to be shown not to matter."""
    if together is not None:
        return together.differences_shown or together.equivalences_shown is True
    return findings[0].verdict in DECIDED


def _sentence(found: LookFindings) -> str:
    where = (
        f"{found.analysed} of {found.planned} planned participants are analysed: p-values count "
        f"below {_level(found.two_sided)} (one-sided: {_level(found.one_sided)})"
    )
    match found.verdict:
        case "stop":
            return f"Look {found.number} of {found.of}: {where}. A boundary is crossed: it stops."
        case "continue":
            return f"Look {found.number} of {found.of}: {where}. None is crossed: it goes on."
        case "last":
            return f"The last look, at the end: {where}."
        case "unplanned":
            return (
                f"The votes were shown outside of the planned looks, and no level is kept: {where}."
            )


def _level(level: float) -> str:
    """`0.0031`, `1.2 × 10⁻⁶` as `1.2e-06`.

    >>> _level(0.003051), _level(0.05)
    ('0.0031', '0.05')
    """
    return f"{level:.2g}"
