"""What `thinlab run` prints: what people and scripts look for.

SPDX-License-Identifier: Apache-2.0
"""

import io
from typing import Any

from rich.console import Console

from thinlab.running.screen import Screen

ADDRESS = "http://127.0.0.1:8000"


def printed(*events: dict[str, Any]) -> str:
    """Everything on a screen that is no terminal."""
    out = io.StringIO()
    with Screen(ADDRESS, Console(file=out, soft_wrap=True)) as screen:
        for event in events:
            screen.show(event)
    return out.getvalue()


def loaded(token: str | None, *unrecorded: str) -> dict[str, Any]:
    event = {"event": "loaded", "studies": ["demo"], "setup_token": token}
    return event | {"unrecorded": list(unrecorded)}


def making(done: int, sessions: int, *problems: str) -> dict[str, Any]:
    event = {"event": "making", "done": done, "total": 5, "share": done / 5}
    return event | {"sessions": sessions, "problems": list(problems)}


def test_addresses() -> None:
    first = printed(loaded("token"), {"event": "listening"})
    assert f"Participant:  {ADDRESS}/s/demo\n" in first
    assert f"Researcher:   {ADDRESS}/researcher#setup=token\n" in first
    later = printed(loaded(None), {"event": "listening"}, {"event": "listening"})
    assert f"Researcher:   {ADDRESS}/researcher\n" in later
    assert "The web server is back." in later


def test_studies_without_recordings_are_told_apart() -> None:
    said = printed(loaded("token", "one", "two"), {"event": "listening"})
    assert "Not yet recorded: one, two" in said
    assert f"{ADDRESS}/s/one" not in said
    assert "Not yet recorded" not in printed(loaded("token"), {"event": "listening"})


def test_only_real_recording_is_shown() -> None:
    assert printed(making(0, 0), making(5, 0)).strip() == ""
    said = printed(making(0, 1), making(3, 5), making(5, 5))
    assert said.count("Recording the studies' clips (5)") == 1
    assert said.count("All 5 recordings are made.") == 1


def test_a_problem_is_said_once() -> None:
    said = printed(making(1, 5, "no [kernel]"), making(5, 5, "no [kernel]"))
    assert said.count("A recording failed: no [kernel]") == 1
    assert "some failed" in said
