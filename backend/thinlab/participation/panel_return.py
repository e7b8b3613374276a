"""What a panel is told of each outcome: kept here, out of every study file, until it is earned.

SPDX-License-Identifier: Apache-2.0
"""

import re
from collections.abc import Mapping
from typing import Annotated
from urllib.parse import quote, urlsplit

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import PanelReturn, PanelSeat
from thinlab.participation.messages import PanelEnd
from thinlab.study.panel import REPORTED, Outcome, Panel, Provider

PLACE = re.compile(r"\{(\w*)\}")
PLACES = ("participant", "session", "batch", "code")
# For a stand-in of a panel on the researcher's own machine.
OWN_MACHINE = {"127.0.0.1", "::1", "localhost"}


class Return(BaseModel):
    """What a panel is told of one outcome."""

    model_config = ConfigDict(extra="forbid")

    code: Annotated[str, Field(min_length=1, max_length=100, pattern=r"^\S+$")] | None = Field(
        default=None, description="As the panel gives it, or as it was told."
    )
    url: Annotated[str, Field(min_length=1, max_length=2000, pattern=r"^\S+$")] | None = Field(
        default=None,
        description="Where it leads back to. `{participant}`, `{session}`, `{batch}` and `{code}` "
        "are filled in; null: where this panel's codes lead, if they do.",
    )


class WrongUrlError(ValueError):
    """An address that nobody can be sent to; the text says what is wrong, and the remedy."""

    def __init__(self, outcome: Outcome, why: str, remedy: str) -> None:
        super().__init__(why)
        self.outcome = outcome
        self.remedy = remedy


async def of_study(session: AsyncSession, slug: str) -> dict[Outcome, Return]:
    """What was entered, by outcome; every outcome that a panel is told is there."""
    rows = await session.scalars(select(PanelReturn).where(PanelReturn.slug == slug))
    entered = {Outcome(row.outcome): Return(code=row.code, url=row.url) for row in rows}
    return {outcome: entered.get(outcome, Return()) for outcome in REPORTED}


async def enter(
    session: AsyncSession, slug: str, panel: Panel, returns: Mapping[Outcome, Return]
) -> None:
    """Replaces all that was entered. Raises `WrongUrlError`."""
    rows = [
        PanelReturn(
            slug=slug,
            outcome=outcome.value,
            code=one.code,
            url=None if one.url is None else _checked(outcome, one.url, panel.known),
        )
        for outcome, one in returns.items()
        if one.code is not None or one.url is not None
    ]
    await session.execute(delete(PanelReturn).where(PanelReturn.slug == slug))
    session.add_all(rows)
    await session.flush()


def _checked(outcome: Outcome, url: str, known: Provider) -> str:
    if known.id_written is not None:
        # As the panel gives it, `…&survey_code=XXXX`.
        url = re.sub(rf"={re.escape(known.id_written)}(?=&|$)", "={participant}", url)
    for place in PLACE.findall(url):
        if place not in PLACES:
            listed = ", ".join(f"{{{one}}}" for one in PLACES)
            raise WrongUrlError(outcome, f"nothing fills `{{{place}}}` in", f"There are: {listed}")
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        parts, host = None, None
    is_safe = parts is not None and (
        parts.scheme == "https" or (parts.scheme == "http" and host in OWN_MACHINE)
    )
    if not host or not is_safe or PLACE.search(host):
        raise WrongUrlError(
            outcome, "this is no address of a panel", "Give the whole of it, from `https://` on"
        )
    return url


async def end_of(
    session: AsyncSession, panel: Panel, seat: PanelSeat, own_code: str | None = None
) -> PanelEnd | None:
    """What somebody is sent who has come to an end; none as long as they have not.

    `own_code`: the completion code of theirs alone, where the panel has no code for all.
    """
    if seat.outcome is None:
        return None
    row = await session.get(PanelReturn, (seat.slug, seat.outcome))
    code = (row.code if row else None) or own_code
    url = row.url if row else None
    if url is None and row is not None and row.code is not None:
        url = panel.known.return_url
    return PanelEnd(outcome=Outcome(seat.outcome), code=code, url=url and _filled(url, seat, code))


def _filled(url: str, seat: PanelSeat, code: str | None) -> str:
    values = {
        "participant": seat.panel_participant,
        "session": seat.panel_session,
        "batch": seat.panel_batch,
        "code": code,
    }
    # One pass: what is filled in is never read as a place again.
    return PLACE.sub(lambda place: quote(values.get(place[1]) or "", safe=""), url)
