"""Routes before a participant has a token: the study's first page, and joining.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Mapping
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Response
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.clips.manifest import ClipError
from thinlab.participation import invitation, messages, places
from thinlab.participation import participant as participation
from thinlab.recording.audio_file import AudioFile
from thinlab.study import catalogue, study_state
from thinlab.trials.registry import KINDS
from thinlab.web import trial_messages
from thinlab.web.audio import AUDIO_RESPONSE, wav_response
from thinlab.web.problems import ProblemError, once_responses, problem_responses
from thinlab.web.researcher_session import signed_in
from thinlab.web.services import Here, Services

router = APIRouter(prefix="/api", tags=["participant"])


def no_such_study() -> ProblemError:
    """404: no study file has this slug."""
    return ProblemError(
        404,
        "no-such-study",
        "There is no such study.",
        remedy="Check the address that you were given.",
    )


def closed() -> ProblemError:
    """409: the study was closed, or has stopped by its own rule."""
    return ProblemError(409, "closed", "This study takes no more participants.")


def preparing() -> ProblemError:
    """409: recordings are still being made; the page asks again after 5 s."""
    return ProblemError(
        409,
        "preparing",
        "This study's recordings are not ready yet.",
        remedy="Try again later.",
        headers={"Retry-After": "5"},
    )


def no_host() -> ProblemError:
    """503: no host of the live lab can take a session at this moment."""
    return ProblemError(
        503,
        "no-host",
        "The machine that is typed on does not answer at this moment.",
        detail="It may be starting. Nothing was lost; the same can be sent again.",
        remedy="Try again in a few seconds.",
        headers={"Retry-After": "2"},
    )


def full() -> ProblemError:
    """409: as many take part as the study has places for."""
    return ProblemError(
        409,
        "full",
        "All places of this study are taken at the moment.",
        remedy="Try again later: the place of somebody who stops on the way becomes free.",
        headers={"Retry-After": "600"},
    )


def panel_needed() -> ProblemError:
    """403: the study has a panel, and this is nobody of it."""
    return ProblemError(
        403,
        "panel-needed",
        "This study is for people whom its panel sends.",
        field="panel",
        remedy="Open the study from the panel's own page.",
    )


def took_part() -> ProblemError:
    """409: this id of the panel has come to an end before."""
    return ProblemError(
        409,
        "took-part",
        "This person of the panel has taken part before.",
        field="panel.participant",
        remedy="Nothing needs to be done; each person can take part once.",
    )


@router.get("/studies/{slug}", operation_id="getStudy", responses=problem_responses(404, 422, 503))
async def study_page(
    slug: str,
    here: Here,
    language: Annotated[
        str | None, Query(max_length=12, description="One of the study's; else its first.")
    ] = None,
) -> messages.StudyPage:
    """What the study's first page shows."""
    async with here.database.transaction() as session:
        # Of a study whose file is gone too: whoever took part may come back to withdraw.
        found = await catalogue.newest(session, slug)
        if found is None:
            raise no_such_study()
        study, current = found
        spoken = language_of(study, language)
        state = messages.StudyState.CLOSED
        if current:
            state = await state_of(session, here, study, spoken)
        durations_ms = await catalogue.durations_ms_of(session, study)
    credits_ = here.credits(study.definition)
    return trial_messages.study_page(study, spoken, state, durations_ms, credits_)


def language_of(study: catalogue.StoredStudy, asked: str | None) -> str:
    """The language that was asked for, where the study has it; else its first."""
    languages = study.definition.languages
    return asked if asked in languages else languages[0]


async def state_of(
    session: AsyncSession, here: Services, study: catalogue.StoredStudy, language: str
) -> messages.StudyState:
    """Whether somebody may join a current study now, in this language."""
    if not study.definition.open or (await study_state.of(session, study)).closed:
        return messages.StudyState.CLOSED
    missing = here.live_lab_problem(study.definition) is not None
    if missing or not await catalogue.is_ready(session, study):
        return messages.StudyState.PREPARING
    taken = await places.is_full(session, study, kind="person", language=language)
    return messages.StudyState.FULL if taken else messages.StudyState.OPEN


