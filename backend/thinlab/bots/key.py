"""What a bot knows of a recording that it hears, by the SHA-256 of the bytes it downloaded.

The participant's contract tells nothing about a recording, to bots neither. So whoever runs the
bots makes this key beforehand with the researcher's session, and plants in it how much a bot likes
each condition: a bot then judges what it really got, by content alone.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Sound:
    """One recording, as a bot perceives it."""

    utility: float = 0.0
    """How good it sounds, in log odds on Davidson's scale."""
    says: str | int | None = None
    """The answer that a trapping clip asks for."""


class UnknownSoundError(Exception):
    """A recording that the key does not hold: the study was recorded anew, or another one runs."""


@dataclass(frozen=True)
class AnswerKey:
    """Sounds by the digest of their file."""

    sounds: Mapping[bytes, Sound] = field(default_factory=dict)
    barred: frozenset[tuple[str, str]] = frozenset()
    """Questions and options whose answer leaves somebody out of the analysis, or of the study."""
    screening: frozenset[tuple[str, str]] = frozenset()
    """Those of the latter."""

    def hear(self, wav: bytes) -> Sound:
        """What a file sounds like. Raises `UnknownSoundError`."""
        found = self.sounds.get(digest(wav))
        if found is None:
            raise UnknownSoundError(
                "a participant was given a recording that the researcher's list does not have; "
                "let the recordings be finished, then run the bots again"
            )
        return found


def digest(wav: bytes) -> bytes:
    """The name of a file in a key."""
    return hashlib.sha256(wav).digest()
