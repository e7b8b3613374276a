"""Whether a study asks what its hypotheses are about.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator, Sequence

from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.hypothesis import (
    RIGHT,
    TWO_SIDED,
    ControlHypothesis,
    Hypothesis,
    OpinionHypothesis,
    PooledHypothesis,
    TrialHypothesis,
)
from thinlab.study.inconsistency import Inconsistency, unknown
from thinlab.study.scale import RATINGS, is_paired
from thinlab.study.scales.preference import PreferenceScale
from thinlab.study.trial import PairTrial, Trial, member_conditions, rated_condition

Place = tuple[str | int, ...]
# Of the shares in pairs and in controls.
LARGEST_OF_CONTROLS = 1.0
KINDS = {"pair": "two conditions", "single": "one recording", "control": "two copies"}


def inconsistencies_of_hypotheses(definition: StudyDefinition) -> Iterator[Inconsistency]:
    """What does not fit in `analysis.hypotheses`."""
    plan = definition.analysis
    if plan is None or plan.hypotheses is None:
        return
    seen: set[str] = set()
    for index, one in enumerate(plan.hypotheses):
        place: Place = ("analysis", "hypotheses", index)
        if one.id in seen:
            remedy = "Give every hypothesis an id of its own"
            yield Inconsistency((*place, "id"), f"`{one.id}` is there twice", remedy)
        seen.add(one.id)
        yield from _of_one(definition, place, one)


def _of_one(definition: StudyDefinition, place: Place, one: Hypothesis) -> Iterator[Inconsistency]:
    named: list[tuple[Place, str, str]]
    if isinstance(one, TrialHypothesis):
        named = [((*place, "trial"), one.trial, "pair")]
    else:
        kind = "single" if isinstance(one, OpinionHypothesis) else "pair"
        named = [((*place, "trials", at), name, kind) for at, name in enumerate(one.trials)]
    if isinstance(one, ControlHypothesis):
        named += [
            ((*place, "controls", at), name, "control") for at, name in enumerate(one.controls)
        ]
    found: list[tuple[Block, Trial]] = []
    faults: list[Inconsistency] = []
    for at, name, kind in named:
        try:
            block, trial = definition.trial(name)
        except KeyError:
            faults.append(unknown(at, "trial", name, [trial.id for trial in definition.trials]))
            continue
        fault = _misfit(at, block, trial, kind, found, one)
        if fault is None:
            found.append((block, trial))
        else:
            faults.append(fault)
    yield from faults
    if found and not faults:
        yield from _of_conditions(place, one, found)


def _misfit(
    at: Place,
    block: Block,
    trial: Trial,
    kind: str,
    before: Sequence[tuple[Block, Trial]],
    one: Hypothesis,
) -> Inconsistency | None:
    """Why a hypothesis cannot be about this trial; none if it can."""
    name = f"`{trial.id}`"
    rates = block.scale.kind in RATINGS
    if isinstance(one, OpinionHypothesis) and rates and is_paired(block.scale):
        kind = "pair"
    fault = _other_kind(at, block, trial, kind, one)
    if fault is not None:
        return fault
    if block.role == "training":
        message = f"{name} is training, which is never analysed"
        return Inconsistency(at, message, "Name a trial of another block")
    if any(trial.id == other.id for _, other in before):
        return Inconsistency(at, f"{name} is there twice", "Keep one")
    if before and before[0][0].id != block.id:
        message = f"{name} is of block `{block.id}`, and others are of `{before[0][0].id}`"
        return Inconsistency(at, message, "Make a hypothesis for each block")
    if isinstance(one, PooledHypothesis | OpinionHypothesis):
        own = set(member_conditions(trial)) if not rates else {rated_condition(trial)}
        wanted = set(one.conditions)
        if not own <= wanted:
            message = (
                f"{name} is about {', '.join(sorted(own))}, not {' and '.join(one.conditions)}"
            )
            return Inconsistency(at, message, "Name a trial of these conditions, or change them")
    return None


def _other_kind(
    at: Place, block: Block, trial: Trial, kind: str, one: Hypothesis
) -> Inconsistency | None:
    """Conditions are rated or compared, and a hypothesis is about either."""
    scale = block.scale.kind
    rates = scale in RATINGS
    if rates and not isinstance(one, OpinionHypothesis) and trial.kind == kind:
        message = f"`{trial.id}` is rated on a scale of `kind: {scale}`, and compares nothing"
        return Inconsistency(at, message, "Compare conditions with `compares: opinion`")
    if isinstance(one, OpinionHypothesis) and not rates:
        message = f"`{trial.id}` is not rated: its scale is of `kind: {scale}`"
        return Inconsistency(at, message, "Name a trial on a scale of `kind: acr` or `dcr`")
    if trial.kind != kind:
        remedy = f"Name a `kind: {kind}`, which presents {KINDS[kind]}"
        return Inconsistency(at, f"`{trial.id}` is of `kind: {trial.kind}`", remedy)
    return None


def _of_conditions(
    place: Place, one: Hypothesis, found: Sequence[tuple[Block, Trial]]
) -> Iterator[Inconsistency]:
    block, trial = found[0]
    of_controls = isinstance(one, ControlHypothesis)
    largest = LARGEST_OF_CONTROLS if of_controls else block.scale.largest_effect
    if one.smallest_effect is not None and one.smallest_effect >= largest:
        message = f"no effect is larger than {largest:g} here"
        remedy = "Give the smallest effect that would matter, in the measure's unit"
        yield Inconsistency((*place, "smallest_effect"), message, remedy)
    if isinstance(one, ControlHypothesis):
        scale = block.scale
        if isinstance(scale, PreferenceScale) and scale.answers.no_difference is None:
            message = "with a forced choice everybody tells of a difference, in controls as well"
            yield Inconsistency(place, message, "Offer `no_difference`, or compare conditions")
        return
    conditions = one.conditions if not isinstance(one, TrialHypothesis) else None
    if conditions is None and isinstance(trial, PairTrial):
        conditions = trial.conditions
    conditions = conditions or ("", "")
    known = [TWO_SIDED, *((RIGHT,) if block.scale.has_x else conditions)]
    if one.direction not in known:
        yield unknown((*place, "direction"), "direction of this", one.direction, known)
    if conditions[0] == conditions[1]:
        message = f"`{conditions[0]}` is compared with itself"
        yield Inconsistency((*place, "conditions"), message, "Name two conditions")
    elif isinstance(one, OpinionHypothesis):
        yield from _same_clips(place, one, [trial for _, trial in found])


def _same_clips(
    place: Place, one: OpinionHypothesis, trials: Sequence[Trial]
) -> Iterator[Inconsistency]:
    """A condition must not be judged by the clips that it came with."""
    clips = {
        name: {trial.clip for trial in trials if rated_condition(trial) == name}
        for name in one.conditions
    }
    for index, trial in enumerate(trials):
        if any(trial.clip not in with_it for with_it in clips.values()):
            message = f"`{trial.id}` has no other: its clip is heard under one condition only"
            remedy = "Name the same clip's trial under the other condition as well"
            yield Inconsistency((*place, "trials", index), message, remedy)
