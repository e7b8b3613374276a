"""Routes of the presenter's demos: what there is, start one, hear and speak in it, share it.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response

from thinlab.condition.transport import OFF, SETS
from thinlab.condition.words import mode_title
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.demo import catalogue
from thinlab.demo.audience import LISTENERS_LIMIT
from thinlab.demo.demo import Demo
from thinlab.demo.demos import TooManyDemosError
from thinlab.demo.limits import LENGTH_LIMIT_MS, SIZE_LIMIT_BYTES
from thinlab.demo.options import DemoLimits, DemoOptions, ModeOption
from thinlab.demo.part import LANES_LIMIT
from thinlab.demo.possible import (
    UnfitError,
    baselines_here,
    clips_of,
    editors_of,
    mechanisms_here,
)
from thinlab.demo.presets import PRESETS, SET_UPS
from thinlab.demo.state import DemoProblem
from thinlab.demo.stored import DemoDetails
from thinlab.lab.live_hosts import NoHostError
from thinlab.researcher import access_token, audit, sessions
from thinlab.researcher.access_token import Purpose
from thinlab.researcher.audit import Act, By
from thinlab.researcher.sessions import Role
from thinlab.web import demo_archive
from thinlab.web import demo_messages as messages
from thinlab.web.demo_sound import answered
from thinlab.web.presenter_session import COOKIE, may_present, require_presenter
from thinlab.web.problems import ProblemError, problem_responses
from thinlab.web.researcher_session import end_session, same_origin, signed_in
from thinlab.web.services import Here, Services
from thinlab.web.wrong_secret import wrong_secret

router = APIRouter(tags=["presenter"], dependencies=[Depends(same_origin)])
outside = APIRouter(prefix="/api/demos")
inside = APIRouter(prefix="/api/demos", dependencies=[Depends(require_presenter)])
NO_HOST_REMEDY = "Start the live lab with a guest for demos: lab-agent boot --clock real --demos 1."
DemoId = Annotated[int, Path(ge=1, le=2**63 - 1)]


@outside.get("/presenter", operation_id="getPresenter", responses=problem_responses(503))
async def presenter(
    allowed: Annotated[bool, Depends(may_present)],
    researcher: Annotated[bool, Depends(signed_in)],
) -> messages.PresenterAccess:
    """Whether this browser may present."""
    return messages.PresenterAccess(allowed=allowed, researcher=researcher)


@outside.post(
    "/presenter",
    operation_id="becomePresenter",
    status_code=204,
    responses=problem_responses(403, 422),
)
async def become_presenter(
    given: messages.PresenterToken, request: Request, here: Here
) -> Response:
    """Exchanges the printed token for a session, an HttpOnly cookie."""
    async with here.database.transaction() as session:
        began: str | None = None
        if await access_token.is_right(session, Purpose.PRESENTER, given.token):
            await audit.enter(session, Act.PRESENTER_ADMITTED, By.PRESENTER)
            began = await sessions.begin(session, Role.PRESENTER)
    if began is None:
        raise await wrong_secret(here, Act.PRESENTER_TOKEN_REFUSED)
    response = Response(status_code=204)
    COOKIE.put(response, began, request, None)
    return response


@outside.delete(
    "/presenter", operation_id="stopPresenting", status_code=204, responses=problem_responses(503)
)
async def stop_presenting(request: Request, here: Here) -> Response:
    """Ends this browser's session."""
    return await end_session(COOKIE, Role.PRESENTER, request, here)


@inside.get("/options", operation_id="getDemoOptions", responses=problem_responses(401, 503))
async def options(here: Here) -> DemoOptions:
    """What a demo can be made of."""
    demos = here.demos
    try:
        description, problem = demos.host_description(), None
    except NoHostError as error:
        description = pb.HostDescription()
        problem = DemoProblem(text=str(error), remedy=NO_HOST_REMEDY)
    return DemoOptions(
        presets=list(PRESETS),
        clips=clips_of(here.clips),
        mechanisms=mechanisms_here(description),
        modes=[
            ModeOption(name=name, title=mode_title(name), mechanisms=list(mechanisms))
            for name, mechanisms in {OFF: (), **SETS}.items()
        ],
        baselines=baselines_here(description),
        editors=editors_of(description),
        limits=DemoLimits(
            lanes=LANES_LIMIT,
            running=demos.running_limit,
            length_ms=LENGTH_LIMIT_MS,
            size_bytes=SIZE_LIMIT_BYTES,
            listeners=LISTENERS_LIMIT,
        ),
        set_ups=list(SET_UPS),
        problem=problem,
    )


@inside.get("", operation_id="listDemos", responses=problem_responses(401, 503))
async def listed(here: Here) -> messages.DemoList:
    """Running and past ones, newest first."""
    running = {demo.demo_id: demo for demo in here.demos.running()}
    async with here.database.transaction() as session:
        return messages.DemoList(demos=await catalogue.summaries(session, running))


