"""Whether the lab's own machines had a hand in votes on what was typed.

A session of which a key waited too long for them is void and typed again. That mends the delay and
not the participant, who has typed once more than the others; and a host that spoils some sessions
has hardly been well in all others.

SPDX-License-Identifier: Apache-2.0
"""

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.analysis.sessions.findings import TypedFigures, TypedSessions
from thinlab.analysis.wording import counted
from thinlab.database.schema import Participant, Presentation, Study, TypingSession
from thinlab.live.host_waits import BY_HOST
from thinlab.settings import HOST_WAIT_LIMIT_MS


async def of_study(
    session: AsyncSession, slug: str, *, excluded: frozenset[int], kinds: frozenset[str]
) -> TypedSessions | None:
    """Those of participants who are analysed; none where nobody has typed."""
    done, void = TypingSession.state == "done", TypingSession.state == "void"
    by_host = TypingSession.reason.in_(BY_HOST)
    rows = (
        await session.execute(
            select(
                func.count().filter(done).label("done"),
                func.count().filter(void).label("void"),
                func.count().filter(void, by_host).label("void_by_host"),
                func.count(Participant.id.distinct())
                .filter(void, by_host)
                .label("participants_typed_again"),
                func.count()
                .filter(done, TypingSession.emulator_trustworthy.is_(False))
                .label("late_emulators"),
                func.count()
                .filter(done, TypingSession.host_wait_max_ms.is_(None))
                .label("unmeasured"),
                func.max(TypingSession.host_wait_max_ms).filter(done).label("host_wait_max_ms"),
                func.max(TypingSession.host_wait_max_ms).filter(void).label("void_wait_max_ms"),
            )
            .join(Presentation, Presentation.id == TypingSession.presentation_id)
            .join(Participant, Participant.id == Presentation.participant_id)
            .join(Study, Study.id == Participant.study_id)
            .where(
                Study.slug == slug,
                Participant.kind.in_(kinds),
                Participant.completed_at.is_not(None),
                Participant.id.not_in(excluded),
                Presentation.training.is_(False),
            )
        )
    ).mappings()
    figures = TypedFigures.model_validate(dict(rows.one()))
    return found(figures) if figures.done or figures.void else None


def found(figures: TypedFigures) -> TypedSessions:
    """What the figures come to. Pure."""
    waited = figures.host_wait_max_ms is not None and figures.host_wait_max_ms > HOST_WAIT_LIMIT_MS
    count, were = "counts" if figures.done == 1 else "count", "was" if figures.void == 1 else "were"
    said = [f"{counted(figures.done, 'typing session')} {count}; {figures.void} more {were} void"]
    if figures.void_by_host:
        said[0] += (
            f", {figures.void_by_host} of them for what our machines did, so that "
            f"{counted(figures.participants_typed_again, 'participant')} typed a session again"
        )
    if figures.host_wait_max_ms is not None:
        said.append(
            "The longest that a key waited for our machines was "
            f"{figures.host_wait_max_ms:.0f} ms where it counts"
        )
    if figures.void_wait_max_ms is not None:
        said.append(f"In those that are void it was {figures.void_wait_max_ms:.0f} ms")
    if figures.late_emulators:
        said.append(f"In {figures.late_emulators} of those that count the emulator was late")
    if figures.unmeasured:
        said.append(f"In {figures.unmeasured} of those that count no key's wait was measured")
    return TypedSessions(
        **figures.model_dump(),
        spoilt=bool(figures.void_by_host or figures.late_emulators or waited),
        sentence=". ".join(said) + ".",
    )
