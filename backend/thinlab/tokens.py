"""Opaque names: random, without meaning, and as long as any other.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode
from uuid import UUID

# No vowels (no words by accident), no 0/O, 1/I/L: people copy these by hand.
CODE_LETTERS = "BCDFGHJKMNPQRSTVWXZ23456789"


def opaque() -> str:
    """160 random bits, 27 characters safe in a URL."""
    return secrets.token_urlsafe(20)


def participant_token(key: bytes, study_id: int, join_key: UUID) -> str:
    """The same token for the same browser's key, so that a lost answer can be asked for again."""
    return _derived(key, f"participant:{study_id}:{join_key}")


def withdraw_token(key: bytes, study_id: int, join_key: UUID) -> str:
    """Can do nothing but withdraw: fit to be kept where others may read it."""
    return _derived(key, f"withdraw:{study_id}:{join_key}")


def panel_hash(key: bytes, slug: str, panel_participant: str) -> bytes:
    """Recognises a panel's id in a study, and tells whoever lacks the key nothing about it."""
    message = f"panel:{slug}:{panel_participant}"
    return hmac.new(key, message.encode(), hashlib.sha256).digest()


def share_token(key: bytes, demo_id: int, share_key: UUID) -> str:
    """Leads to a demo's replay, until its share key is another."""
    return _derived(key, f"demo:{demo_id}:{share_key}")


def _derived(key: bytes, message: str) -> str:
    digest = hmac.new(key, message.encode(), hashlib.sha256).digest()
    return urlsafe_b64encode(digest).rstrip(b"=").decode()


def token_hash(token: str) -> bytes:
    """What is stored of a credential: enough to recognise it, useless to a thief."""
    return hashlib.sha256(token.encode()).digest()


def code(groups: int = 2, size: int = 4) -> str:
    """A code for people to copy, such as `K7QM-2XWD`."""
    return "-".join(
        "".join(secrets.choice(CODE_LETTERS) for _ in range(size)) for _ in range(groups)
    )
