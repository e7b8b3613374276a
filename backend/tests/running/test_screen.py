"""What `thinlab run` prints: what people and scripts look for.

SPDX-License-Identifier: Apache-2.0
"""

import io
from typing import Any

from rich.console import Console

from thinlab.running.run import room_origin
from thinlab.running.screen import Screen

ADDRESS = "http://127.0.0.1:8000"


def printed(*events: dict[str, Any], room: str | None = None) -> str:
    """Everything on a screen that is no terminal."""
    out = io.StringIO()
    with Screen(ADDRESS, Console(file=out, soft_wrap=True), room=room) as screen:
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


def test_the_presenters_address_and_where_the_audience_can_join() -> None:
    told = loaded(None) | {"presenter_token": "t0ken"}
    here = printed(told, {"event": "listening"})
    assert f"Live demo:    {ADDRESS}/demo#present=t0ken\n" in here
    assert "HOST=0.0.0.0" in here
    room = printed(told, {"event": "listening"}, room="http://192.0.2.7:8000")
    assert f"Live demo:    {ADDRESS}/demo#present=t0ken\n" in room
    assert "phones join at http://192.0.2.7:8000/d/" in room
    assert "HOST=0.0.0.0" not in room
    assert str(room_origin("127.0.0.1", 8000, secure=False)) == ADDRESS
    room_here = str(room_origin("0.0.0.0", 8000, secure=True))  # noqa: S104
    assert room_here.startswith("https://")
    assert room_here.endswith(":8000")


def test_a_certificate_of_the_servers_own_making_can_be_compared() -> None:
    fingerprint = ":".join(f"{number:02X}" for number in range(32))
    event = {"event": "certificate", "fingerprint": fingerprint, "self_made": True}
    said = printed(event, loaded(None), {"event": "listening"}, event)
    assert "00:01:02:03:04:05:06:07:08:09:0A:0B:0C:0D:0E:0F\n" in said
    assert "10:11:12:13:14:15:16:17:18:19:1A:1B:1C:1D:1E:1F\n" in said
    assert "another certificate" not in said
    renewed = event | {"fingerprint": fingerprint[::-1]}
    assert "another certificate now" in printed(loaded(None), {"event": "listening"}, renewed)
    # Others vouch for it: nobody need compare anything.
    vouched = printed(event | {"self_made": False}, loaded(None), {"event": "listening"})
    assert "Certificate" not in vouched


def test_a_certificate_that_spells_a_pictograph_is_shown_as_it_is() -> None:
    """`:AB:` and `:CD:` are names of pictographs to the library that prints."""
    fingerprint = ":".join(("AB", "CD", "EF", "0A") * 8)
    event = {"event": "certificate", "fingerprint": fingerprint, "self_made": True}
    said = printed(event, loaded(None), {"event": "listening"})
    assert said.count("AB:CD:EF:0A:AB:CD:EF:0A:AB:CD:EF:0A:AB:CD:EF:0A\n") == 2


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


def test_a_certificate_that_is_not_to_be_had() -> None:
    said = printed({"event": "no-certificate", "reason": "port 80 leads elsewhere"})
    assert "no certificate that browsers know yet: port 80 leads elsewhere." in said
    assert "asked for every hour" in said
