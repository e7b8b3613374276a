"""Routes of a participant's session as a whole: how far it is, and withdrawal.

SPDX-License-Identifier: Apache-2.0
"""

from fastapi import APIRouter, Response

from thinlab.database.schema import Participant
from thinlab.participation import messages, withdrawal
from thinlab.participation import participant as participation
from thinlab.web import trial_messages
from thinlab.web.participant_credentials import Token, progress_of, unknown_participant
from thinlab.web.problems import problem_responses
from thinlab.web.services import Here

router = APIRouter(prefix="/api/participation", tags=["participant"])


@router.get("", operation_id="getParticipation", responses=problem_responses(401, 410, 503))
async def my_participation(token: Token, here: Here) -> messages.Participation:
    """How far this participant is, and what comes next."""
    async with here.database.transaction() as session:
        return trial_messages.participation(await progress_of(session, token))


@router.delete(
    "",
    operation_id="withdraw",
    status_code=204,
    responses=problem_responses(401, 503),
)
async def withdraw(token: Token, here: Here) -> Response:
    """Deletes all of this participant's answers. Takes either of their tokens."""
    async with here.database.transaction() as session:
        participant = await participation.by_either_token(session, token)
        if participant is None:
            raise unknown_participant()
        participant_id = participant.id
    # Before the rows are locked: what is being stored of the session waits for that lock.
    async with (
        here.live.switchboard.leaving(participant_id),
        here.database.transaction() as session,
    ):
        participant = await session.get_one(Participant, participant_id)
        typed = await withdrawal.withdraw(session, participant)
    here.live.store.remove(typed)
    return Response(status_code=204)
