"""Feeds from before a state said its settings in words: told as they would be today.

SPDX-License-Identifier: Apache-2.0
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from thinlab.condition.transport import Bundling
from thinlab.demo.setting import DemoSettings
from thinlab.demo.wording import SettingsWords

STATE = b'{"type":"state"'
WORDS = b'"words":{'


def in_words(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Whole lines of a feed, each state with its words."""
    for piece in pieces:
        if STATE not in piece:
            yield piece
            continue
        yield b"".join(_told(line) for line in piece.splitlines(keepends=True))


def _told(line: bytes) -> bytes:
    if not line.startswith(STATE) or WORDS in line:
        return line
    state: dict[str, Any] = json.loads(line)
    plain = Bundling().model_dump(mode="json")
    lanes = [{"bundling": plain} | lane for lane in state["lanes"]]
    settings = DemoSettings.model_validate(
        {
            "path": state["path"],
            "stream": state["stream"],
            "lanes": [
                {
                    "name": lane["name"] if lane["named"] else None,
                    "baseline": lane["baseline"],
                    "mechanisms": lane["mechanisms"],
                    "bundling": lane["bundling"],
                }
                for lane in lanes
            ],
        }
    )
    words = SettingsWords.of(settings).model_dump(mode="json")
    told = state | {"lanes": lanes, "words": words}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
