"""A stored trial, study or question in a participant's words: one language, no condition.

SPDX-License-Identifier: Apache-2.0
"""

from typing import cast

from thinlab.participation import messages
from thinlab.participation.kind import Opened
from thinlab.participation.participant import Progress
from thinlab.study import duration
from thinlab.study.catalogue import StoredStudy
from thinlab.study.kind import kinds_of
from thinlab.study.panel import Panel
from thinlab.study.question import ChoiceQuestion, NumberQuestion, Question, TextQuestion
from thinlab.study.scale import Scale
from thinlab.study.scales.abx import AbxScale
from thinlab.study.scales.preference import PreferenceScale
from thinlab.study.session_page import pages_done, pages_in
from thinlab.study.text import said
from thinlab.trials.messages import OpenTrial
from thinlab.trials.registry import KINDS


def study_page(
    study: StoredStudy,
    language: str,
    state: messages.StudyState,
    durations_ms: dict[str, int],
    credits_: list[str],
) -> messages.StudyPage:
    """A study's first page. `durations_ms`: of each trial's recordings, once there are any."""
    definition = study.definition
    return messages.StudyPage(
        slug=definition.slug,
        language=language,
        languages=list(definition.languages),
        title=said(definition.title, language),
        description=said(definition.description, language),
        state=state,
        access=definition.access,
        panel=None if definition.panel is None else _door(definition.panel),
        consent=messages.ConsentText(
            version=definition.consent.version,
            paragraphs=[said(one, language) for one in definition.consent.paragraphs],
        ),
        contact=None if definition.contact is None else said(definition.contact, language),
        retention_days=definition.retention_days,
        headphones=definition.headphones,
        media=[kind.medium for kind in kinds_of(definition, KINDS)],
        keep_text=definition.keep_text,
        has_training=any(block.role == "training" for block in definition.blocks),
        debriefs=definition.debrief is not None,
        trials_total=pages_in(definition),
        minutes=duration.minutes(definition, durations_ms, KINDS),
        credits=credits_,
    )


def _door(panel: Panel) -> messages.PanelDoor:
    named = panel.named
    return messages.PanelDoor(
        title=panel.known.title,
        participant=named["participant"],
        session=named.get("session"),
        batch=named.get("batch"),
        deadline_minutes=panel.deadline_minutes,
    )


def participation(progress: Progress) -> messages.Participation:
    """How far somebody is."""
    return messages.Participation(
        study=progress.study.slug,
        language=progress.participant.language,
        state=progress.due.stage,
        headphones=progress.study.definition.headphones,
        headphone_signal=progress.study.definition.headphone_rule.signal,
        headphones_tries=progress.participant.headphones_tries or 0,
        headphones_tries_left=max(
            progress.study.definition.headphone_rule.tries
            - (progress.participant.headphones_tries or 0),
            0,
        ),
        headphones_passed=progress.participant.headphones_passed,
        connection_tries=progress.participant.connection_tries or 0,
        trials_total=pages_in(progress.study.definition),
        trials_done=pages_done(progress.study.definition, progress.trials_done),
        completion_code=progress.participant.completion_code,
        end=progress.end,
        kind=cast("messages.ParticipantKind", progress.participant.kind),
    )


def open_trial(opened: Opened, study: StoredStudy, language: str) -> OpenTrial:
    """A trial as its kind shows it."""
    presentation, block = opened.presentation, opened.block
    place, every = opened.place_in_block, block.break_every
    introduced = place == 0 and block.introduction is not None
    common = {
        "trial_token": presentation.trial_token,
        "position": opened.page,
        "trials_total": pages_in(study.definition),
        "training": presentation.training,
        "introduction": (
            said(block.introduction, language) if introduced and block.introduction else None
        ),
        "break_before": every is not None and place > 0 and place % every == 0,
        "scale": _form(block.scale, language),
    }
    return KINDS[presentation.medium].form(opened, study, language, common)


def _form(
    scale: Scale, language: str
) -> messages.PreferenceForm | messages.ScoreForm | messages.AbxForm:
    question = said(scale.question, language)
    if isinstance(scale, AbxScale):
        return messages.AbxForm(
            kind="abx",
            question=question,
            answers=messages.AbxWording(
                first=said(scale.answers.first, language),
                second=said(scale.answers.second, language),
            ),
        )
    if isinstance(scale, PreferenceScale):
        none = scale.answers.no_difference
        return messages.PreferenceForm(
            kind="preference",
            question=question,
            answers=messages.PreferenceWording(
                first=said(scale.answers.first, language),
                second=said(scale.answers.second, language),
                no_difference=None if none is None else said(none, language),
            ),
            noticeable=_noticeable(scale, language),
        )
    return messages.ScoreForm(
        kind=scale.kind,
        question=question,
        labels=[
            messages.ScoreLabel(score=score, label=said(scale.labels[score], language))
            for score in sorted(scale.labels, reverse=True)
        ],
    )


def _noticeable(scale: PreferenceScale, language: str) -> messages.NoticeableForm | None:
    asked = scale.noticeable
    if asked is None:
        return None
    return messages.NoticeableForm(
        question=said(asked.question, language),
        labels=[
            messages.ScoreLabel(score=step, label=said(asked.labels[step], language))
            for step in sorted(asked.labels)
        ],
    )


def question_form(question: Question, language: str) -> messages.QuestionForm:
    """A question beside the trials."""
    form = messages.QuestionForm(
        id=question.id,
        kind=question.kind,
        text=said(question.text, language),
        required=question.required,
        options=[],
        several=False,
        minimum=None,
        maximum=None,
        max_length=None,
    )
    match question:
        case ChoiceQuestion():
            form.several = question.several
            form.options = [
                messages.QuestionOption(id=option.id, label=said(option.label, language))
                for option in question.options
            ]
        case NumberQuestion():
            form.minimum, form.maximum = question.minimum, question.maximum
        case TextQuestion():
            form.max_length = question.max_length
    return form
