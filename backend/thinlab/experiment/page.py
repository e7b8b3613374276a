"""An experiment's report as one HTML page that needs nothing else: no server, no network.

What is shown comes from the Parquet files alone, so the same rows give the
same page. Figures are SVG within the page; each can be saved as SVG, PNG and
CSV from links that hold the files themselves.

SPDX-License-Identifier: Apache-2.0
"""

import base64
import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from thinlab import durable
from thinlab.condition import words
from thinlab.contract.generated.names import IatDistribution
from thinlab.experiment import broken, provenance, self_check, table
from thinlab.experiment.checks import Verdict, judge
from thinlab.experiment.comparison import Comparison, compare
from thinlab.experiment.definition import Grid
from thinlab.experiment.drawing import Drawing
from thinlab.experiment.figure import drawings
from thinlab.experiment.flows import FlowGroup
from thinlab.experiment.links import Links
from thinlab.experiment.report import Report
from thinlab.experiment.rows import Row
from thinlab.experiment.summary import CellSummary

# What draws tables and figures.
DRAWN_WITH = ("matplotlib", "numpy", "jinja2", "pyarrow")
PERCENT = 100
SVG_ID = re.compile(r'(\bid="|url\(#|href="#)')


@dataclass(frozen=True)
class Download:
    """A file within the page."""

    kind: str
    name: str
    address: str


@dataclass(frozen=True)
class ShownFigure:
    """A figure within the page."""

    title: str
    picture: Markup
    downloads: list[Download]


@dataclass(frozen=True)
class ShownTable:
    """Means with bands: what varies, the metrics, one row a cell."""

    axes: list[str]
    metrics: list[str]
    rows: list[tuple[list[str], list[str], str | None]]
    """The last is the way to the cell's sessions, where there is one."""


@dataclass(frozen=True)
class CellCheck:
    """The self-checks of a cell's sessions, together."""

    where: str
    sessions: int
    forward: str
    backward: str
    broken: list[str]


@dataclass(frozen=True)
class SessionHashes:
    """What tells one session's files from another's."""

    where: str
    run: int
    seed: int
    key: str
    captures: list[str]
    way: str | None


@dataclass(frozen=True)
class Settings:
    """What the kernel said that the lanes of some sessions were set to."""

    where: str
    sessions: int
    text: str


@dataclass(frozen=True)
class Shown:
    """One experiment on the page."""

    name: str
    way: str | None
    """To the experiment's page, where there is one."""
    title: str
    asked: str
    conditions: list[list[tuple[str, str]]]
    runs: str
    missing: int
    """Sessions of the experiment that are neither in a row nor broken."""
    broken: list[tuple[str, int, str]]
    """Sessions that the path broke, by cell: how many, and why."""
    table: ShownTable
    table_download: Download
    figures: list[ShownFigure]
    source: str
    short: str
    comparisons: list[Comparison]
    verdicts: list[Verdict]
    checks: list[CellCheck]
    provenance: list[tuple[str, str]]
    patches: list[tuple[str, str]]
    settings: list[Settings]
    sessions: list[SessionHashes]

    @property
    def agreeing(self) -> int:
        """Of the comparisons."""
        return sum(one.agrees for one in self.comparisons)

    @property
    def holding(self) -> int:
        """Of the verdicts."""
        return sum(one.holds for one in self.verdicts)

    @property
    def broken_checks(self) -> int:
        """Cells with a session whose self-check does not hold."""
        return sum(bool(one.broken) for one in self.checks)