@inside.post(
    "",
    operation_id="startDemo",
    status_code=201,
    responses=problem_responses(401, 403, 409, 422, 503),
)
async def start(new: messages.NewDemo, request: Request, here: Here) -> DemoDetails:
    """Starts a demo: its first take is being opened when this is answered."""
    asked_at = f"{request.url.scheme}://{request.url.netloc}"
    origin = str(here.public_origin or request.headers.get("origin") or asked_at)
    try:
        demo = await here.demos.create(new.title, new.settings, origin)
    except NoHostError as error:
        raise ProblemError(
            503, "no-demo-host", "No demo can run now.", detail=str(error), remedy=NO_HOST_REMEDY
        ) from error
    except TooManyDemosError as error:
        raise ProblemError(
            409,
            "too-many-demos",
            "As many demos run as the lab has guests for.",
            remedy="Open the running one, or end it.",
        ) from error
    except UnfitError as error:
        field = f"settings.{error.field}" if error.field else None
        raise ProblemError(
            422,
            "unfit",
            "The demo cannot be started like this.",
            detail=error.text,
            field=field,
            remedy=error.remedy,
        ) from error
    return await _details(here, demo.demo_id)


@inside.get("/{demo_id}", operation_id="getDemo", responses=problem_responses(401, 404, 422, 503))
async def one(demo_id: DemoId, here: Here) -> DemoDetails:
    """A demo, running or past."""
    return await _details(here, demo_id)


async def _details(here: Services, demo_id: int) -> DemoDetails:
    running = here.demos.by_id(demo_id)
    async with here.database.transaction() as session:
        found = await catalogue.details(
            session, demo_id, running, here.demos.store, with_token=True
        )
    if found is None:
        raise demo_archive.no_such_demo()
    return found


@inside.delete(
    "/{demo_id}",
    operation_id="deleteDemo",
    status_code=204,
    responses=problem_responses(401, 403, 404, 409, 422, 503),
)
async def delete(demo_id: DemoId, here: Here) -> Response:
    """Deletes a demo that is over: its rows, its votes, its files."""
    if here.demos.by_id(demo_id) is not None:
        raise ProblemError(409, "demo-runs", "The demo still runs.", remedy="End it first.")
    async with here.database.transaction() as session:
        if not await catalogue.remove(session, demo_id):
            raise demo_archive.no_such_demo()
        await audit.enter(session, Act.DEMO_DELETED, By.PRESENTER, demo=demo_id)
    await demo_archive.off_the_disk(here.demos.store, demo_id)
    return Response(status_code=204)


@inside.post(
    "/{demo_id}/share",
    operation_id="shareDemo",
    responses=problem_responses(401, 403, 404, 422, 503),
)
async def share(demo_id: DemoId, here: Here) -> messages.SharedToken:
    """A token for the demo's replay: /demo/replay/TOKEN. The same each time."""
    async with here.database.transaction() as session:
        token = await catalogue.share(session, demo_id)
        if token is not None:
            await audit.enter(session, Act.DEMO_SHARED, By.PRESENTER, demo=demo_id)
    if token is None:
        raise demo_archive.no_such_demo()
    return messages.SharedToken(token=token)


@inside.delete(
    "/{demo_id}/share",
    operation_id="unshareDemo",
    status_code=204,
    responses=problem_responses(401, 403, 422, 503),
)
async def unshare(demo_id: DemoId, here: Here) -> Response:
    """The token leads nowhere any more."""
    async with here.database.transaction() as session:
        await catalogue.unshare(session, demo_id)
    return Response(status_code=204)


@inside.post(
    "/{demo_id}/listen",
    operation_id="offerConsoleSound",
    responses=problem_responses(401, 403, 404, 422, 503),
)
async def listen(demo_id: DemoId, offered: messages.SoundOffer, here: Here) -> messages.SoundAnswer:
    """Answers a console's offer to hear the demo; `listener` as in its `hello`."""
    demo = running_demo(here, demo_id)
    return messages.SoundAnswer(
        sdp=await answered(demo.audience.offered(offered.listener, offered.sdp, console=True))
    )


@inside.post(
    "/{demo_id}/microphone",
    operation_id="offerMicrophone",
    responses=problem_responses(401, 403, 404, 422, 503),
)
async def microphone(
    demo_id: DemoId, offered: messages.MicrophoneOffer, here: Here
) -> messages.SoundAnswer:
    """Answers a console's offer to be heard; it replaces whichever microphone there was."""
    demo = running_demo(here, demo_id)
    return messages.SoundAnswer(sdp=await answered(demo.microphone.answer(offered.sdp)))


def running_demo(here: Services, demo_id: int) -> Demo:
    """Raises the problem that says there is none."""
    demo = here.demos.by_id(demo_id)
    if demo is None:
        raise ProblemError(
            404, "no-running-demo", "This demo does not run.", remedy="Start another."
        )
    return demo


inside.include_router(demo_archive.inside)
router.include_router(outside)
router.include_router(inside)
