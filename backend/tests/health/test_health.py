"""How the installation is: in words for the researcher, in numbers for Prometheus, of nobody.

SPDX-License-Identifier: Apache-2.0
"""

import io
import json
import logging
import shutil
import socket
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from httpx import ASGITransport, AsyncClient
from prometheus_client.parser import text_string_to_metric_families

from tests.applications import app_over
from tests.conftest import ORIGIN, HostsThere
from tests.made_up import Participant, sign_in
from tests.running.thinlab_process import PATIENCE_S, free_port
from thinlab.backup.last import NAME, LastBackup
from thinlab.database.engine import Database
from thinlab.health import metrics
from thinlab.health.figures import (
    Disk,
    Figures,
    GuestWall,
    LiveHostFigures,
    Punctuality,
    Stored,
    TypingRoom,
)
from thinlab.health.verdict import HealthLevel, verdict
from thinlab.health.watch import Seen, Watch
from thinlab.live.desk import RefusedError
from thinlab.logs import JsonLines
from thinlab.settings import SettingError
from thinlab.web.services import Services

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
WELL = Figures(
    looked_at=NOW,
    stored=Stored(0.004, {"done": 6}, 3, 1, Punctuality(100, 1, 0)),
    disks={"data": Disk(50_000_000_000, 100_000_000_000)},
    live_hosts=[LiveHostFigures(None, 2, GuestWall(7, seccomp=True))],
    live_problem=None,
    demos=1,
    links=2,
    loop_late_s=0.01,
    room=TypingRoom(12.0, 250.0, has_room=True, held=False, holds=0, turned_away=0),
    backup_at=NOW - timedelta(hours=9),
    backup_bytes=5_000_000,
)


def watch_over(services: Services) -> Watch:
    return Watch(
        Seen(
            services.database,
            services.live.store.folder.parent,
            services.store.folder,
            HostsThere(()),
            demos=lambda: 0,
            links=lambda: 0,
            pulse=services.live.pulse,
            turned_away=lambda: services.live.switchboard.turned_away,
        )
    )


def host_behind(landlock_version: int, *, seccomp: bool) -> LiveHostFigures:
    return LiveHostFigures(None, 0, GuestWall(landlock_version, seccomp=seccomp))


def test_where_all_is_well_nothing_is_to_do() -> None:
    found = verdict(WELL)
    assert found.level is HealthLevel.WELL
    assert [part.remedy for part in found.parts] == [None] * 9


@pytest.mark.parametrize(
    ("changes", "name", "level"),
    [
        ({"stored": None}, "Database", HealthLevel.ACT),
        ({"disks": {"data": Disk(500_000_000, 10**11)}}, "Disk of the data", HealthLevel.ACT),
        ({"disks": {"data": Disk(4_000_000_000, 10**11)}}, "Disk of the data", HealthLevel.LOOK),
        ({"live_hosts": [LiveHostFigures("away", 0)]}, "Lab hosts in real time", HealthLevel.ACT),
        ({"live_hosts": [host_behind(0, seccomp=True)]}, "Walls around guests", HealthLevel.LOOK),
        ({"live_hosts": [host_behind(7, seccomp=False)]}, "Walls around guests", HealthLevel.LOOK),
        ({"loop_late_s": 0.4}, "Web server", HealthLevel.LOOK),
        ({"room": replace(WELL.room, has_room=False)}, "Room to type", HealthLevel.LOOK),
        ({"room": replace(WELL.room, held=True)}, "Room to type", HealthLevel.ACT),
        ({"backup_at": None}, "Backup", HealthLevel.LOOK),
        ({"backup_at": NOW - timedelta(days=3)}, "Backup", HealthLevel.LOOK),
        (
            {"stored": Stored(0.004, {"failed": 2}, 3, 1, Punctuality(100, 1, 0))},
            "Recordings",
            HealthLevel.LOOK,
        ),
        (
            {"stored": Stored(0.004, {}, 3, 1, Punctuality(100, 9, 0))},
            "Punctuality of typing",
            HealthLevel.LOOK,
        ),
    ],
)
def test_what_is_not_well_says_what_to_do(
    changes: dict[str, object], name: str, level: HealthLevel
) -> None:
    found = verdict(replace(WELL, **changes))  # type: ignore[arg-type]
    (part,) = [one for one in found.parts if one.level is not HealthLevel.WELL]
    assert (part.name, part.level, found.level) == (name, level, level)
    assert part.remedy


def test_what_a_lab_host_says_is_told_once() -> None:
    stranger = LiveHostFigures("lab-agent: its certificate has ended", 0)
    hosts = [LiveHostFigures(None, 1), stranger, stranger]
    (part,) = [one for one in verdict(replace(WELL, live_hosts=hosts)).parts if "hosts" in one.name]
    assert part.said.count("One says: lab-agent: its certificate has ended.") == 1


def test_a_wall_says_what_it_lacks() -> None:
    def said(*hosts: LiveHostFigures) -> str:
        parts = verdict(replace(WELL, live_hosts=list(hosts))).parts
        return next(part.said for part in parts if part.name == "Walls around guests")

    assert (
        said(host_behind(7, seccomp=True)) == "Guests are held by Landlock (version 7) and seccomp."
    )
    # The weakest host's counts.
    mixed = said(host_behind(7, seccomp=True), host_behind(2, seccomp=True))
    assert "version 2" in mixed
    assert "signals" in mixed
    neither = said(host_behind(7, seccomp=True), host_behind(0, seccomp=False))
    assert neither.startswith("Nothing holds their files (Landlock) and their system calls")
    # One that is away, or older than the question.
    assert said(LiveHostFigures("away", 0)) == "No lab host has told of one."


