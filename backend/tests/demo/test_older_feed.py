"""Feeds that were kept before a state said its settings in words.

SPDX-License-Identifier: Apache-2.0
"""

import json

from thinlab.demo.older_feed import in_words
from thinlab.demo.presets import FIRST


def lines(*messages: object) -> bytes:
    """As a feed's file has them."""
    return b"".join(json.dumps(one, separators=(",", ":")).encode() + b"\n" for one in messages)


def test_a_state_from_before_is_told_in_words() -> None:
    settings = FIRST.model_dump(mode="json")
    older = [
        {"lane": at, "named": False, "name": "x", "baseline": one["baseline"]}
        | {"mechanisms": one["mechanisms"]}
        for at, one in enumerate(settings["lanes"])
    ]
    state = {"type": "state", "title": "Über", "path": settings["path"], "lanes": older}
    state |= {"stream": settings["stream"]}
    moment = {"type": "moment", "at_ms": 1}
    (told,) = in_words([lines(moment, state, moment)])
    first, now, last = (json.loads(line) for line in told.splitlines())
    assert first == last == moment
    assert now["title"] == "Über"
    assert now["words"] == {
        "path": "each way 65 ms, 2 % lost",
        "path_in_full": "each way delay 65 ms, loss 2 %",
        "stream": "the clip “speech”",
        "senders": [
            "No mechanism, on NewReno (2008)",
            "Linear timeouts, early fast retransmit, bundling, on NewReno (2008)",
        ],
    }
    assert now["lanes"][0]["bundling"]["max_bytes"] == 0


def test_what_has_words_is_left_as_it_is() -> None:
    kept = lines({"type": "state", "words": {"path": "as it was said then"}})
    assert list(in_words([kept])) == [kept]
