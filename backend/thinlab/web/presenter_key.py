"""The presenter's token: in memory only, another at each start of `thinlab run`.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field


@dataclass(frozen=True)
class PresenterKey:
    """The token, and the cookie that stands for it."""

    token: str = field(default_factory=lambda: secrets.token_urlsafe(20), repr=False)

    @property
    def cookie(self) -> str:
        """What a browser keeps: it lives as long as the token, and does not tell it."""
        digest = hmac.new(self.token.encode(), b"presenter's session", hashlib.sha256)
        return digest.hexdigest()

    def is_token(self, given: str) -> bool:
        """Takes equally long for every wrong one."""
        return hmac.compare_digest(given.encode(), self.token.encode())

    def is_cookie(self, given: str | None) -> bool:
        """The same for a cookie."""
        return given is not None and hmac.compare_digest(given.encode(), self.cookie.encode())
