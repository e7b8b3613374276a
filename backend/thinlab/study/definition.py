"""What a study is: the types behind `survey/*.yaml` and its JSON Schema.

These types are the truth; `survey/study.schema.json` is generated from them.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Literal, Self

from pydantic import Field, ValidationInfo, field_validator, model_validator

from thinlab.condition.written import AnyWrittenCondition, WrittenCondition
from thinlab.part import Name, Part, Share
from thinlab.study.debrief import Debrief
from thinlab.study.headphone_test import FIRST_RULE, HeadphoneTest
from thinlab.study.heard_share import FROM_A_FILE, HEARD_SHARE
from thinlab.study.hearing.registry import FACTS, HearingTest
from thinlab.study.panel import Panel
from thinlab.study.published import PublishedCount
from thinlab.study.question import Question
from thinlab.study.rules import AnalysisPlan, ExclusionRule, Quota, ReferenceUnder, StopRule
from thinlab.study.sample import Sample
from thinlab.study.scale import Scale
from thinlab.study.staircase import Staircase
from thinlab.study.task import ConnectionLimits, Task
from thinlab.study.text import Language, LocalText
from thinlab.study.trial import (
    Clip,
    Medium,
    Trial,
    medium_of,
)

MOST_TRIALS = 200


class Consent(Part):
    """What a participant agrees to; the version is stored with the consent."""

    version: Annotated[str, Field(min_length=1, max_length=64)] = Field(
        description="To be changed whenever a word below changes."
    )
    paragraphs: Annotated[tuple[LocalText, ...], Field(min_length=1, max_length=50)] = Field(
        description="What is stored, withdrawing and erasing the page says by itself."
    )


class Block(Part):
    """Trials on one scale, done one after the other."""

    id: Name
    role: Literal["training", "trials"] = Field(
        default="trials",
        description="Answers in training are stored and marked, and never analysed.",
    )
    introduction: LocalText | None = Field(
        default=None, description="A page of its own before the block's first trial."
    )
    playback: Literal["free", "in_turn"] = Field(
        default="free",
        description="Of clips. `free`: the listener starts, stops and switches at will. "
        "`in_turn`: the first whole, a pause, the second whole; as often as the listener wants.",
    )
    order: Literal["balanced", "apart", "as_written"] = Field(
        default="balanced",
        description="Of the trials. `balanced` over participants, each after each other equally "
        "often; `apart`: balanced, but no clip or task right after itself; `as_written`: as here.",
    )
    sides: Literal["balanced", "as_written"] = Field(
        default="balanced",
        description="Which member is the first: balanced over participants, or the one named "
        "first, as always on a `dcr` scale.",
    )
    break_every: Annotated[int, Field(ge=1, le=100)] | None = Field(
        default=None, description="A page to rest at after each so many trials."
    )
    scale: Scale = Field(description="Question and answers, the same for all trials of the block.")
    trials: Annotated[tuple[Trial, ...], Field(min_length=1, max_length=MOST_TRIALS)] = Field(
        description="What is heard, or what is typed; ids are unique in the whole study."
    )
    adaptive: Staircase | None = Field(
        default=None,
        description="The block is a staircase: its trials are pairs of a reference and a level "
        "each, and which comes next hangs on the answers. Left out: every trial comes once.",
    )
    # After what it depends on.
    heard_share_at_least: Share | None = Field(
        default=None,
        validate_default=True,
        description="With `playback: free`, how much of each recording has to be heard before an "
        "answer: a share of it in different parts, so that what is heard again counts once. Left "
        f"out, it is {HEARD_SHARE} from when the file is first loaded; 0 asks for nothing.",
        examples=[HEARD_SHARE],
    )

    @field_validator("heard_share_at_least")
    @classmethod
    def _filled_in(cls, share: float | None, info: ValidationInfo) -> float | None:
        given = info.data
        free = given.get("playback") == "free" and "trials" in given
        if share is None and info.context == FROM_A_FILE and free:
            heard = medium_of(given["trials"][0]) == "heard"
            return HEARD_SHARE if heard else None
        return share

    @property
    def medium(self) -> Medium:
        """Which kind all trials of this block are of."""
        return medium_of(self.trials[0])

    def as_it_was_meant(self, before: Self) -> Self:
        """This block, asking for as much to be heard as when it was first loaded.

        Unless the file says itself how much.
        """
        first = before.medium == "heard" and before.playback == "free"
        if not first or before.heard_share_at_least is not None:
            return self
        if "heard_share_at_least" in self.model_fields_set:
            return self
        return self.model_copy(update={"heard_share_at_least": None})

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if len({medium_of(trial) for trial in self.trials}) > 1:
            raise ValueError(
                "a block's trials are all of a `clip` or all of a `task`: make two blocks"
            )
        return self


class StudyDefinition(Part):
    """One study: what a participant reads, hears and types."""

    slug: Name = Field(description="In the participant's address: `/s/<slug>`.")
    title: LocalText
    description: LocalText
    languages: Annotated[tuple[Language, ...], Field(min_length=1, max_length=20)] = Field(
        default=("en",), description="That the study is offered in; the first is the default."
    )
    open: bool = Field(default=True, description="Whether new participants may join.")
    access: Literal["link", "invitation"] = Field(
        default="link",
        description="`link`: whoever has the address. `invitation`: who has a link of their own.",
    )
    panel: Panel | None = Field(
        default=None,
        description="A panel that sends participants and pays them: only whoever has its id in "
        "the address can take part, once.",
    )
    listed: bool = Field(
        default=True,
        description="Whether the front page names the study to everybody, while whoever has the "
        "address may join; false: its address is given to those who are meant.",
    )
    record: Literal["on_demand", "at_start"] = Field(
        default="on_demand",
        description="When recordings are made: when the researcher asks, or at the server's start.",
    )
    contact: LocalText | None = Field(
        default=None, description="Whom a participant can ask; shown at consent and at the end."
    )
    consent: Consent = Field(description="Agreed to before anything is stored.")
    retention_days: Annotated[int, Field(ge=1, le=36_500)] | None = Field(
        default=None,
        description="So long after joining, what links a participant to their answers is erased.",
    )
    headphones: Literal["required", "asked", "any"] = Field(
        default="any",
        description="The headphone test: has to be passed, is done and recorded, or is left out.",
    )
    headphone_test: HeadphoneTest | None = Field(
        default=None,
        description="How headphones are tested for; left out: Huggins pitch, five of six rounds, "
        "in two tries.",
    )
    hearing: Annotated[tuple[HearingTest, ...], Field(max_length=len(FACTS))] = Field(
        default=(),
        description="Tests of hearing and equipment after the sound check, one after the other.",
    )
    sound_check: Clip | None = Field(
        default=None,
        description="A clip, played as it is to set the volume by; where clips are heard.",
    )
    tasks: Annotated[dict[Name, Task], Field(max_length=50)] = Field(
        default={}, description="What can be typed, by a name that participants never see."
    )
    connection: ConnectionLimits = Field(
        default=ConnectionLimits(),
        description="Of the participant's own network, where something is typed: checked before.",
    )
    keep_text: bool = Field(
        default=False,
        description="Whether what participants type is stored: keys, screens, final texts. "
        "Otherwise only times, kinds of keys and counts are.",
    )
    conditions: Annotated[dict[Name, AnyWrittenCondition], Field(min_length=1)] = Field(
        description="How a clip can be sent, or what is made of it directly, by a name that "
        "participants never see."
    )
    blocks: Annotated[tuple[Block, ...], Field(min_length=1, max_length=20)] = Field(
        description="In this order."
    )
    sample: Sample | None = Field(
        default=None,
        description="A pair that the front page plays to everybody, with names. No trial plays "
        "it, but it teaches what to listen for: leave it out where listeners should not know.",
    )
    debrief: Debrief | None = Field(
        default=None,
        description="Participants can be told at the end what was what, and what happened to it.",
    )
    questionnaire: Annotated[tuple[Question, ...], Field(max_length=100)] = Field(
        default=(), description="Questions before and after the trials."
    )
    exclusion: Annotated[tuple[ExclusionRule, ...], Field(max_length=20)] = Field(
        default=(),
        validate_default=True,
        description="Whom the analysis leaves out; declared before the first vote. With a scale of "
        "`kind: mushra` also whom `reference_under` does, unless it is here and says otherwise.",
    )
    stop: StopRule | None = Field(
        default=None, description="When no more participants are taken; none: until closed."
    )
    quotas: Annotated[tuple[Quota, ...], Field(max_length=20)] = Field(
        default=(), description="How many completed sessions a language may have."
    )
    votes_visible: Literal["when_stopped", "always"] = Field(
        default="when_stopped",
        description="Whether the researcher sees the direction of votes while the study runs.",
    )
    analysis: AnalysisPlan | None = Field(
        default=None, description="What will be tested, written down before the first vote."
    )
    published: Annotated[tuple[PublishedCount, ...], Field(min_length=1, max_length=20)] | None = (
        Field(
            default=None,
            description="What others counted where they asked the same; shown beside the votes.",
        )
    )

    @field_validator("exclusion")
    @classmethod
    def _screened_afterwards(
        cls, rules: tuple[ExclusionRule, ...], info: ValidationInfo
    ) -> tuple[ExclusionRule, ...]:
        """Where sounds are rated beside their reference, BS.1534-3's rule holds unless one does."""
        pages = any(block.scale.one_page_a_clip for block in info.data.get("blocks", ()))
        if not pages or any(isinstance(rule, ReferenceUnder) for rule in rules):
            return rules
        return (*rules, ReferenceUnder(rule="reference_under"))

    @model_validator(mode="after")
    def _names_are_their_own(self) -> Self:
        # Allocation and stored votes find a trial by its id alone. What else has to fit
        # together is checked where a file is read, with its line.
        _once("trial ids", (trial.id for trial in self.trials))
        _once("block ids", (block.id for block in self.blocks))
        _once("question ids", (question.id for question in self.questionnaire))
        if sum(len(block.trials) for block in self.blocks) > MOST_TRIALS:
            raise ValueError(f"at most {MOST_TRIALS} trials in all blocks together")
        return self

    @property
    def headphone_rule(self) -> HeadphoneTest:
        """How headphones are tested for, where they are."""
        return self.headphone_test or FIRST_RULE

    @property
    def screens(self) -> bool:
        """Whether some answer before the trials keeps people out."""
        return any(one.kind == "choice" and one.screens for one in self.questionnaire)

    @property
    def trials(self) -> tuple[Trial, ...]:
        """All trials, block by block, in the file's order."""
        return tuple(trial for block in self.blocks for trial in block.trials)

    def trial(self, trial_id: str) -> tuple[Block, Trial]:
        """A trial and its block. Raises `KeyError`."""
        for block in self.blocks:
            for trial in block.trials:
                if trial.id == trial_id:
                    return block, trial
        raise KeyError(trial_id)

    def texts(self) -> Iterator[tuple[str, LocalText]]:
        """Every text that a participant reads, with its place in the file."""
        yield "title", self.title
        yield "description", self.description
        if self.contact is not None:
            yield "contact", self.contact
        for number, paragraph in enumerate(self.consent.paragraphs):
            yield f"consent.paragraphs[{number}]", paragraph
        yield from _texts_of_tasks(self.tasks)
        for number, block in enumerate(self.blocks):
            yield from _texts_of(block, f"blocks[{number}]")
        yield from _texts_of_questions(self.questionnaire)
        if self.debrief is not None:
            for name, text in self.debrief.names.items():
                yield f"debrief.names.{name}", text
        if self.sample is not None:
            yield "sample.about", self.sample.about
            for number, member in enumerate(self.sample.members):
                yield f"sample.members[{number}].name", member.name
        if self.analysis is not None and not isinstance(self.analysis.hypothesis, str):
            yield "analysis.hypothesis", self.analysis.hypothesis

    @property
    def sent(self) -> dict[str, WrittenCondition]:
        """The conditions that are sent, by name: all but references."""
        return {
            name: one for name, one in self.conditions.items() if isinstance(one, WrittenCondition)
        }

    @property
    def media(self) -> frozenset[Medium]:
        """Which kinds of trials there are."""
        return frozenset(block.medium for block in self.blocks)

    @property
    def recorded_trials(self) -> tuple[Trial, ...]:
        """All trials that need recordings."""
        return tuple(trial for trial in self.trials if trial.clip is not None)

    def as_it_was_meant(self, before: Self) -> Self:
        """This version, with what the file leaves open meaning what it meant in the one before."""
        meant = {
            name: _as_it_was_meant(condition, before.conditions.get(name))
            for name, condition in self.conditions.items()
        }
        blocks = {block.id: block for block in before.blocks}
        asking = tuple(
            block.as_it_was_meant(blocks[block.id]) if block.id in blocks else block
            for block in self.blocks
        )
        analysis = self.analysis and self.analysis.as_it_was_meant(before.analysis)
        return self.model_copy(update={"conditions": meant, "blocks": asking, "analysis": analysis})

    @property
    def content_hash(self) -> str:
        """SHA-256 over what the definition says beyond the defaults, 64 hex digits.

        So a key that a later Thinlab adds makes no new version of a study. The
        mechanisms that a mode stands for are part of it, unless they are those that it
        has stood for since the first version.
        """
        said = self.model_dump(mode="json", exclude_defaults=True)
        for name, condition in self.sent.items():
            if condition.means_what_it_did_first:
                del said["conditions"][name]["mechanisms"]
        canonical = json.dumps(said, sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(canonical.encode()).hexdigest()


def _as_it_was_meant(
    now: AnyWrittenCondition, before: AnyWrittenCondition | None
) -> AnyWrittenCondition:
    """A mode may come to mean something else; a reference cannot."""
    if isinstance(now, WrittenCondition) and isinstance(before, WrittenCondition):
        return now.as_it_was_meant(before)
    return now


def used_clips(definition: StudyDefinition) -> set[str]:
    """Names of all clips that a study plays."""
    clips = (definition.sound_check, *(trial.clip for trial in definition.trials))
    return {clip for clip in clips if clip is not None}


def used_digits(definition: StudyDefinition) -> set[str]:
    """Names of all spoken digits that a study plays before the trials."""
    voices = {one.language for one in definition.hearing if one.test == "digits"}
    return {f"{voice}_{digit}" for voice in voices for digit in range(10)}


def _texts_of_tasks(tasks: Mapping[str, Task]) -> Iterator[tuple[str, LocalText]]:
    for name, task in tasks.items():
        for where, text in task.texts():
            yield f"tasks.{name}.{where}", text


def _texts_of_questions(questions: Iterable[Question]) -> Iterator[tuple[str, LocalText]]:
    for number, question in enumerate(questions):
        place = f"questionnaire[{number}]"
        yield f"{place}.text", question.text
        if question.kind == "choice":
            for index, option in enumerate(question.options):
                yield f"{place}.options[{index}].label", option.label


def _texts_of(block: Block, place: str) -> Iterator[tuple[str, LocalText]]:
    if block.introduction is not None:
        yield f"{place}.introduction", block.introduction
    for where, text in block.scale.texts():
        yield f"{place}.scale.{where}", text


def _once(what: str, names: Iterable[str]) -> None:
    double = sorted(name for name, times in Counter(names).items() if times > 1)
    if double:
        raise ValueError(f"{what} must differ; more than once: {', '.join(double)}")
