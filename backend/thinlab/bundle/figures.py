"""Every number that the results page shows, as rows: what an analysis from the files has to find.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.analysis.figure import Figure
from thinlab.export.column import Column, number, text, whole

_SOURCE = "analysis"
FIGURES: tuple[Column[Figure], ...] = (
    text("finding", "what it is about: `trial`, `comparison` and so on", _SOURCE,
         lambda f: f.finding),
    text("block", "the block's id; empty where it is about several", _SOURCE, lambda f: f.block),
    text("subject", "the trial, the two conditions as `a/b`, or the hypothesis", _SOURCE,
         lambda f: f.subject),
    whole("run", "", "of which run alone; empty: of all", _SOURCE, lambda f: f.run),
    text("estimate", "which of the finding's numbers: `share`, `mean` and so on", _SOURCE,
         lambda f: f.estimate),
    number("value", "the estimate's", "the number", _SOURCE, lambda f: f.value),
    number("low", "the estimate's", "its interval's lower end", _SOURCE, lambda f: f.low),
    number("high", "the estimate's", "its interval's upper end", _SOURCE, lambda f: f.high),
    number("p_value", "probability", "of no effect", _SOURCE, lambda f: f.p_value),
    number("p_adjusted", "probability", "the same, corrected for what is tested with it", _SOURCE,
           lambda f: f.p_adjusted),
    number("these_low", "the estimate's", "the interval of these recordings alone: its lower end",
           _SOURCE, lambda f: f.these_low),
    number("these_high", "the estimate's", "and its upper end", _SOURCE, lambda f: f.these_high),
    number("these_p", "probability", "of no effect, of these recordings alone", _SOURCE,
           lambda f: f.these_p),
    whole("votes", "count", "votes behind it", _SOURCE, lambda f: f.votes),
    whole("participants", "count", "people behind it", _SOURCE, lambda f: f.participants),
    whole("recordings", "count", "recordings behind it", _SOURCE, lambda f: f.recordings),
    text("sentence", "the same in plain English", _SOURCE, lambda f: f.sentence),
)  # fmt: skip
