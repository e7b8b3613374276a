"""Routes over a study's panel: what it is told, and whom to pay.

SPDX-License-Identifier: Apache-2.0
"""

from typing import Annotated

from fastapi import APIRouter, Query, Response
from pydantic import Field

from thinlab.export.panel_columns import panel_columns, seats
from thinlab.participation import panel_return, panel_seat
from thinlab.participation.panel_return import Return, WrongUrlError
from thinlab.researcher import audit
from thinlab.researcher.audit import Act
from thinlab.study.catalogue import StoredStudy
from thinlab.study.panel import REPORTED, Outcome, Panel, ProviderName
from thinlab.web.export import FILE, Form, all_at_once, on_record, table
from thinlab.web.named_study import named
from thinlab.web.problems import ProblemError, problem_responses
from thinlab.web.researcher_messages import Message
from thinlab.web.services import Here

router = APIRouter(prefix="/studies/{slug}")


class PanelReturn(Return):
    """What the panel is told of one outcome."""

    outcome: Outcome


class PanelSeats(Message):
    """How many have come to one outcome."""

    outcome: Outcome | None = Field(description="Null: under way.")
    count: int


class PanelReturns(Message):
    """What the panel is told of each outcome; one that is left out, nothing."""

    returns: Annotated[list[PanelReturn], Field(max_length=len(REPORTED))]


class PanelDesk(Message):
    """A study's panel: how people come from it, what it is told, and how many have come."""

    provider: ProviderName
    title: str | None = Field(description="The panel's name; null: any panel's.")
    path: str = Field(
        description="The study's address to give to the panel, with what it fills in."
    )
    parameters: list[str] = Field(description="Of the address, which carry the panel's ids.")
    deadline_minutes: int
    code_suffices: bool = Field(
        description="Whether this panel's codes lead back to it without an address."
    )
    returns: list[PanelReturn]
    seats: list[PanelSeats]


@router.get("/panel", operation_id="getPanel", responses=problem_responses(401, 404, 503))
async def panel(slug: str, here: Here) -> PanelDesk:
    """How people come from the panel, what it is told, and how many have come."""
    async with here.database.transaction() as session:
        study, its = _with_panel(await named(session, slug))
        found = await panel_seat.counts(session, slug)
        entered = await panel_return.of_study(session, slug)
    return PanelDesk(
        provider=its.provider,
        title=its.known.title,
        path=its.path(study.slug),
        parameters=list(its.named.values()),
        deadline_minutes=its.deadline_minutes,
        code_suffices=its.known.return_url is not None,
        returns=[
            PanelReturn(outcome=outcome, code=one.code, url=one.url)
            for outcome, one in entered.items()
        ],
        seats=[PanelSeats(outcome=one, count=found.get(one, 0)) for one in (None, *Outcome)],
    )


@router.put(
    "/panel",
    operation_id="setPanelReturns",
    status_code=204,
    responses=problem_responses(401, 404, 422, 503),
)
async def set_returns(slug: str, given: PanelReturns, here: Here) -> Response:
    """Replaces what the panel is told. Whoever ends from now on is sent this."""
    outcomes = [one.outcome for one in given.returns]
    for number, outcome in enumerate(outcomes):
        if outcome not in REPORTED or outcome in outcomes[:number]:
            raise _invalid(
                number,
                "outcome",
                "A panel is told of each outcome once, and of no withdrawal.",
                "Leave it out",
            )
    async with here.database.transaction() as session:
        study, its = _with_panel(await named(session, slug))
        try:
            await panel_return.enter(
                session, study.slug, its, {one.outcome: one for one in given.returns}
            )
        except WrongUrlError as error:
            raise _invalid(
                outcomes.index(error.outcome), "url", str(error).capitalize() + ".", error.remedy
            ) from error
        # That it was done, never what: codes are worth money.
        await audit.enter(session, Act.PANEL_RETURNS_SET, study=study.slug)
    return Response(status_code=204)


@router.get(
    "/panel-seats.{form}",
    operation_id="getPanelSeats",
    response_class=Response,
    responses={**FILE, **problem_responses(401, 404, 422, 503)},
)
async def panel_seats(
    slug: str,
    form: Form,
    here: Here,
    pseudonyms: Annotated[
        bool, Query(description="Whether it also says who somebody is in the other files.")
    ] = False,
) -> Response:
    """The list to pay by: each of the panel's ids, and what they came to."""
    async with here.database.transaction() as session:
        study, _ = _with_panel(await named(session, slug))
        found = await seats(session, study.slug)
        what = "panel-seats with pseudonyms" if pseudonyms else "panel-seats"
        await on_record(session, study.slug, what, form)
    return await table(
        f"{slug}-panel", form, panel_columns(pseudonyms=pseudonyms), all_at_once(found)
    )


def _with_panel(study: StoredStudy) -> tuple[StoredStudy, Panel]:
    panel = study.definition.panel
    if panel is None:
        raise ProblemError(
            404,
            "no-panel",
            "No panel sends anybody to this study.",
            remedy="Write a `panel` section into its file and start again.",
        )
    return study, panel


def _invalid(number: int, field: str, title: str, remedy: str) -> ProblemError:
    return ProblemError(
        422, "invalid", title, field=f"returns.{number}.{field}", remedy=f"{remedy}."
    )
