"""Routes of the front page: which studies anybody may join, and a pair to hear at once.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import Field
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Recording
from thinlab.participation import messages
from thinlab.recording import sample
from thinlab.study import catalogue
from thinlab.study.catalogue import StoredStudy
from thinlab.study.text import said
from thinlab.web import trial_messages
from thinlab.web.audio import AUDIO_RESPONSE, wav_response
from thinlab.web.joining import language_of, no_such_study, state_of
from thinlab.web.problems import ProblemError, problem_responses
from thinlab.web.services import Here, Services

router = APIRouter(prefix="/api", tags=["front page"])


class SampleSide(StrEnum):
    """Which of the two, in the order of their buttons."""

    FIRST = "first"
    SECOND = "second"


class FrontSampleMember(messages.Message):
    """One of the two, with what became of its sound and what that took."""

    name: str = Field(description="What it is, in plain words.")
    concealed_ms: float = Field(description="Sound that was not there when it was to be played.")
    redundancy_share: float = Field(description="Of the bytes sent, those sent before.")


class FrontSample(messages.Message):
    """A pair that everybody may hear, and know which is which."""

    slug: str = Field(description="Of the study that it comes with.")
    language: str = Field(description="Of the texts here.")
    about: str = Field(description="What is heard, and what happened to it on its way.")
    first: FrontSampleMember
    second: FrontSampleMember
    credits: list[str]


class FrontPage(messages.Message):
    """What is to be found here, by whoever came without an address."""

    studies: list[messages.StudyPage] = Field(
        description="That anybody may join, now or soon; by name."
    )
    sample: FrontSample | None = Field(description="None: there is none, or not yet.")
    sample_preparing: bool = Field(description="Whether one is on its way.")


@router.get("/front-page", operation_id="getFrontPage", responses=problem_responses(422, 503))
async def front_page(
    here: Here,
    language: Annotated[
        str | None, Query(max_length=12, description="Where a study has it; else its first.")
    ] = None,
) -> FrontPage:
    """Every study that anybody may join, and a sample to hear."""
    async with here.database.transaction() as session:
        current = await catalogue.all_current(session)
        studies = [
            page
            for study in current
            if _may_be_joined_by_all(study)
            if _is_shown(study, page := await _page(session, here, study, language))
        ]
        with_sample = [study for study in current if study.definition.sample is not None]
        sample_ = None
        for study in with_sample:
            members = await sample.recordings_of(session, study, here.clips, here.store)
            if members:
                sample_ = _sample(here, study, members, language)
                break
    return FrontPage(
        studies=studies,
        sample=sample_,
        sample_preparing=sample_ is None and bool(with_sample),
    )


def _may_be_joined_by_all(study: StoredStudy) -> bool:
    definition = study.definition
    return definition.listed and definition.access == "link" and definition.panel is None


def _is_shown(study: StoredStudy, page: messages.StudyPage) -> bool:
    """Open now, or soon by itself: what waits for its researcher is nothing to wait for."""
    soon = study.definition.record == "at_start" and page.state is messages.StudyState.PREPARING
    return soon or page.state in {messages.StudyState.OPEN, messages.StudyState.FULL}


async def _page(
    session: AsyncSession, here: Services, study: StoredStudy, asked: str | None
) -> messages.StudyPage:
    spoken = language_of(study, asked)
    state = await state_of(session, here, study, spoken)
    durations_ms = await catalogue.durations_ms_of(session, study)
    credits_ = here.credits(study.definition)
    return trial_messages.study_page(study, spoken, state, durations_ms, credits_)


def _sample(
    here: Services, study: StoredStudy, recordings: Sequence[Recording], asked: str | None
) -> FrontSample | None:
    shown = study.definition.sample
    if shown is None:
        return None
    spoken = language_of(study, asked)
    first, second = (
        FrontSampleMember(
            name=said(member.name, spoken),
            concealed_ms=made.result["playout"]["concealed_ms"],
            redundancy_share=made.result["metrics"]["redundancy_share"],
        )
        for member, made in zip(shown.members, recordings, strict=True)
    )
    return FrontSample(
        slug=study.slug,
        language=spoken,
        about=said(shown.about, spoken),
        first=first,
        second=second,
        credits=here.clips.credits({shown.clip}),
    )


@router.get(
    "/studies/{slug}/sample/{side}",
    operation_id="getSample",
    response_class=Response,
    responses={**AUDIO_RESPONSE, **problem_responses(404, 422, 503)},
)
async def sample_audio(slug: str, side: SampleSide, here: Here) -> Response:
    """One member of a study's sample, WAV, 48 kHz mono."""
    async with here.database.transaction() as session:
        study = await catalogue.current(session, slug)
        if study is None:
            raise no_such_study()
        members = await sample.recordings_of(session, study, here.clips, here.store)
    if not members:
        raise ProblemError(404, "no-sound", "There is no sample to play, or not yet.")
    return wav_response(await here.store.audio(members[list(SampleSide).index(side)].key))
