"""The check that nothing a participant receives tells a condition, a member or a kind of trial.

Takes recorded exchanges and names every leak it finds. What it searches for,
as substrings and in any case, plain, encoded and hashed, is every word that
names a condition, a clip or a kind of trial. What it compares is everything
but the samples: status, header names, order and values, lengths, the WAV
header, and JSON bodies with the order of their keys.

SPDX-License-Identifier: Apache-2.0
"""

import base64
import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from httpx import Response

WAV_HEADER_BYTES = 44
# Shorter words turn up in random tokens by chance: 27 letters of 64, or 20 bytes when decoded.
LEAST_LETTERS_IN_TOKENS = 7
LEAST_LETTERS_DECODED = 5


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
        """The body without samples: of a recording, the header and whatever stands behind."""
        if not self.is_audio:
            return self.body
        samples = int.from_bytes(self.body[WAV_HEADER_BYTES - 4 : WAV_HEADER_BYTES], "little")
        return self.body[:WAV_HEADER_BYTES] + self.body[WAV_HEADER_BYTES + samples :]

    @property
    def text(self) -> str:
        """All of it that can be read."""
        lines = [self.request, *(f"{name}: {value}" for name, value in self.headers)]
        return "\n".join([*lines, self.readable.decode("latin-1")])


def record(response: Response) -> Exchange:
    """A response as the wire had it."""
    headers = tuple((n.decode().lower(), v.decode()) for n, v in response.headers.raw)
    request = f"{response.request.method} {response.request.url.raw_path.decode()}"
    return Exchange(request, response.status_code, headers, response.content)


@cache
def hashed(words: tuple[str, ...]) -> frozenset[str]:
    """The words' digests, as somebody might try to hide them."""
    found: set[str] = set()
    for word in words:
        for algorithm in (hashlib.md5, hashlib.sha1, hashlib.sha256):
            digest = algorithm(word.encode()).digest()
            found |= {digest.hex(), base64.urlsafe_b64encode(digest).decode().rstrip("=")}
    return frozenset(found)


def decoded(text: str) -> str:
    """What the text's tokens say as base64 of either alphabet, or as hexadecimal digits."""
    found = []
    for token in re.findall(r"[\w+/-]{6,}", text):
        plain = token.replace("-", "+").replace("_", "/")
        # A word may begin anywhere in what was encoded, and a token may be cut.
        for start in range(4):
            part = plain[start:]
            # One letter over says nothing, two or three lack their padding.
            part = part[:-1] if len(part) % 4 == 1 else part
            found.append(base64.b64decode(part + "=" * (-len(part) % 4)).decode("latin-1"))
        if re.fullmatch(r"(?:[0-9a-fA-F]{2})+", token):
            found.append(bytes.fromhex(token).decode("latin-1"))
    return "\n".join(found)


def leaks_in(exchange: Exchange, words: Iterable[str], opaque: Iterable[str]) -> list[str]:
    """Words found in one exchange; in random tokens only those that chance does not bring."""
    words = tuple(sorted(words))
    # A header's own name, not ours to choose.
    text = exchange.text.replace("cache-control", "")
    hidden = decoded(text).lower()
    in_tokens = text.lower()
    for token in sorted(opaque, key=len, reverse=True):
        text = text.replace(token, "")
    text = text.lower()
    found = [
        word
        for word in words
        if word in text or (len(word) >= LEAST_LETTERS_IN_TOKENS and word in in_tokens)
    ]
    found += [f"encoded {w}" for w in words if len(w) >= LEAST_LETTERS_DECODED and w in hidden]
    digests = [digest for digest in hashed(words) if digest.lower() in text]
    return [
        f"word: {name!r} in {exchange.request}"
        for name in [*found, *(f"digest {digest}" for digest in digests)]
    ]


def differences(one: Exchange, other: Exchange) -> list[str]:
    """Where the answers for two members differ beyond the samples."""
    found = []
    if one.status != other.status:
        found.append(f"status: {one.status} / {other.status}")
    for name in sorted({name for name, _ in one.headers + other.headers}):
        values = [[v for n, v in side.headers if n == name] for side in (one, other)]
        if values[0] != values[1]:
            found.append(f"header: {name} is {values[0]} / {values[1]}")
    if [name for name, _ in one.headers] != [name for name, _ in other.headers]:
        found.append("headers: in another order, or not the same ones")
    if len(one.body) != len(other.body):
        found.append(f"length: {len(one.body)} / {len(other.body)}")
    if one.is_audio and other.is_audio:
        if one.body[:WAV_HEADER_BYTES] != other.body[:WAV_HEADER_BYTES]:
            found.append("WAV header: not the same")
        if chunks(one.body) != chunks(other.body):
            found.append(f"WAV chunks: {chunks(one.body)} / {chunks(other.body)}")
    elif shape(one.body) != shape(other.body):
        found.append("body: not alike")
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


def riders(exchange: Exchange) -> list[str]:
    """What a recording's file holds beside format and samples, though all may hold it."""
    if not exchange.is_audio or [name for name, _ in chunks(exchange.body)] == [b"fmt ", b"data"]:
        return []
    return [f"WAV chunks: {chunks(exchange.body)} in {exchange.request}"]


def shape(body: bytes) -> Any:  # noqa: ANN401 (JSON)
    """JSON with each string replaced by its length, keys in their order."""

    def of(value: Any) -> Any:  # noqa: ANN401
        if isinstance(value, dict):
            return [(key, of(inner)) for key, inner in value.items()]
        if isinstance(value, list):
            return [of(inner) for inner in value]
        return ("text", len(value)) if isinstance(value, str) else value

    try:
        return of(json.loads(body))
    except ValueError:
        return body


# What tells one trial of a block from another to everybody: where it stands, not what it is.
OF_THE_PLACE = ("position", "introduction", "break_before")


def trial_differences(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """Where two trials of one block, of whatever kinds, are described differently."""
    found = []
    if list(one) != list(other):
        found.append(f"keys of a trial: {list(one)} / {list(other)}")
    for key in {**one, **other}:
        if key in OF_THE_PLACE:
            continue
        values = [shape(json.dumps(side.get(key)).encode()) for side in (one, other)]
        if key == "scale":
            values = [side.get(key) for side in (one, other)]
        if values[0] != values[1]:
            found.append(f"trial: {key} is {values[0]} / {values[1]}")
    return found
