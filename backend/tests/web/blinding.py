"""The check that nothing a participant receives tells the two members of a pair apart.

Takes recorded exchanges and names every leak it finds. What it compares is
everything but the samples: status, header names, order and values, lengths,
the WAV header, and the shape of every JSON body. What it searches for, as
substrings and in any case, is every word that names a condition.

SPDX-License-Identifier: Apache-2.0
"""

import base64
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from httpx import Response

WAV_HEADER_BYTES = 44


@dataclass(frozen=True)
class Exchange:
    """One response, with the request it answered."""

    request: str
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes

    @property
    def is_audio(self) -> bool:
        """Whether the body is a recording."""
        return self.body[:4] == b"RIFF"

    @property
    def readable(self) -> bytes:
        """The body without samples."""
        return self.body[:WAV_HEADER_BYTES] if self.is_audio else self.body


def record(response: Response) -> Exchange:
    """A response as the wire had it."""
    headers = tuple((n.decode().lower(), v.decode()) for n, v in response.headers.raw)
    request = f"{response.request.method} {response.request.url.raw_path.decode()}"
    return Exchange(request, response.status_code, headers, response.content)


def hashed(words: Iterable[str]) -> set[str]:
    """The words' digests, as somebody might try to hide them."""
    found = set()
    for word in words:
        for algorithm in (hashlib.md5, hashlib.sha1, hashlib.sha256):
            digest = algorithm(word.encode()).digest()
            found |= {digest.hex(), base64.urlsafe_b64encode(digest).decode().rstrip("=")}
        found.add(base64.b64encode(word.encode()).decode().rstrip("="))
    return found


def leaks_in(exchange: Exchange, words: Iterable[str], opaque: Iterable[str]) -> list[str]:
    """Words found in one exchange; random tokens are cut out first."""
    text = "\n".join(
        [exchange.request, *(f"{n}: {v}" for n, v in exchange.headers)]
    ) + exchange.readable.decode("latin-1")
    for token in sorted(opaque, key=len, reverse=True):
        text = text.replace(token, "")
    # A header's own name, not ours to choose.
    text = text.lower().replace("cache-control", "")
    named = {*words, *hashed(words)}
    return [f"{exchange.request}: {word!r}" for word in sorted(named) if word.lower() in text]


def differences(one: Exchange, other: Exchange) -> list[str]:
    """Where the answers for two members differ beyond the samples."""
    found = []
    if one.status != other.status:
        found.append(f"status {one.status} / {other.status}")
    if one.headers != other.headers:
        found.append(f"headers {set(one.headers) ^ set(other.headers) or 'in another order'}")
    if len(one.body) != len(other.body):
        found.append(f"length {len(one.body)} / {len(other.body)}")
    if one.is_audio and other.is_audio:
        if one.readable != other.readable:
            found.append("WAV header")
        if chunks(one.body) != chunks(other.body):
            found.append(f"WAV chunks {chunks(one.body)} / {chunks(other.body)}")
    elif shape(one.body) != shape(other.body):
        found.append("body")
    return found


def chunks(body: bytes) -> list[tuple[bytes, int]]:
    """A WAV file's chunks: nothing may ride along beside format and samples."""
    found, at = [], 12
    while at + 8 <= len(body):
        size = int.from_bytes(body[at + 4 : at + 8], "little")
        found.append((body[at : at + 4], size))
        at += 8 + size
    if at != len(body):
        found.append((b"rest", len(body) - at))
    return found


def shape(body: bytes) -> Any:  # noqa: ANN401 (JSON)
    """JSON with each string replaced by its length: what must not depend on the member."""

    def of(value: Any) -> Any:  # noqa: ANN401
        if isinstance(value, dict):
            return {key: of(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [of(inner) for inner in value]
        return ("text", len(value)) if isinstance(value, str) else value

    try:
        return of(json.loads(body))
    except ValueError:
        return body


def without_token(exchange: Exchange, token: str) -> Exchange:
    """The exchange with a token of equal length for all."""
    return replace(exchange, request=exchange.request.replace(token, "·"))
