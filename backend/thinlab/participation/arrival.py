"""Somebody from a panel at the study's door: who gets in, and who ends there.

SPDX-License-Identifier: Apache-2.0
"""

from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import PanelSeat
from thinlab.participation import panel_return, panel_seat, places
from thinlab.participation.messages import Arrived, PanelIds, Standing
from thinlab.study import study_state
from thinlab.study.catalogue import StoredStudy
from thinlab.study.panel import Outcome, Panel


class NoPanelError(Exception):
    """No panel sends anybody to this study."""


async def arrive(
    session: AsyncSession,
    study: StoredStudy,
    ids: PanelIds,
    *,
    language: str,
    declines: bool,
    current: bool,
) -> Arrived:
    """Where they stand. Whoever declines, or comes when all places are taken, has ended.

    `current`: whether the study still has its file. Raises `NoPanelError`.
    """
    panel = study.definition.panel
    if panel is None:
        raise NoPanelError
    seat = await panel_seat.find(session, study.slug, ids)
    if seat is None:
        if not declines and not await _is_full(session, study, language, current=current):
            return Arrived(standing=Standing.WELCOME, end=None)
        # Once more, while nobody else can take or give back a place.
        await places.lock(session, study.slug)
        seat = await panel_seat.find(session, study.slug, ids)
        if seat is None:
            outcome = Outcome.DECLINED
            if not declines:
                if not await _is_full(session, study, language, current=current):
                    return Arrived(standing=Standing.WELCOME, end=None)
                outcome = Outcome.FULL
            seat = await panel_seat.end_at_the_door(session, study.slug, ids, outcome)
    return await _standing(session, panel, seat, ids)


async def _is_full(
    session: AsyncSession, study: StoredStudy, language: str, *, current: bool
) -> bool:
    """Whether the study takes nobody more, for whatever reason; to a panel they are all one."""
    if not current or not study.definition.open or (await study_state.of(session, study)).closed:
        return True
    return await places.is_full(session, study, kind="person", language=language)


async def _standing(session: AsyncSession, panel: Panel, seat: PanelSeat, ids: PanelIds) -> Arrived:
    if seat.outcome is not None and not panel_seat.is_theirs(seat, ids):
        return Arrived(standing=Standing.TOOK_PART, end=None)
    if seat.participant_id is not None:
        return Arrived(standing=Standing.KNOWN, end=None)
    return Arrived(standing=Standing.ENDED, end=await panel_return.end_of(session, panel, seat))