class Page:
    """A page in the making: experiments are drawn one by one, as they are done."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._shown: list[Shown] = []
        self._beside: dict[str, bytes] = {}

    def show(self, report: Report) -> list[str]:
        """Draws an experiment, and says what its figures are called. Raises `NothingRunError`."""
        before = len(self._beside)
        self._shown.append(_shown(report, self._beside, None))
        drawn = list(self._beside)[before:]
        return [name.removesuffix(".svg") for name in drawn if name.endswith(".svg")]

    def write(self) -> list[Path]:
        """Writes the page, and each figure beside it as SVG, PNG and CSV; returns all files.

        Raises `OSError`.
        """
        page = _rendered(self._shown)
        self._file.parent.mkdir(parents=True, exist_ok=True)
        for name, content in self._beside.items():
            durable.write_whole(self._file.with_name(name), content)
        durable.write_whole(self._file, page)
        return [self._file, *(self._file.with_name(name) for name in self._beside)]


def write(reports: Sequence[Report], file: Path) -> list[Path]:
    """Writes the page of experiments that were run; returns all files, it first.

    Raises `NothingRunError` and `OSError`.
    """
    page = Page(file)
    for report in reports:
        page.show(report)
    return page.write()


def linked(report: Report, name: str) -> bytes:
    """The page of one experiment with ways to its sessions, as the server knows it by `name`.

    Raises `NothingRunError`.
    """
    return _rendered([_shown(report, {}, name)])


def _rendered(shown: Sequence[Shown]) -> bytes:
    environment = Environment(
        loader=PackageLoader("thinlab.experiment"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    page = environment.get_template("report.html").render(
        experiments=shown, versions=provenance.versions((*provenance.PACKAGES[:1], *DRAWN_WITH))
    )
    return page.encode()


def _shown(report: Report, beside: dict[str, bytes], known_as: str | None) -> Shown:
    summaries = report.summaries()
    links = Links(known_as, summaries) if known_as is not None else None
    experiment, published = report.experiment, report.published
    axes = table.varying(summaries)
    sessions = _sessions(summaries)
    rows = [row for _, row in sessions]
    csv = table.as_csv(summaries, published).encode()
    runs = {len(one.rows) for one in summaries}
    counted = f"{min(runs)}" if len(runs) == 1 else f"{min(runs)} to {max(runs)}"
    host = provenance.host_of(report.folder, rows[0]["host_build"])
    settings = provenance.settings_of(report.folder, rows)
    broke = report.broken()
    return Shown(
        name=experiment.name,
        way=links.page if links is not None else None,
        title=experiment.title,
        asked=experiment.description.strip(),
        conditions=[_conditions(grid) for grid in experiment.grids],
        runs=f"{counted} runs of {experiment.minutes:g} virtual minutes a cell, "
        f"seed {experiment.seed}",
        missing=len(experiment.cells()) * experiment.runs - len(rows) - len(broke),
        broken=broken.counted(broke),
        table=_table(report, summaries, links),
        table_download=_download("CSV", f"{experiment.name}.csv", csv),
        figures=[
            _figure(drawing, beside, links)
            for drawing in drawings(experiment, summaries, published, links)
        ],
        source=published.source if published is not None else "",
        short=published.short if published is not None else "",
        comparisons=compare(experiment.checks, summaries, published) if published else [],
        verdicts=judge(experiment.checks, summaries, published),
        checks=[_check(one, axes) for one in summaries],
        provenance=list(_provenance(rows, host, settings)),
        patches=list(host.get("kernel_patches_sha256", {}).items()),
        settings=_settings(settings, sessions, axes),
        sessions=[_hashes(one, row, axes, links) for one, row in sessions],
    )


def _sessions(summaries: Sequence[CellSummary]) -> list[tuple[CellSummary, Row]]:
    """Each session once; with flows it has a row in several summaries, and the first one counts."""
    first: dict[str, tuple[CellSummary, Row]] = {}
    for one in summaries:
        for row in one.rows:
            first.setdefault(row["key"], (one, row))
    return list(first.values())


def _conditions(grid: Grid) -> list[tuple[str, str]]:
    """A grid in words: term and values."""
    told = [
        ("Baseline", _listed(one.value for one in grid.baseline)),
        ("Mode", _listed(grid.mode)),
    ]
    default = "as it is by default"
    for term, settings, plain in (
        ("Bundling", [words.bundling(one) for one in grid.bundling], default),
        ("TCP", [words.tcp(one) for one in grid.tcp], default),
        ("SCTP", [words.sctp(one) for one in grid.sctp], default),
        ("UDP-Lite", [words.udp_lite(one) for one in grid.udp_lite], "headers covered"),
    ):
        if any(settings):
            told.append((term, _listed(one or plain for one in settings)))
    if grid.loss_share is not None:
        shares = _listed(f"{one * PERCENT:g}" for one in grid.loss_share)
        told.append(("Loss, each direction", f"{shares} %"))
    if grid.rtt_ms is not None:
        told.append(("RTT", f"{_listed(f'{one:g}' for one in grid.rtt_ms)} ms"))
    if grid.path is not None:
        told.append(("Path", "; ".join(words.path(one.resolved()) for one in grid.path)))
    changing = [one.label for one in grid.over_time if one.label]
    if changing:
        told.append(("Over time, by file", _listed(changing)))
    if grid.flows is not None:
        told += [(f"Flows “{group.name}”", _group(group)) for group in grid.flows]
    if grid.message_bytes is not None and grid.iat_ms is not None:
        told.append(("Message", f"{_listed(str(one) for one in grid.message_bytes)} bytes"))
        told.append(("IAT", _iat(grid, grid.iat_ms)))
    return told


def _group(group: FlowGroup) -> str:
    sender = [str(one) for one in (group.baseline, group.mode) if one is not None]
    way = "one way" if group.back is None else "answered" if group.answers else "both ways"
    begins = f", {group.apart_ms:g} ms apart" if group.apart_ms else ""
    beside = f", by {_listed(sender)}" if sender else ""
    return f"{group.count}, {way}{begins}{beside}"


def _iat(grid: Grid, iat_ms: Iterable[float]) -> str:
    spread = [f"{one:g}" for one in grid.iat_spread_ms if one]
    exponential = IatDistribution.EXPONENTIAL in grid.iat_distribution
    return (
        f"{_listed(f'{one:g}' for one in iat_ms)} ms"
        + (f", each message ± {_listed(spread)} ms" if spread else "")
        + (", exponential" if exponential else "")
    )


def _listed(values: Iterable[str]) -> str:
    return ", ".join(values)


def _table(report: Report, summaries: Sequence[CellSummary], links: Links | None) -> ShownTable:
    axes = table.varying(summaries)
    names = table.columns(report.experiment, summaries)
    return ShownTable(
        axes=[table.AXES[axis] for axis in axes],
        metrics=[table.titled(name) for name in names],
        rows=[
            (
                [table.axis_text(one.cell, axis) for axis in axes],
                [table.estimate_text(one, name) for name in names],
                links.cell(one.cell) if links is not None else None,
            )
            for one in summaries
        ],
    )


def _figure(drawing: Drawing, beside: dict[str, bytes], links: Links | None) -> ShownFigure:
    svg = drawing.svg()
    files = {
        "SVG": (f"{drawing.name}.svg", svg if links is None else links.taken_out(svg)),
        "PNG": (f"{drawing.name}.png", drawing.png()),
        "CSV": (f"{drawing.name}.csv", drawing.csv().encode()),
    }
    beside.update(dict(files.values()))
    return ShownFigure(
        title=drawing.title,
        picture=_inline(drawing, svg.decode(), links),
        downloads=[_download(kind, *file) for kind, file in files.items()],
    )


def _inline(drawing: Drawing, svg: str, links: Links | None) -> Markup:
    """The picture as an element of the page, its names apart from other pictures'."""
    element = svg[svg.index("<svg ") :]
    if links is not None:
        element = links.in_picture(element)
    element = SVG_ID.sub(rf"\g<1>{drawing.name}-", element)
    # The name of an experiment is letters, digits and dashes; of a figure, dots and ± as well.
    # What is in an image cannot be followed.
    head = Markup('<svg role="{}" aria-label="{}" ').format(
        "img" if links is None else "group",
        f"{drawing.title}; the table above and the CSV have its numbers",
    )
    return Markup(element.replace("<svg ", head, 1))  # noqa: S704 (our own drawing)


