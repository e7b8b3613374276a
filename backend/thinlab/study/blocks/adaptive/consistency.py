"""Whether a staircase can work: what its pairs, their levels and the scale have to be.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator

from thinlab.condition.written import WrittenCondition
from thinlab.study.blocks.adaptive.choice import clips, length
from thinlab.study.blocks.adaptive.levels import but_for, staircase_of, value_of, written
from thinlab.study.definition import MOST_TRIALS, Block, StudyDefinition
from thinlab.study.inconsistency import Inconsistency
from thinlab.study.scales.preference import PreferenceScale
from thinlab.study.trial import PairTrial, Trial, presented

Place = tuple[str | int, ...]

FEWEST_LEVELS = 2


def inconsistencies_of_staircases(
    definition: StudyDefinition, number: int, block: Block
) -> Iterator[Inconsistency]:
    """Of the block, of each of its pairs, and of the plan, which has to leave them alone."""
    place: Place = ("blocks", number)
    yield from _block(place, block)
    if block.medium == "heard":
        pairs = [trial for trial in block.trials if isinstance(trial, PairTrial)]
        for index, trial in enumerate(block.trials):
            yield from _pair(definition, (*place, "trials", index), block, trial)
        yield from _levels(definition, place, block, pairs)
    yield from _plan(definition, block)


def _block(place: Place, block: Block) -> Iterator[Inconsistency]:
    if block.medium != "heard":
        message = "what is typed happens while it is done, and its levels cannot be made beforehand"
        yield Inconsistency((*place, "adaptive"), message, "Use trials of a `clip`")
    if block.role == "training":
        message = "training is never analysed, and a staircase is nothing but its analysis"
        remedy = "Remove `role`, and train in a block without `adaptive`"
        yield Inconsistency((*place, "role"), message, remedy)
    for name in ("order", "sides"):
        if name in block.model_fields_set:
            message = "an adaptive block chooses its trials, and balances sides, by itself"
            yield Inconsistency((*place, name), message, "Remove it")
    scale = block.scale
    if not isinstance(scale, PreferenceScale):
        message = f"with `kind: {scale.kind}` no answer is right or wrong by the reference"
        remedy = "Use `kind: preference` without `no_difference`, and ask which sounds better"
        yield Inconsistency((*place, "scale", "kind"), message, remedy)
    elif scale.answers.no_difference is not None:
        message = "a staircase needs a forced choice: who hears no difference has to guess"
        yield Inconsistency((*place, "scale", "answers", "no_difference"), message, "Remove it")
    elif scale.noticeable is not None:
        message = "a staircase takes no second answer"
        yield Inconsistency((*place, "scale", "noticeable"), message, "Remove it")
    if length(block) > MOST_TRIALS:
        message = (
            f"{staircase_of(block).trials} trials on each of {len(clips(block))} clips are "
            f"{length(block)}; a session has at most {MOST_TRIALS}"
        )
        yield Inconsistency((*place, "adaptive", "trials"), message, "Ask for fewer")


def _pair(
    definition: StudyDefinition, place: Place, block: Block, trial: Trial
) -> Iterator[Inconsistency]:
    if not isinstance(trial, PairTrial):
        message = f"`kind: {trial.kind}` is no level of a staircase"
        remedy = "Use pairs of the reference and a level; put this trial into a block of its own"
        yield Inconsistency((*place, "kind"), message, remedy)
        return
    quantity = staircase_of(block).quantity
    reference, level = (definition.conditions.get(name) for name in trial.conditions)
    if reference is None or level is None:
        # Told of every trial.
        return
    for index, condition in enumerate((reference, level)):
        if not isinstance(condition, WrittenCondition):
            message = f"`{trial.conditions[index]}` was not sent: the codec alone would tell it"
            remedy = "Name a condition with a `mode` and a `path`"
            yield Inconsistency((*place, "conditions", index), message, remedy)
    if not isinstance(reference, WrittenCondition) or not isinstance(level, WrittenCondition):
        return
    low = value_of(definition, trial.conditions[0], quantity) or 0.0
    high = value_of(definition, trial.conditions[1], quantity) or 0.0
    if high <= low:
        message = (
            f"the second condition is the level, and has to have more `{quantity}` than the "
            f"reference: {written(high, quantity)} is not more than {written(low, quantity)}"
        )
        remedy = "Name the reference first, or give the level more in `forward`"
        yield Inconsistency((*place, "conditions", 1), message, remedy)
    elif but_for(reference, quantity) != but_for(level, quantity):
        message = f"the two conditions differ in more than `{quantity}`"
        remedy = "Give both the same mode, baseline and path but for that"
        yield Inconsistency((*place, "conditions"), message, remedy)


def _levels(
    definition: StudyDefinition, place: Place, block: Block, pairs: list[PairTrial]
) -> Iterator[Inconsistency]:
    quantity = staircase_of(block).quantity
    for clip in clips(block):
        mine = [trial for trial in pairs if presented(trial) == clip]
        seen: dict[float, str] = {}
        for trial in mine:
            value = value_of(definition, trial.conditions[1], quantity)
            if value in seen:
                message = (
                    f"`{trial.id}` and `{seen[value]}` are the same level of `{clip}`, "
                    f"{written(value, quantity)}"
                )
                yield Inconsistency((*place, "trials"), message, "Keep one, and give it more runs")
            elif value is not None:
                seen[value] = trial.id
        if len({trial.conditions[0] for trial in mine}) > 1:
            message = f"the pairs of `{clip}` have several references"
            yield Inconsistency((*place, "trials"), message, "Name the same condition first in all")
        if len(seen) < FEWEST_LEVELS:
            message = f"`{clip}` has {len(seen)} level: there is nothing to choose between"
            remedy = "Add pairs of the reference with other levels"
            yield Inconsistency((*place, "trials"), message, remedy)
        between = staircase_of(block).threshold_between
        if between and not any(between[0] <= value <= between[1] for value in seen):
            message = f"no level of `{clip}` lies in it"
            remedy = "Widen it, or add levels"
            yield Inconsistency((*place, "adaptive", "threshold_between"), message, remedy)


def _plan(definition: StudyDefinition, block: Block) -> Iterator[Inconsistency]:
    mine = {trial.id for trial in block.trials}
    remedy = "Remove it: a threshold is estimated, with its interval, and not tested"
    plan = definition.analysis
    for index, name in enumerate(plan.primary if plan else ()):
        if name in mine:
            message = f"`{name}` is a level of a staircase, which people hear as often as it tells"
            yield Inconsistency(("analysis", "primary", index), message, remedy)
    for index, one in enumerate((plan.hypotheses or ()) if plan else ()):
        named = {getattr(one, "trial", None), *getattr(one, "trials", ())}
        if named & mine:
            message = f"`{one.id}` is about levels of a staircase, which are no comparisons"
            yield Inconsistency(("analysis", "hypotheses", index), message, remedy)
    for index, count in enumerate(definition.published or ()):
        if count.trial in mine:
            message = (
                f"`{count.trial}` is a level of a staircase, and its share hangs on the choice"
            )
            yield Inconsistency(("published", index, "trial"), message, "Remove it")
