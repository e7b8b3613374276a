"""Which trials can stand in a block with which scale. Pure.

SPDX-License-Identifier: Apache-2.0
"""

from thinlab.study.scale import RATINGS, Scale, is_paired
from thinlab.study.trial import GoldTrial, SingleTrial, TrappingTrial, Trial, medium_of


def misfit(trial: Trial, scale: Scale) -> str | None:
    """Why a trial cannot stand in a block with this scale; none if it can."""
    return _of_kind(trial, scale) or _of_answer(trial, scale)


def _of_kind(trial: Trial, scale: Scale) -> str | None:
    typed = medium_of(trial) == "typed"
    if scale.has_x and (trial.kind != "pair" or typed):
        return (
            f"with `kind: {scale.kind}` every answer is right or wrong, and every trial is a "
            "`kind: pair` of a `clip`"
        )
    if scale.one_page_a_clip and trial.kind != "single":
        return (
            f"with `kind: {scale.kind}` every trial is a `kind: single`, a sound of its clip's page"
        )
    if isinstance(trial, SingleTrial) and is_paired(scale):
        return f"`kind: single` needs a scale of `kind: acr`, not `{scale.kind}`"
    if trial.kind in {"pair", "control"} and not is_paired(scale):
        return f"`kind: {trial.kind}` presents two recordings; with `kind: acr` use `single`"
    if scale.reference_first and typed:
        return (
            f"with `kind: {scale.kind}` a reference is played first, and what is typed cannot be "
            "played"
        )
    return None


def _of_answer(trial: Trial, scale: Scale) -> str | None:
    if isinstance(trial, GoldTrial) and _has(trial) != _needs(scale):
        return f"with `kind: {scale.kind}` a gold trial needs {_needs(scale)}"
    if isinstance(trial, TrappingTrial):
        choice = trial.answer if isinstance(trial.answer, str) else None
        score = trial.answer if isinstance(trial.answer, int) else None
        if not scale.takes(choice, score):
            return f"`answer: {trial.answer}` cannot be given on the block's scale"
    return None


def _needs(scale: Scale) -> str:
    if scale.kind not in RATINGS:
        return "`conditions` and `better`"
    return f"{'`conditions`' if is_paired(scale) else '`condition`'} and a score"


def _has(gold: GoldTrial) -> str:
    named = "`condition`" if gold.conditions is None else "`conditions`"
    return f"{named} and {'a score' if gold.better is None else '`better`'}"
