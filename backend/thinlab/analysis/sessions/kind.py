"""Live sessions that votes rest on, as a kind of result: each kind of trial tells of its own.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator

from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.analysis.asked import Asked
from thinlab.analysis.findings import SessionFindings
from thinlab.analysis.result_kind import Case, Rank, ResultKind, Said
from thinlab.analysis.sessions.findings import SessionsPart

BySource = tuple[tuple[str, SessionFindings], ...]
"""Media with what is told of their sessions."""


class SessionsKind(ResultKind[SessionsPart, BySource]):
    """How sessions went, and whether our machines had a hand in votes."""

    name = "sessions"
    part = SessionsPart

    async def needed(self, session: AsyncSession, asked: Asked) -> BySource:
        """What the kinds of trials have to say."""
        return tuple(
            [
                (medium, found)
                for medium, trials in asked.trial_kinds.items()
                if (
                    found := await trials.session_findings(
                        session, asked.study.slug, excluded=asked.excluded, kinds=asked.kinds
                    )
                )
            ]
        )

    def found(self, case: Case, needed: BySource | None) -> SessionsPart:  # noqa: ARG002
        """As the kinds of trials say it."""
        return SessionsPart.model_validate(dict(needed or ()))

    def sentences(self, found: SessionsPart) -> Iterator[Said]:
        """What may have spoilt votes comes first; that all was well, last."""
        for medium in SessionsPart.model_fields:
            one: SessionFindings | None = getattr(found, medium)
            if one is not None:
                yield (Rank.WARNING if one.spoilt else Rank.NOTE), one.sentence
