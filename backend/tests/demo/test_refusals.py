"""What is refused says in one shape what is wrong, and what to do.

SPDX-License-Identifier: Apache-2.0
"""

import uuid
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from tests.demo.conftest import SETTINGS, Stage
from thinlab.demo.audio_peer import FullError
from thinlab.demo.store import DemoStore

NEW: dict[str, Any] = {"title": "A demo", "settings": SETTINGS}
OFFER = {"sdp": "v=0", "listener": str(uuid.uuid4())}


async def refused(
    stage: Stage, status: int, method: str, path: str, body: dict[str, Any] | None = None
) -> dict[str, Any]:
    """The problem document."""
    answer = await stage.browser.request(method, path, json=body)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    problem: dict[str, Any] = answer.json()
    assert problem["status"] == status
    assert problem["title"]
    assert problem["detail"]
    return problem


async def test_a_demo_that_cannot_start_says_why_and_what_to_do(stage: Stage) -> None:
    stage.lab.demo_guests = 0
    await stage.hosts.look()
    problem = await refused(stage, 503, "POST", "/api/demos", NEW)
    assert "no guests for demos" in problem["detail"]
    assert "lab-agent boot" in problem["remedy"]
    stage.lab.demo_guests = 2
    await stage.hosts.look()
    absent = SETTINGS | {"stream": {"kind": "clip", "clip": "absent"}}
    problem = await refused(stage, 422, "POST", "/api/demos", NEW | {"settings": absent})
    assert (problem["field"], bool(problem["remedy"])) == ("settings.stream.clip", True)
    problem = await refused(stage, 422, "POST", "/api/demos", {"title": "A demo"})
    assert problem["field"] == "settings"


async def test_a_folder_that_cannot_be_written_is_no_database_that_is_away(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    # A file stands where a folder is to be.
    monkeypatch.setattr(stage.services.demos, "store", DemoStore(tmp_path / "file" / "demos"))
    problem = await refused(stage, 422, "POST", "/api/demos", NEW)
    assert "folder" in problem["detail"]
    assert str(tmp_path) in problem["remedy"]
    monkeypatch.setattr(DemoStore, "free_bytes", lambda _: 0)
    problem = await refused(stage, 422, "POST", "/api/demos", NEW)
    assert "disk" in problem["remedy"]


async def test_sound_that_is_refused_says_what_to_do(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    summary, _ = await stage.running()
    path = f"/api/demos/{summary['demo_id']}"
    for what, body in (("listen", OFFER), ("microphone", {"sdp": "v=0"})):
        problem = await refused(stage, 422, "POST", f"{path}/{what}", body)
        assert (problem["field"], bool(problem["remedy"])) == ("sdp", True)
        absent = await refused(stage, 404, "POST", f"/api/demos/4711/{what}", body)
        assert absent["remedy"]
    phone = await stage.phone(summary["code"])

    async def full(*_: object, **__: object) -> str:
        raise FullError

    monkeypatch.setattr(stage.demo(summary["demo_id"]).audience, "offered", full)
    body = OFFER | {"listener": phone.listener}
    problem = await refused(stage, 503, "POST", f"/api/audience/{summary['code']}/offer", body)
    assert problem["remedy"]


@pytest.mark.parametrize(
    ("status", "method", "path"),
    [
        (404, "GET", "/api/demos/4711"),
        (404, "GET", "/api/demos/4711/feed"),
        (404, "DELETE", "/api/demos/4711"),
        (404, "POST", "/api/demos/4711/share"),
        (404, "GET", "/api/shared-demos/guessed"),
        (404, "GET", "/api/audience/NOSUCH"),
    ],
)
async def test_what_is_not_there_says_where_to_look(
    stage: Stage, status: int, method: str, path: str
) -> None:
    assert (await refused(stage, status, method, path))["remedy"]


async def test_without_its_database_the_server_says_so(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object, **__: object) -> object:
        raise OperationalError("select", {}, OSError("the database is away"))

    monkeypatch.setattr(type(stage.services.database), "transaction", away)
    for path in ("/api/demos", "/api/demos/1", "/api/shared-demos/guessed"):
        problem = await refused(stage, 503, "GET", path)
        assert "database" in problem["title"]
        assert problem["remedy"]
