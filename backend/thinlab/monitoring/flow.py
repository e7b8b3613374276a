"""The flow of participants, from consent to analysis: everybody once, and why who is not analysed.

As reports of trials show it: Schulz, Altman, Moher: CONSORT 2010 Statement. BMJ 340 (2010), c332,
item 13.

SPDX-License-Identifier: Apache-2.0
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from pydantic import BaseModel, Field

from thinlab.monitoring.exclusion import Standing
from thinlab.monitoring.monitor_counts import RuleCount
from thinlab.monitoring.presence import Presence, Present

UNDER_WAY = {Presence.LIVE, Presence.PAUSED}


class Flow(BaseModel):
    """Everybody once.

    Who consented was not let in, withdrew, left, is under way, or completed; who completed is
    excluded or analysed.
    """

    invited: int | None = Field(
        description="Personal links made; null where anybody with the study's link could join."
    )
    consented: int
    headphones_failed: int = Field(description="Not let in: the headphone test was required.")
    hearing_failed: int = Field(description="Not let in: a test of hearing was needed.")
    connection_failed: int = Field(description="Not let in: the network was too poor to type.")
    ineligible: int = Field(description="Not let in: by an answer before the trials.")
    withdrawn: int = Field(description="Asked for deletion; the answers are gone.")
    left: int = Field(description="Abandoned: the place has returned.")
    under_way: int
    completed: int
    excluded: int = Field(description="Of the completed, by a rule or by the researcher.")
    excluded_by_rule: list[RuleCount] = Field(
        description="Of these; somebody can fall under several rules."
    )
    excluded_by_researcher: int = Field(description="Of these; the rules may name them too.")
    analysed: int = Field(description="Completed, and not left out in either way.")
    marked_by_rule: list[RuleCount] = Field(
        description="Of these; by rules that mark and do not exclude."
    )


def flow(people: Sequence[Present], standings: Mapping[int, Standing], invited: int | None) -> Flow:
    """Counts everybody once."""
    by_presence = Counter(one.presence for one in people)
    completed = [one.id for one in people if one.presence is Presence.COMPLETED]
    excluded = [standings[id_] for id_ in completed if id_ in standings and standings[id_].excluded]
    by_rule = Counter(rule for one in excluded for rule in {flag.rule for flag in one.excluding})
    marked = Counter(
        rule
        for id_ in completed
        if id_ in standings and not standings[id_].excluded
        for rule in {flag.rule for flag in standings[id_].flags}
    )
    return Flow(
        invited=invited,
        consented=len(people),
        headphones_failed=by_presence[Presence.HEADPHONES_FAILED],
        hearing_failed=by_presence[Presence.HEARING_FAILED],
        connection_failed=by_presence[Presence.CONNECTION_FAILED],
        ineligible=by_presence[Presence.INELIGIBLE],
        withdrawn=by_presence[Presence.WITHDRAWN],
        left=by_presence[Presence.GONE],
        under_way=sum(by_presence[presence] for presence in UNDER_WAY),
        completed=len(completed),
        excluded=len(excluded),
        excluded_by_rule=_counts(by_rule, excludes=True),
        excluded_by_researcher=sum(one.left_out for one in excluded),
        analysed=len(completed) - len(excluded),
        marked_by_rule=_counts(marked, excludes=False),
    )


def _counts(by_rule: Counter[str], *, excludes: bool) -> list[RuleCount]:
    return [
        RuleCount(rule=rule, participants=number, excludes=excludes)
        for rule, number in by_rule.most_common()
    ]
