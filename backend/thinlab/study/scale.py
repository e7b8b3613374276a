"""On which scale a participant answers: the registry of scales.

The wording stands in the study file and not in the program, so that it is
frozen with the study and the same for every participant. A scale is a file in `scales/`, named
here and nowhere else; whoever needs to know something of a scale asks it.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated, Literal, get_args

from pydantic import Field

from thinlab.study.scales.abx import AbxScale
from thinlab.study.scales.acr import AcrScale
from thinlab.study.scales.ccr import CcrScale
from thinlab.study.scales.dcr import DcrScale
from thinlab.study.scales.kind import AnyScale, Rated, Scores
from thinlab.study.scales.mushra import MushraScale
from thinlab.study.scales.preference import PreferenceScale

AnyOfThem = PreferenceScale | CcrScale | AcrScale | DcrScale | AbxScale | MushraScale
Scale = Annotated[AnyOfThem, Field(discriminator="kind")]
ScaleKind = Literal["preference", "ccr", "acr", "dcr", "abx", "mushra"]

SCALES: dict[ScaleKind, type[AnyScale]] = {
    get_args(scale.model_fields["kind"].annotation)[0]: scale for scale in get_args(AnyOfThem)
}
RATED: dict[ScaleKind, Rated] = {
    kind: scale.rated for kind, scale in SCALES.items() if scale.rated is not None
}
"""Scales that rate one condition; the others are about two."""
RATINGS: frozenset[ScaleKind] = frozenset(RATED)
PREFERENCES: frozenset[ScaleKind] = frozenset({"preference", "ccr"})
"""Scales on which one of two is preferred, which takes both orders to tell."""
SCORES: frozenset[int] = frozenset(
    score for scale in SCALES.values() if issubclass(scale, Scores) for score in scale.SCORES
)
"""All that can be given on some scale of labelled scores."""


def is_paired(scale: AnyScale) -> bool:
    """Whether a trial on this scale presents two recordings."""
    return scale.presents > 1
