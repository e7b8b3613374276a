"""Who asks: the participant behind a request's bearer token.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated

from fastapi import Depends, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Participant
from thinlab.participation import participant as participation
from thinlab.trials.registry import KINDS
from thinlab.web.problems import ProblemError
from thinlab.web.throttle import found_somebody

bearer = HTTPBearer(auto_error=False, scheme_name="participant", description="`participant_token`.")


def unknown_participant() -> ProblemError:
    """401: no participant has this token, or none was sent."""
    return ProblemError(
        401,
        "unknown-participant",
        "This participation is not known.",
        remedy="Open the study's address again.",
        headers={"WWW-Authenticate": "Bearer"},
    )


async def participant_token(
    credentials: Annotated[HTTPAuthorizationCredentials | None, Security(bearer)],
) -> str:
    """The bearer token of a request, not yet looked up."""
    if credentials is None:
        raise unknown_participant()
    return credentials.credentials


Token = Annotated[str, Depends(participant_token)]


async def participant_of(session: AsyncSession, token: str) -> Participant:
    """The participant; raises for a forged token and for who has withdrawn."""
    participant = await participation.by_token(session, token)
    if participant is None:
        raise unknown_participant()
    if participant.withdrawn_at is not None:
        raise participation.WithdrawnError
    found_somebody()
    return participant


async def progress_of(session: AsyncSession, token: str) -> participation.Progress:
    """How far the participant is; raises as `participant_of`."""
    return await participation.progress(session, await participant_of(session, token), KINDS)