async def test_the_researcher_and_nobody_else_is_told(services: Services) -> None:
    watched = replace(services, watch=watch_over(services))
    data = services.live.store.folder.parent
    last = LastBackup(made_at=datetime.now(UTC) - timedelta(hours=2), size_bytes=7_000_000)
    (data / NAME).write_text(last.model_dump_json())
    async with AsyncClient(transport=ASGITransport(app_over(watched)), base_url=ORIGIN) as here:
        assert (await here.get("/api/researcher/health")).status_code == 401
        await sign_in(here, watched)
        told = (await here.get("/api/researcher/health")).json()
    said = {part["name"]: part for part in told["parts"]}
    assert said["Database"]["level"] == "well"
    assert said["Backup"]["said"] == "The last one is 2 hours old (7.0 MB)."
    free_gb = shutil.disk_usage(data).total / 1e9
    assert f"of {free_gb:.0f} GB are free" in said["Disk of the data"]["said"]


async def test_a_database_that_is_away_is_a_figure_too(services: Services) -> None:
    away = Database("postgresql://nobody@/nothing?host=/nowhere")
    watch = watch_over(replace(services, database=away))
    assert (await watch.look()).stored is None
    await away.close()


async def test_how_late_keys_would_be_is_told_as_it_is_now(services: Services) -> None:
    watch, pulse = watch_over(services), services.live.pulse
    await watch.look()
    assert watch.figures is not None
    assert watch.figures.room.has_room
    pulse.looked(0.0, pulse.limit_ms / 1000, 0.1)
    with pytest.raises(RefusedError):
        services.live.switchboard._refuse_without_room()
    room = watch.figures.room
    assert (room.behind_ms, room.limit_ms) == (pulse.limit_ms, pulse.limit_ms)
    assert (room.has_room, room.held, room.holds, room.turned_away) == (False, True, 1, 1)
    told = {one.name: one for family in metrics._of(watch.figures) for one in family.samples}
    assert told["thinlab_typing_behind_seconds"].value == pulse.limit_ms / 1000
    assert told["thinlab_typing_room"].value == 0
    assert told["thinlab_typing_holds_total"].value == 1
    # That the server stood still is told with the next look, and not again with the one after.
    late_s = [(await watch.look()).loop_late_s for _ in range(2)]
    assert late_s == [pulse.limit_ms / 1000, 0.0]
    pulse.looked(10.0, 0.0, 0.1)
    assert watch.figures.room.has_room


async def test_prometheus_gets_numbers_and_nobodys_data(
    services: Services, browser: AsyncClient
) -> None:
    person = await Participant.join(browser)
    await person.take_all()
    watch = watch_over(services)
    await watch.look()
    server = metrics.serve("127.0.0.1:0", lambda: watch.figures)
    assert server is not None
    async with AsyncClient(
        base_url=f"http://127.0.0.1:{server.server_port}", timeout=PATIENCE_S
    ) as prometheus:
        text = (await prometheus.get("/metrics")).text
    server.shutdown()
    server.server_close()
    found = {
        sample.name: sample
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    assert found["thinlab_votes"].value == 3
    assert found["thinlab_database_up"].value == 1
    assert found["process_resident_memory_bytes"].value > 0
    labels = {name for one in found.values() for name in one.labels}
    assert labels <= {"state", "of", "version", "generation"} | {
        "implementation",
        "major",
        "minor",
        "patchlevel",
    }
    for word in ("demo", person.token, "first", "second", "modified", "plain"):
        assert word not in text.replace("thinlab_demos", "").replace("seconds", "")


def test_nobody_listens_unless_told_to() -> None:
    assert metrics.serve(None, lambda: None) is None
    with pytest.raises(SettingError, match=r"give 127\.0\.0\.1:9464"):
        metrics.serve("9464", lambda: None)
    with (
        socket.create_server(("127.0.0.1", port := free_port())),
        pytest.raises(SettingError, match="choose another port"),
    ):
        metrics.serve(f"127.0.0.1:{port}", lambda: None)


async def test_no_route_of_the_web_server_leads_to_the_metrics(browser: AsyncClient) -> None:
    for path in ("/metrics", "/api/metrics"):
        answer = await browser.get(path)
        assert "process_resident_memory_bytes" not in answer.text


def test_a_log_of_json_has_one_line_a_record() -> None:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    log = logging.getLogger("thinlab.test")
    log.addHandler(handler)
    try:
        try:
            int("two\nlines")
        except ValueError:
            log.exception("it %s", "failed")
        log.warning("æ")
    finally:
        log.removeHandler(handler)
    first, second = map(json.loads, stream.getvalue().splitlines())
    assert (first["level"], first["part"], first["message"]) == (
        "error",
        "thinlab.test",
        "it failed",
    )
    assert first["error"] == "ValueError"
    assert first["trace"].endswith("'two\\nlines'")
    assert second["message"] == "æ"
    assert datetime.fromisoformat(second["at"]).tzinfo == UTC
