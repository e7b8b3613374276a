"""What a trial presents: a clip or a typing task, under which conditions, in how many runs.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from thinlab.condition.seeds import Seed, of_members
from thinlab.part import Name, Part

Clip = Annotated[Name, Field(description="A clip of `clips/manifest.yaml`.")]
ConditionPair = Annotated[
    tuple[Name, Name],
    Field(
        description="Two of the study's conditions: the pair's members.",
        examples=[["plain", "modified"]],
    ),
]
Runs = Annotated[
    int,
    Field(
        ge=1,
        le=20,
        description="How many recordings there are of each member, each with another seed: "
        "a participant hears one of them, and all are heard equally often.",
    ),
]
Medium = Literal["heard", "typed"]
PlaceName = Literal["first", "second"]
ChoiceName = Literal["first", "second", "no_difference"]


class _HeardOrTyped(Part):
    id: Name
    clip: Clip | None = Field(default=None, description="A clip of `clips/manifest.yaml`.")
    task: Name | None = Field(
        default=None, description="One of the study's `tasks`, to be typed instead of heard."
    )

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if (self.clip is None) == (self.task is None):
            raise ValueError("give `clip` for a trial to be heard, or `task` for one to be typed")
        return self


class PairTrial(_HeardOrTyped):
    """One clip or task under two conditions."""

    kind: Literal["pair"] = "pair"
    conditions: ConditionPair
    runs: Runs = 1
    seed: Seed
    matched: bool = Field(
        default=True,
        description="Both members of a run get one seed, so that the emulator treats the same "
        "packet of either in the same way; false: a seed each.",
    )

    @model_validator(mode="after")
    def _two_conditions(self) -> Self:
        _differ(self.conditions)
        return self


class ControlTrial(_HeardOrTyped):
    """One recording presented as if it were two; of a task, two sessions under one condition."""

    kind: Literal["control"]
    condition: Name
    runs: Runs = 1
    seed: Seed


class _HeardOnly(Part):
    """A trial that says something about a sound, which is the same for everybody."""

    id: Name
    clip: Clip

    @model_validator(mode="before")
    @classmethod
    def _not_typed(cls, data: object) -> object:
        if isinstance(data, dict) and "task" in data:
            raise ValueError(
                f"a trial of `kind: {data.get('kind')}` cannot be typed: what a session feels like "
                "depends on who types, so no answer is known, and none means anything alone. "
                "With a `task` use `kind: pair` or `kind: control`"
            )
        return data


class SingleTrial(_HeardOnly):
    """One recording, to be judged alone."""

    kind: Literal["single"]
    condition: Name
    runs: Runs = 1
    seed: Seed


class GoldTrial(_HeardOnly):
    """A trial whose answer is known: who misses it did not listen, or could not hear.

    Two `conditions` and which is `better`; or, where one is judged by a
    reference, two `conditions`, and where recordings are judged alone one
    `condition`, with the least or the highest score to be expected.
    """

    kind: Literal["gold"]
    conditions: ConditionPair | None = Field(
        default=None, description="Two of the study's conditions, on a paired scale."
    )
    better: Name | None = Field(
        default=None, description="Which of the two `conditions` everybody should prefer."
    )
    condition: Name | None = Field(default=None, description="On an `acr` scale.")
    at_least: int | None = Field(default=None, ge=1, le=5, description="The lowest right score.")
    at_most: int | None = Field(default=None, ge=1, le=5, description="The highest right score.")
    seed: Seed

    @model_validator(mode="after")
    def _one_form(self) -> Self:
        if self.conditions is not None:
            given = [one is not None for one in (self.better, self.at_least, self.at_most)]
            if self.condition is not None or sum(given) != 1:
                raise ValueError(
                    "`conditions` goes with `better`, or on a `dcr` scale with one of `at_least`, "
                    "`at_most`, and with nothing else"
                )
            _differ(self.conditions)
            if self.better is not None and self.better not in self.conditions:
                raise ValueError("`better` has to name one of the two `conditions`")
        elif self.condition is None or (self.at_least is None) == (self.at_most is None):
            raise ValueError(
                "give `conditions` and `better`, or `condition` and one of `at_least`, `at_most`"
            )
        elif self.better is not None:
            raise ValueError("`better` goes with two `conditions`")
        return self


class TrappingTrial(_HeardOnly):
    """A clip that itself says what to answer: who answers otherwise did not listen."""

    kind: Literal["trapping"]
    condition: Name
    answer: ChoiceName | int = Field(description="What the clip asks for, on the block's scale.")
    seed: Seed


Trial = Annotated[
    PairTrial | ControlTrial | SingleTrial | GoldTrial | TrappingTrial,
    Field(discriminator="kind"),
]


def _differ(conditions: tuple[str, str]) -> None:
    if conditions[0] == conditions[1]:
        raise ValueError(
            "a pair compares two different conditions; for two copies of one "
            "recording use `kind: control` with one `condition`"
        )


def member_conditions(trial: Trial) -> tuple[str, ...]:
    """Names of the conditions a trial needs recordings for: two, or one."""
    match trial:
        case PairTrial():
            return trial.conditions
        case GoldTrial(conditions=tuple() as conditions):
            return conditions
        case GoldTrial(condition=str() as condition):
            return (condition,)
        case ControlTrial() | SingleTrial() | TrappingTrial():
            return (trial.condition,)
        case _:
            raise ValueError(f"trial {trial.id} names no condition")


def rated_condition(trial: Trial) -> str:
    """The condition that a score is about where conditions are rated: the only one, or the second.

    The first of two is its reference.
    """
    return member_conditions(trial)[-1]


def medium_of(trial: Trial) -> Medium:
    """Which kind of trial it is: its folder of `thinlab.trials`."""
    return "heard" if task_of(trial) is None else "typed"


def task_of(trial: Trial) -> str | None:
    """The task's name of a trial to be typed; none for one to be heard."""
    return trial.task if isinstance(trial, PairTrial | ControlTrial) else None


def presented(trial: Trial) -> str:
    """What is presented: the clip's name, or the task's."""
    name = trial.clip or task_of(trial)
    if name is None:
        raise ValueError(f"trial {trial.id} presents nothing")
    return name


def runs_of(trial: Trial) -> int:
    """In how many runs a trial is recorded."""
    return 1 if isinstance(trial, GoldTrial | TrappingTrial) else trial.runs


def seeds_of(trial: Trial, run: int) -> tuple[int, ...]:
    """The seed of each member's recording in a run, counted from 0."""
    matched = not isinstance(trial, PairTrial) or trial.matched
    return of_members(trial.seed, run, len(member_conditions(trial)), matched=matched)