MEDIA = {"SVG": "image/svg+xml", "PNG": "image/png", "CSV": "text/csv"}


def _download(kind: str, name: str, content: bytes) -> Download:
    coded = base64.b64encode(content).decode()
    return Download(kind, name, f"data:{MEDIA[kind]};base64,{coded}")


def _check(one: CellSummary, axes: Sequence[str]) -> CellCheck:
    broken = [
        f"run {row['run']}, {direction}: {fault}"
        for row in one.rows
        for direction, fault in self_check.of_row(row).items()
        if fault is not None
    ]
    return CellCheck(
        table.where(one.cell, axes),
        len(one.rows),
        _added(one.rows, "forward"),
        _added(one.rows, "backward"),
        broken,
    )


def _added(rows: Sequence[Row], direction: str) -> str:
    sent, received, dropped = (
        sum(row[f"check_{direction}_{name}_packets"] for row in rows)
        for name in ("sent", "received", "dropped")
    )
    made = sum(row.get(f"check_{direction}_duplicated_packets") or 0 for row in rows)
    duplicated = f" + {made} duplicated" if made else ""
    return f"{sent} sent{duplicated} = {received} received + {dropped} dropped"


def _settings(
    texts: Mapping[str, str],
    sessions: Sequence[tuple[CellSummary, Row]],
    axes: Sequence[str],
) -> list[Settings]:
    told: list[Settings] = []
    for name, text in texts.items():
        under = [one for one, row in sessions if row.get(provenance.SETTINGS) == name]
        where = dict.fromkeys(table.where(one.cell, axes) for one in under)
        shown = _differences(next(iter(texts.values())), text) if told else text
        told.append(Settings("; ".join(where), len(under), shown))
    return told


