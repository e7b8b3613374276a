"""`thinlab run`: starts, recovers, stops; and no kill loses or doubles a vote.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import csv
import io
import re
import signal
import uuid
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
from httpx import AsyncClient, HTTPError

from tests.made_up import PASSWORD, Participant, ballot
from tests.running.thinlab_process import PATIENCE_S, ThinlabProcess, free_port, still_running


async def open_study(thinlab: ThinlabProcess, browser: AsyncClient) -> None:
    """Returns once the study can be joined."""
    async with asyncio.timeout(PATIENCE_S):
        while (await browser.get("/api/studies/demo")).json()["state"] != "open":
            await asyncio.sleep(0.05)
    assert thinlab.pid


@asynccontextmanager
async def researcher_of(thinlab: ThinlabProcess) -> AsyncIterator[AsyncClient]:
    """Starts it; the browser of who has set the password, once the study can be joined."""
    await thinlab.start()
    setup = re.search(r"#setup=(\S+)", "".join(thinlab.lines))
    assert setup
    async with AsyncClient(base_url=thinlab.address, timeout=20) as browser:
        await open_study(thinlab, browser)
        body = {"setup_token": setup[1], "password": PASSWORD}
        await browser.post("/api/researcher/password", json=body)
        yield browser


async def test_start_and_stop(thinlab: ThinlabProcess) -> None:
    await thinlab.start()
    printed = "".join(thinlab.lines)
    assert f"Participant:  {thinlab.address}/s/demo\n" in printed
    setup = re.search(r"/researcher#setup=(\S+)", printed)
    assert setup
    started = thinlab.descendants()
    assert len(started) >= 3
    _works_as_the_application(started)
    async with AsyncClient(base_url=thinlab.address, timeout=PATIENCE_S) as browser:
        await open_study(thinlab, browser)
        await (await Participant.join(browser)).take_all()
        body = {"setup_token": setup[1], "password": PASSWORD}
        assert (await browser.post("/api/researcher/password", json=body)).status_code == 204
    assert await thinlab.stop() == 0
    assert await still_running(started) == []

    await thinlab.start()
    assert "#setup" not in "".join(thinlab.lines)
    assert await thinlab.stop(signal.SIGTERM) == 0


def _works_as_the_application(started: list[psutil.Process]) -> None:
    """The database's own processes say in their titles who is connected."""
    connected, told = set(), set()
    for process in started:
        # The database ends processes of its own at any time.
        with suppress(psutil.NoSuchProcess):
            title = " ".join(process.cmdline())
            told.add(process.environ().get("THINLAB_DATABASE_OWNER_URL"))
            connected |= set(re.findall(r"postgres: (\S+) thinlab \[local\]", title))
    assert connected == {"thinlab_app"}
    assert told <= {None, ""}


async def test_a_second_run_is_told_about_the_first(thinlab: ThinlabProcess) -> None:
    await thinlab.start()
    second = ThinlabProcess(thinlab.environment, free_port())
    await second.spawn()
    said = await second.line("running already")
    assert f"(process {thinlab.pid})" in said
    assert await second.ended() == 78


async def test_a_broken_study_file_ends_the_run_with_its_fault(
    thinlab: ThinlabProcess, tmp_path: Path
) -> None:
    survey = tmp_path / "survey"
    survey.mkdir()
    (survey / "broken.yaml").write_text("slug: x\ntitel: y\n")
    thinlab.environment["THINLAB_SURVEY"] = str(survey)
    await thinlab.spawn()
    await thinlab.line(r"broken.yaml:2: titel: unknown key. Did you mean `title`\?")
    assert await thinlab.ended() == 78


