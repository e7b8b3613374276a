"""Routes of a typing session's link: an offer for a data channel, and a WebSocket.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated

from fastapi import APIRouter, Depends, WebSocket
from pydantic import Field

from thinlab.live import websocket
from thinlab.live.desk import RefusedError
from thinlab.live.webrtc import FullError, OfferError
from thinlab.participation.messages import Message
from thinlab.throttle.caller import Caller
from thinlab.web.participant_credentials import Token, unknown_participant
from thinlab.web.problems import ProblemError, problem_responses
from thinlab.web.services import Here, Services
from thinlab.web.throttle import caller_of

router = APIRouter(prefix="/api/live", tags=["participant"])

Description = Annotated[str, Field(min_length=1, max_length=32_768)]


class LinkOffer(Message):
    """A session description for one unordered data channel named `link`, without retransmits."""

    sdp: Description


class LinkAnswer(Message):
    """The server's description."""

    sdp: str


@router.post("/offer", operation_id="offerLink", responses=problem_responses(401, 410, 422, 503))
async def offer(
    offered: LinkOffer,
    token: Token,
    here: Here,
    caller: Annotated[Caller, Depends(caller_of)],
) -> LinkAnswer:
    """Answers a WebRTC offer; the link itself is opened by its first frame."""
    try:
        participant_id = await here.live.desk.participant_of(token)
        return LinkAnswer(sdp=await here.live.peers.answer(offered.sdp, participant_id, caller))
    except RefusedError as error:
        raise unknown_participant() from error
    except OfferError as error:
        raise ProblemError(
            422,
            "invalid",
            "The description is not one of a single data channel.",
            field="sdp",
            remedy="Use the WebSocket instead.",
        ) from error
    except FullError as error:
        raise ProblemError(
            503,
            "unavailable",
            "The server takes no more data channels at this moment.",
            remedy="Use the WebSocket instead.",
            headers={"Retry-After": "5"},
        ) from error


@router.websocket("/socket")
async def socket(connection: WebSocket) -> None:
    """A link's frames as text; the first one says hello."""
    here: Services = connection.app.state.services
    await connection.accept()
    await websocket.carry(connection, here.live.switchboard.welcome, caller_of(connection))
