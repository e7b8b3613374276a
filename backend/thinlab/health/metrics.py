"""The same figures for Prometheus, on an address of their own.

Not a route of the web server: what a proxy hands on to the Internet must not lead here, and behind
a proxy every caller looks like this machine. Nobody listens unless THINLAB_METRICS says where.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Iterator
from wsgiref.simple_server import WSGIServer

from prometheus_client import (
    CollectorRegistry,
    GCCollector,
    PlatformCollector,
    ProcessCollector,
    start_http_server,
)
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from thinlab import __version__
from thinlab.health.figures import Figures
from thinlab.settings import SettingError

JOB_STATES = ("queued", "making", "done", "failed")


class FiguresCollector(Collector):
    """Tells the last look."""

    def __init__(self, last: Callable[[], Figures | None]) -> None:
        self._last = last

    def collect(self) -> Iterator[Metric]:
        """As Prometheus asks."""
        build = InfoMetricFamily("thinlab", "What runs.")
        build.add_metric([], {"version": __version__})
        yield build
        if (figures := self._last()) is not None:
            yield from _of(figures)


def _of(figures: Figures) -> Iterator[Metric]:
    stored = figures.stored
    yield _gauge("looked_at_seconds", "When this was seen.", figures.looked_at.timestamp())
    yield _gauge("database_up", "Whether votes can be stored.", float(stored is not None))
    if stored is not None:
        yield _gauge("database_answer_seconds", "How long it took.", stored.answered_in_s)
        jobs = GaugeMetricFamily(
            "thinlab_recording_jobs", "Recordings by the state of their job.", labels=["state"]
        )
        for state in JOB_STATES:
            jobs.add_metric([state], stored.jobs.get(state, 0))
        yield jobs
        yield _gauge("votes", "Votes stored, of every study.", stored.votes)
        yield _gauge("participants_present", "Heard from in five minutes.", stored.present)
        found = stored.punctuality
        yield _gauge("typing_sessions_last_hour", "Measured.", found.ended)
        yield _gauge(
            "typing_sessions_late_last_hour",
            "Of them, those whose emulator was late.",
            found.untrustworthy,
        )
        yield _gauge(
            "typing_sessions_lost_last_hour",
            "Void for no reason of the participant's.",
            found.voided_by_hosts,
        )
    for name, what in {"free_bytes": "Left.", "size_bytes": "In all."}.items():
        disks = GaugeMetricFamily(f"thinlab_disk_{name}", what, labels=["of"])
        for of, disk in figures.disks.items():
            disks.add_metric([of], getattr(disk, name))
        yield disks
    yield _gauge("live_hosts", "Lab hosts in real time that are known.", len(figures.live_hosts))
    ready = sum(host.problem is None for host in figures.live_hosts)
    yield _gauge("live_hosts_ready", "Those on which people can type.", ready)
    sessions = sum(host.sessions for host in figures.live_hosts)
    yield _gauge("typing_sessions", "Under way.", sessions)
    yield _gauge("links", "Pages that are connected to type.", figures.links)
    room = figures.room
    yield _gauge(
        "typing_behind_seconds", "What a key would wait for this machine.", room.behind_ms / 1000
    )
    yield _gauge("typing_room", "Whether another may begin to type.", float(room.has_room))
    yield _gauge("typing_held", "Whether those who type are asked to wait.", float(room.held))
    yield _counter("typing_holds", "How often they were.", room.holds)
    yield _counter("typing_turned_away", "Asked to come again, for want of room.", room.turned_away)
    yield _gauge("demos", "Running.", figures.demos)
    yield _gauge(
        "loop_late_seconds", "The longest that the server did not listen.", figures.loop_late_s
    )
    if figures.backup_at is not None:
        yield _gauge("last_backup_at_seconds", "When it was made.", figures.backup_at.timestamp())
        yield _gauge("last_backup_bytes", "How large it is.", figures.backup_bytes or 0)


def _gauge(name: str, what: str, value: float) -> Metric:
    return GaugeMetricFamily(f"thinlab_{name}", what, value=value)


def _counter(name: str, what: str, value: float) -> Metric:
    return CounterMetricFamily(f"thinlab_{name}", what, value=value)


def serve(where: str | None, last: Callable[[], Figures | None]) -> WSGIServer | None:
    """Answers at `host:port` from now on; nowhere without one. Raises `SettingError`."""
    if where is None:
        return None
    host, _, port = where.rpartition(":")
    if not host or not port.isdigit():
        raise SettingError(f"THINLAB_METRICS is {where!r}; give 127.0.0.1:9464")
    registry = CollectorRegistry(auto_describe=False)
    for part in (ProcessCollector, PlatformCollector, GCCollector):
        part(registry=registry)
    registry.register(FiguresCollector(last))
    try:
        server, _ = start_http_server(int(port), host.strip("[]"), registry)
    except OSError as error:
        raise SettingError(
            f"THINLAB_METRICS={where}: {error.strerror}; choose another port"
        ) from error
    return server
