"""Errands done in this process; sessions are made up.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
from datetime import UTC, datetime

from tests.experiment.made_up_results import BUILD, sha256_of
from thinlab.experiment.desk import look
from thinlab.experiment.desk.digest import MadeLane, SessionMade
from thinlab.experiment.desk.errands import ErrandError, Errands
from thinlab.experiment.desk.places import Places


class ErrandsHere(Errands):
    """Remembers what it was sent for."""

    def __init__(self, places: Places) -> None:
        super().__init__(places.build)
        self.told: list[tuple[str, ...]] = []
        self.problem: str | None = None
        """Why the next one comes to nothing."""
        self.pause_s = 0.0
        self.may_end = asyncio.Event()
        """While it is clear, nothing comes of any."""
        self.may_end.set()
        self.capture_bytes: int | None = None
        self.most_at_once = 0
        self._places = places
        self._at_once = 0

    async def run(self, kind: str, *words: str, limit_s: float) -> None:
        """As the process would."""
        assert limit_s > 0
        self.told.append((kind, *words))
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            await asyncio.sleep(self.pause_s or 0.01)
            await self.may_end.wait()
        finally:
            self._at_once -= 1
        if self.problem is not None:
            raise ErrandError(self.problem)
        match kind, words:
            case "look", (since_ns,):
                look.look(self._places, int(since_ns))
            case "report", (name, stamp):
                look.report_of(self._places, name, stamp)
            case "session", (_, key):
                self._session(key)

    def _session(self, key: str) -> None:
        folder = self._places.sessions / key
        folder.mkdir(parents=True, exist_ok=True)
        content = key.encode() if self.capture_bytes is None else bytes(self.capture_bytes)
        for side in ("sender", "receiver"):
            (folder / f"lane-0-{side}.pcapng").write_bytes(content)
        (folder / "analysis-0.html").write_text("<!doctype html><title>Analysis</title>")
        lane = MadeLane(
            sender_sha256=sha256_of(key, "sender"),
            receiver_sha256=sha256_of(key, "receiver"),
            sender_bytes=len(content),
            receiver_bytes=len(content),
        )
        made = SessionMade(
            key=key,
            made_at=datetime.now(UTC),
            host_build=BUILD,
            recorded_build=BUILD,
            agrees=True,
            lanes=[lane],
            analyses=[],
            analyses_left_out=0,
        )
        (folder / "made.json").write_text(made.model_dump_json())
