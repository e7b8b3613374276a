"""What a study file declares about its analysis, as the statistics take it.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.analysis.votes import AnalysedBlock, AnalysedStaircase, AnalysisPlan
from thinlab.study.blocks.adaptive import levels
from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.interim_consistency import look_sizes
from thinlab.study.page import is_open_reference
from thinlab.study.scales.preference import PreferenceScale
from thinlab.study.text import said
from thinlab.study.trial import member_conditions


def plan_of(definition: StudyDefinition) -> AnalysisPlan:
    """What a study file declares about its analysis."""
    blocks = tuple(
        AnalysedBlock(
            block.id,
            block.scale.kind,
            no_difference=isinstance(block.scale, PreferenceScale)
            and block.scale.answers.no_difference is not None,
            trials=tuple(trial.id for trial in block.trials),
            medium=block.medium,
            staircases=_staircases(definition, block),
            reference=next(
                (
                    member_conditions(trial)[-1]
                    for trial in block.trials
                    if is_open_reference(definition, block, trial)
                ),
                None,
            ),
        )
        for block in definition.blocks
        if block.role == "trials"
    )
    declared = definition.analysis
    published = definition.published or ()
    if declared is None:
        return AnalysisPlan(blocks, published=published)
    return AnalysisPlan(
        blocks,
        published=published,
        primary=frozenset(declared.primary),
        hypotheses=declared.hypotheses or (),
        rule=declared.rule or "any",
        looks=_looks(definition),
        confidence=declared.confidence,
        correction=declared.correction,
        hypothesis=said(declared.hypothesis, definition.languages[0]),
        delay_metric=declared.delay_metric,
        weighed_against=declared.weighed_against,
    )


def _staircases(definition: StudyDefinition, block: Block) -> tuple[AnalysedStaircase, ...]:
    said = block.adaptive
    if said is None:
        return ()
    return tuple(
        AnalysedStaircase(
            clip=clip,
            quantity=said.quantity,
            levels=tuple((block.trials[one.trial].id, one.value) for one in mine),
            threshold_between=levels.threshold_between(said, mine),
            thresholds=levels.THRESHOLDS,
            slopes=said.slopes,
            lapse_shares=said.lapse_shares,
        )
        for clip, mine in levels.staircases(definition, block).items()
    )


def _looks(definition: StudyDefinition) -> tuple[int, ...]:
    plan, stop = definition.analysis, definition.stop
    if plan is None or plan.interim is None or stop is None or stop.completed is None:
        return ()
    return look_sizes(plan.interim, stop.completed)
