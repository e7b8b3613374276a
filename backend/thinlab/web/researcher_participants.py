"""Routes over participants: who they are in a study, who is left out, who is invited.

SPDX-License-Identifier: Apache-2.0
"""

from fastapi import APIRouter, Response

from thinlab.monitoring import exclusion, roster
from thinlab.monitoring.roster import ParticipantRow
from thinlab.participation import invitation
from thinlab.participation.invitation import InvitationRow
from thinlab.researcher import audit
from thinlab.researcher.audit import Act
from thinlab.web import researcher_messages as messages
from thinlab.web.named_study import named
from thinlab.web.problems import ProblemError, problem_responses
from thinlab.web.services import Here

router = APIRouter(prefix="/studies/{slug}")


@router.get(
    "/participants", operation_id="listParticipants", responses=problem_responses(401, 404, 503)
)
async def participants(slug: str, here: Here) -> list[ParticipantRow]:
    """Everybody in the study, by pseudonym; never how they voted."""
    async with here.database.transaction() as session:
        return await roster.of_study(session, await named(session, slug))


@router.post(
    "/participants/{pseudonym}/exclusions",
    operation_id="enterExclusion",
    status_code=204,
    responses=problem_responses(401, 404, 409, 422, 503),
)
async def enter_exclusion(
    slug: str, pseudonym: str, asked: messages.ExclusionAsked, here: Here
) -> Response:
    """Leaves a participant out of the analysis, or takes them in again. Deletes nothing."""
    async with here.database.transaction() as session:
        study = await named(session, slug)
        try:
            await exclusion.enter(
                session, study.slug, pseudonym, excluded=asked.excluded, reason=asked.reason
            )
        except exclusion.UnknownParticipantError as error:
            raise ProblemError(
                404, "no-such-participant", "The study has no such participant."
            ) from error
        except exclusion.AlreadyError as error:
            raise ProblemError(
                409,
                "not-now",
                "This participant is left out already."
                if asked.excluded
                else "This participant was not left out by you.",
                detail=""
                if asked.excluded
                else "Only a changed study file readmits those whom a declared rule leaves out.",
            ) from error
        # Of whom, the study's own log tells, for as long as that may be known.
        act = Act.PARTICIPANT_LEFT_OUT if asked.excluded else Act.PARTICIPANT_TAKEN_IN
        await audit.enter(session, act, study=study.slug)
    return Response(status_code=204)


@router.get(
    "/invitations", operation_id="listInvitations", responses=problem_responses(401, 404, 503)
)
async def invitations(slug: str, here: Here) -> list[InvitationRow]:
    """All invitations, used and unused; their links are not kept."""
    async with here.database.transaction() as session:
        return await invitation.of_study(session, (await named(session, slug)).slug)


@router.post(
    "/invitations",
    operation_id="makeInvitations",
    status_code=201,
    responses=problem_responses(401, 404, 422, 503),
)
async def make_invitations(
    slug: str, asked: messages.InvitationsAsked, here: Here
) -> messages.InvitationsMade:
    """Makes links for one person each and shows them, for the only time."""
    async with here.database.transaction() as session:
        study = await named(session, slug)
        made = await invitation.create(session, study.slug, count=asked.count, label=asked.label)
        await audit.enter(session, Act.INVITATIONS_MADE, study=study.slug, count=asked.count)
    return messages.InvitationsMade(
        label=asked.label, paths=[f"/s/{study.slug}#i={token}" for token in made]
    )