async def test_a_run_recovers_from_being_killed(thinlab: ThinlabProcess) -> None:
    await thinlab.start()
    started = thinlab.descendants()
    async with AsyncClient(base_url=thinlab.address, timeout=PATIENCE_S) as browser:
        await open_study(thinlab, browser)
        person = await Participant.join(browser)
        await person.take_all()
        code = (await person.progress())["completion_code"]
    await thinlab.stop(signal.SIGKILL)
    # Nobody is left to stop them: the kernel tells them.
    assert await still_running(started) == []
    await thinlab.start()
    async with AsyncClient(base_url=thinlab.address, timeout=PATIENCE_S) as browser:
        again = Participant(browser, person.token)
        assert (await again.progress())["completion_code"] == code


class Voter:
    """A browser with an outbox: sends each vote until the server has acknowledged it."""

    def __init__(self, browser: AsyncClient) -> None:
        self.browser = browser
        self.acknowledged: list[str] = []

    async def run(self) -> None:
        """A whole session, through any weather."""
        body = {"consent_version": "1", "join_key": str(uuid.uuid4())}
        joined = await self._insist("/api/studies/demo/participants", body, {})
        headers = {"Authorization": f"Bearer {joined['participant_token']}"}
        sound = {"level_percent": 50}
        await self._insist("/api/participation/sound-check", sound, headers)
        for _ in range(joined["participation"]["trials_total"]):
            opened = await self._insist("/api/participation/trials", None, headers)
            trial = opened["trials"][0]
            for recording in (trial["first"], trial["second"]):
                await self._fetch(f"/api/recordings/{recording['recording_token']}", headers)
            vote = ballot(trial["trial_token"])
            receipt = await self._insist("/api/participation/votes", vote, headers)
            assert receipt["vote_key"] == vote["vote_key"]
            self.acknowledged.append(vote["vote_key"])

    async def _fetch(self, path: str, headers: dict[str, str]) -> None:
        while True:
            try:
                if (await self.browser.get(path, headers=headers)).status_code == 200:
                    return
            except HTTPError:
                pass
            await asyncio.sleep(0.05)

    async def _insist(
        self, path: str, body: Mapping[str, object] | None, headers: dict[str, str]
    ) -> Any:  # noqa: ANN401 (JSON)
        while True:
            try:
                answer = await self.browser.post(path, json=body, headers=headers)
            except HTTPError:
                await asyncio.sleep(0.05)
                continue
            if answer.status_code in {200, 201}:
                return answer.json()
            # Nothing but "not now" may come between: no lost session, no second vote.
            assert answer.status_code == 503, answer.text
            assert answer.headers["retry-after"]
            await asyncio.sleep(0.05)


KILLS = ((8, "bin/postgres"), (20, "thinlab serve"), (36, "bin/postgres"), (52, "thinlab serve"))


async def test_no_kill_loses_or_doubles_a_vote(thinlab: ThinlabProcess) -> None:
    async with researcher_of(thinlab) as browser:
        voters = [Voter(browser) for _ in range(24)]
        voting = asyncio.gather(*(voter.run() for voter in voters))

        def votes() -> int:
            return sum(len(voter.acknowledged) for voter in voters)

        for milestone, victim in KILLS:
            while votes() < milestone:
                assert not voting.done() or not voting.exception()
                await asyncio.sleep(0.01)
            await kill(thinlab, victim)
        async with asyncio.timeout(PATIENCE_S):
            await voting
        acknowledged = [key for voter in voters for key in voter.acknowledged]
        assert len(acknowledged) == len(set(acknowledged)) == 72
        export = await browser.get("/api/researcher/studies/demo/export.csv")
        rows = list(csv.DictReader(io.StringIO(export.text, newline="")))
        assert len(rows) == 72
        ballots = {(row["participant"], row["trial"]) for row in rows}
        assert len(ballots) == 72
        assert all(row["completed_at"] for row in rows)


async def kill(thinlab: ThinlabProcess, victim: str) -> None:
    """Kills a child, once it is there to be killed."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            try:
                thinlab.child(victim).kill()
            except (LookupError, psutil.Error):
                await asyncio.sleep(0.02)
            else:
                return