@router.get(
    "/studies/{slug}/sound-check",
    operation_id="getSoundCheck",
    response_class=Response,
    responses={**AUDIO_RESPONSE, **problem_responses(404, 503)},
)
async def sound_check(slug: str, here: Here) -> Response:
    """Undegraded speech to set the volume by, WAV, 48 kHz mono."""
    async with here.database.transaction() as session:
        found = await catalogue.newest(session, slug)
    if found is None:
        raise no_such_study()
    study, _ = found
    if study.definition.sound_check is None:
        raise ProblemError(404, "no-sound", "There is nothing to hear in this study.")
    path = here.clips.folder / f"{study.definition.sound_check}.wav"
    try:
        return wav_response(await AudioFile.of(path))
    except OSError as error:
        raise ClipError(f"{path}: {error.strerror}; run clips/fetch again") from error


@router.post(
    "/studies/{slug}/participants",
    operation_id="join",
    status_code=201,
    responses=once_responses(
        messages.Joined, "Joined before, with this key or link.", 403, 404, 409, 422, 429, 503
    ),
)
async def join(
    slug: str,
    joining: messages.Joining,
    here: Here,
    response: Response,
    researcher: Annotated[bool, Depends(signed_in)],
) -> messages.Joined:
    """A new participant, or the same one again for the same `join_key` or invitation."""
    if joining.kind != "person" and not researcher:
        raise ProblemError(
            403,
            "needs-researcher",
            "Only a signed-in researcher can preview a study or send bots into it.",
            field="kind",
            remedy="Sign in on the researcher's page first.",
        )
    async with here.database.transaction() as session:
        found = await catalogue.newest(session, slug)
        if found is None:
            raise no_such_study()
        study, current = found
        hosted = here.live_lab_problem(study.definition) is None
        joined = await _join(session, study, joining, current=current, hosted=hosted)
        progress = await participation.progress(session, joined.participant, KINDS)
    response.status_code = 201 if joined.new else 200
    return messages.Joined(
        participant_token=joined.token,
        withdraw_token=joined.withdraw_token,
        participation=trial_messages.participation(progress),
    )


REFUSALS: Mapping[type[Exception], Callable[[], ProblemError]] = {
    participation.PanelNeededError: panel_needed,
    participation.TookPartError: took_part,
    participation.ClosedError: closed,
    participation.PreparingError: preparing,
    participation.NoHostError: no_host,
    places.FullError: full,
}


async def _join(
    session: AsyncSession,
    study: catalogue.StoredStudy,
    joining: messages.Joining,
    *,
    current: bool,
    hosted: bool,
) -> participation.Joined:
    try:
        return await participation.join(
            session,
            study,
            participation.Joining(
                join_key=joining.join_key,
                consent_version=joining.consent_version,
                language=language_of(study, joining.language),
                kind=joining.kind,
                invitation=joining.invitation,
                panel=joining.panel,
                current=current,
                hosted=hosted,
            ),
        )
    except participation.OtherConsentError as error:
        raise ProblemError(
            409,
            "consent-changed",
            "The consent text has changed.",
            field="consent_version",
            remedy="Load the page again and read the current text.",
        ) from error
    except participation.InvitationNeededError as error:
        raise ProblemError(
            403,
            "invitation-needed",
            "This study is for invited participants.",
            field="invitation",
            remedy="Open the link in your invitation.",
        ) from error
    except invitation.UnknownInvitationError as error:
        raise ProblemError(
            403,
            "invitation-unknown",
            "This invitation is not known.",
            field="invitation",
            remedy="Open the link exactly as you received it.",
        ) from error
    except invitation.UsedInvitationError as error:
        raise ProblemError(
            403,
            "invitation-used",
            "This invitation has been used.",
            field="invitation",
            remedy="Ask whoever invited you for another one.",
        ) from error
    except tuple(REFUSALS) as error:
        refusal = REFUSALS[type(error)]
        raise refusal() from error
