"""Whether the lab's own machines had a hand in votes on what was typed.

A session of which a key waited too long for them is void and typed again. That mends the delay and
not the participant, who has typed once more than the others; and a host that spoils some sessions
has hardly been well in all others.

SPDX-License-Identifier: Apache-2.0
"""

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.analysis.findings import TypedSessions
from thinlab.analysis.wording import counted
from thinlab.database.schema import Participant, Presentation, Study, TypingSession
from thinlab.study.host_waits import BY_HOST, LIMIT_MS


async def typed_sessions(
    session: AsyncSession, slug: str, *, excluded: frozenset[int], kinds: frozenset[str]
) -> TypedSessions | None:
    """Those of participants who are analysed; none where nobody has typed."""
    done, void = TypingSession.state == "done", TypingSession.state == "void"
    by_host = TypingSession.reason.in_(BY_HOST)
    row = (
        await session.execute(
            select(
                func.count().filter(done),
                func.count().filter(void),
                func.count().filter(void, by_host),
                func.count(Participant.id.distinct()).filter(void, by_host),
                func.count().filter(done, TypingSession.emulator_trustworthy.is_(False)),
                func.count().filter(done, TypingSession.host_wait_max_ms.is_(None)),
                func.max(TypingSession.host_wait_max_ms).filter(done),
                func.max(TypingSession.host_wait_max_ms).filter(void),
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
    ).one()
    return found(*row) if row[0] or row[1] else None


def found(  # noqa: PLR0913, PLR0917 - a row
    done: int,
    void: int,
    void_by_host: int,
    participants_typed_again: int,
    late_emulators: int,
    unmeasured: int,
    host_wait_max_ms: float | None,
    void_wait_max_ms: float | None,
) -> TypedSessions:
    """What the figures come to. Pure."""
    waited = host_wait_max_ms is not None and host_wait_max_ms > LIMIT_MS
    count, were = "counts" if done == 1 else "count", "was" if void == 1 else "were"
    said = [f"{counted(done, 'typing session')} {count}; {void} more {were} void"]
    if void_by_host:
        said[0] += (
            f", {void_by_host} of them for what our machines did, so that "
            f"{counted(participants_typed_again, 'participant')} typed a session again"
        )
    if host_wait_max_ms is not None:
        said.append(
            "The longest that a key waited for our machines was "
            f"{host_wait_max_ms:.0f} ms where it counts"
        )
    if void_wait_max_ms is not None:
        said.append(f"In those that are void it was {void_wait_max_ms:.0f} ms")
    if late_emulators:
        said.append(f"In {late_emulators} of those that count the emulator was late")
    if unmeasured:
        said.append(f"In {unmeasured} of those that count no key's wait was measured")
    return TypedSessions(
        done=done,
        void=void,
        void_by_host=void_by_host,
        participants_typed_again=participants_typed_again,
        late_emulators=late_emulators,
        unmeasured=unmeasured,
        host_wait_max_ms=host_wait_max_ms,
        void_wait_max_ms=void_wait_max_ms,
        spoilt=bool(void_by_host or late_emulators or waited),
        sentence=". ".join(said) + ".",
    )