def _differences(first: str, text: str) -> str:
    """What is other than in the first set: sets have a hundred lines each, and differ in few."""
    lines = difflib.unified_diff(first.splitlines(), text.splitlines(), n=0, lineterm="")
    kept = [line for line in lines if not line.startswith(("---", "+++", "@@"))]
    return "\n".join(["# as the first set, but for (- first, + this one)", *kept])


def _settings_told(rows: Sequence[Row], texts: Mapping[str, str]) -> str:
    known = [row for row in rows if row.get(provenance.SETTINGS) in texts]
    if not known:
        return ""
    changed = sum(provenance.UNCHANGED not in texts[row[provenance.SETTINGS]] for row in known)
    return f"of {len(known)} of {len(rows)} sessions, below; " + (
        f"{changed} ended under others than they began" if changed else "no session changed any"
    )


def _provenance(
    rows: Sequence[Row], host: dict[str, Any], settings: Mapping[str, str]
) -> Iterable[tuple[str, str]]:
    """What is known, and what is not, as terms and descriptions."""
    unknown = "not recorded: these sessions are of an earlier version"
    elsewhere = "not known here: the host was not booted by the machine that asked it"
    yield "Host build", _distinct(rows, "host_build") or unknown
    yield "Kernel", _distinct(rows, "kernel_release") or unknown
    yield "Lab agent", _distinct(rows, "agent_version") or unknown
    yield "Clock", host.get("clock", "").replace("_", " ") or unknown
    yield "Kernel source", host.get("kernel_source", elsewhere)
    yield "Compiler", host.get("kernel_compiler", elsewhere)
    for part in ("kernel", "guest", "agent"):
        yield f"SHA-256 of the {part}", host.get(f"{part}_sha256", elsewhere)
    versions = sorted(
        name for name in rows[0] if name.startswith(provenance.VERSION_PREFIX) and rows[0][name]
    )
    told = (f"{name.removeprefix('version_')} {_distinct(rows, name)}" for name in versions)
    yield "Versions, where sessions ran", _listed(told) or unknown
    hashed = sum(1 for row in rows if row.get("sender_capture_sha256"))
    yield "Hashes of captures", f"of {hashed} of {len(rows)} sessions, below"
    yield "Sysctls and qdiscs, before and after", _settings_told(rows, settings) or unknown


def _distinct(rows: Sequence[Row], name: str) -> str:
    return _listed(sorted({str(row[name]) for row in rows if row.get(name) is not None}))


def _hashes(one: CellSummary, row: Row, axes: Sequence[str], links: Links | None) -> SessionHashes:
    captures = [str(row.get(name) or "not recorded") for name in provenance.CAPTURES]
    key: str = row["key"]
    where, way = table.where(one.cell, axes), links.session(key) if links is not None else None
    return SessionHashes(where, row["run"], row["seed"], key, captures, way)
