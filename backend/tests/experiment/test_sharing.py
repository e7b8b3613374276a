"""A small grid on a real host: its report, its bundle, and the bundle run again.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import html.parser
import json
import re
import zipfile
from pathlib import Path

import pytest
import pytest_asyncio

from tests.experiment.commands import SMALL, finished, kept, start
from thinlab.experiment import archive
from thinlab.experiment import rows as row_files

pytestmark = pytest.mark.processes

OPTIONS = ("--runs", "2", "--minutes", "3")
SESSIONS = 8


@pytest_asyncio.fixture(scope="module")
async def ran(cache: Path) -> Path:
    """The folder with the results of a run."""
    await finished(await start(cache, "run", str(SMALL), *OPTIONS))
    return cache / "experiments" / "small"


@pytest_asyncio.fixture(scope="module")
async def bundle(ran: Path, cache: Path) -> Path:
    """The run, bundled."""
    assert ran.name == "small"
    out = cache / "small.zip"
    await finished(await start(cache, "bundle", str(SMALL), *OPTIONS, "--out", str(out)))
    return out


def only(folder: Path, pattern: str) -> Path:
    """The one file of that pattern."""
    (file,) = folder.glob(pattern)
    return file


def written(file: Path, bytes_: bytes) -> Path:
    """The file with these bytes."""
    file.write_bytes(bytes_)
    return file


def content(file: Path) -> bytes:
    """What a file has."""
    return file.read_bytes()


def same(one: Path, other: Path) -> bool:
    """Whether two files have the same bytes."""
    return content(one) == content(other)


def described(files: dict[str, bytes], name: str, content: bytes) -> dict[str, bytes]:
    """A bundle with another file in it, of which its metadata speak as if it belonged there."""
    old, new = (hashlib.sha256(one).hexdigest().encode() for one in (files[name], content))
    metadata = files["ro-crate-metadata.json"].replace(old, new)
    return files | {name: content, "ro-crate-metadata.json": metadata}


class Page(html.parser.HTMLParser):
    """A page's names, links and what it would fetch."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.downloads: dict[str, str] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = dict(attrs)
        if told.get("id"):
            self.ids.append(str(told["id"]))
        address = str(told.get("href") or told.get("xlink:href") or "")
        if told.get("download"):
            self.downloads[str(told["download"])] = address
        elif tag == "a":
            self.links.append(address)
        elif address and not address.startswith("#"):
            self.fetched.append(address)
        if "src" in told or tag in {"script", "iframe", "object"}:
            self.fetched.append(f"{tag} {told.get('src')}")


async def test_a_sessions_record_says_with_what_it_was_made(ran: Path, cache: Path) -> None:
    rows = row_files.read(ran / "small.parquet")
    assert len(rows) == SESSIONS
    for row in rows:
        file = cache / "experiments" / "sessions" / row["key"][:2] / f"{row['key']}.json"
        told = json.loads(file.read_text())["provenance"]
        assert re.fullmatch("[0-9a-f]{64}", row["sender_capture_sha256"])
        assert row["sender_capture_sha256"] == told["captures"]["sender_capture_sha256"]
        assert row["sender_capture_sha256"] != row["receiver_capture_sha256"]
        assert row["version_thinlab"]
        assert row["kernel_release"].startswith("6.")
    # Where no segment is lost twice, both modes send the same.
    assert len({row["sender_capture_sha256"] for row in rows}) >= SESSIONS / 2
    # Two losses, two modes: each has settings of its own, which its runs share.
    assert len({row["settings_sha256"] for row in rows}) == SESSIONS / 2
    for row in rows:
        settings = content(ran / f"settings-{row['settings_sha256']}.txt")
        assert hashlib.sha256(settings).hexdigest() == row["settings_sha256"]
        is_off = b"net.ipv4.tcp_thin_linear_timeouts = 0\n" in settings
        assert is_off == (row["mode"] == "off")
        assert settings.endswith(b"the same\n")
    about = json.loads(only(ran, "host-*.json").read_text())
    assert about["build"] == rows[0]["host_build"]
    assert about["clock"] == "virtual_time"
    assert re.fullmatch("[0-9a-f]{64}", about["kernel_sha256"])
    assert any("tcp-add-redundant" in patch for patch in about["kernel_patches_sha256"])


async def test_the_report_is_whole_in_itself(ran: Path, cache: Path) -> None:
    await finished(await start(cache, "report", str(SMALL), *OPTIONS))
    text = (ran / "small.html").read_text()
    page = Page(text)
    assert page.fetched == []
    assert len(set(page.ids)) == len(page.ids), "a name is there twice"
    inner = [link.removeprefix("#") for link in page.links]
    assert set(inner) <= set(page.ids)
    assert {"small-results", "small-published", "small-provenance"} <= set(inner)
    # The table, and three figures as SVG, PNG and CSV.
    assert len(page.downloads) == 1 + 3 * 3
    assert all(address.startswith("data:") for address in page.downloads.values())
    for name in page.downloads.keys() - {"small.csv"}:
        assert (ran / name).stat().st_size > 0
    assert (ran / "small-curves.png").read_bytes().startswith(b"\x89PNG")
    assert (ran / "small-curves.csv").read_text().startswith("metric,unit,line,")
    assert "self-checks hold in 4 of 4 cells" in text
    assert "Made up for the tests" in text
    assert "of 8 of 8 sessions, below; no session changed any" in text
    rows = row_files.read(ran / "small.parquet")
    assert all(row["sender_capture_sha256"] in text for row in rows)
    await finished(await start(cache, "report", str(SMALL), *OPTIONS))
    assert (ran / "small.html").read_text() == text, "the same results, another page"


async def test_several_are_run_one_after_the_other_and_shown_on_one_page(
    cache: Path, tmp_path: Path
) -> None:
    text = SMALL.read_text().replace("minutes: 10", "minutes: 1").replace("runs: 3", "runs: 1")
    text = text[: text.index("checks:")].replace("published: small-published.yaml\n", "")
    files = []
    for name in ("one", "two"):
        file = written(
            tmp_path / f"{name}.yaml", text.replace("name: small", f"name: {name}").encode()
        )
        files.append(str(file))
    # The second one asks for the same sessions.
    out = str(tmp_path / "both.html")
    said, _ = await finished(await start(cache, "all", *files, "--out", out))
    assert "one: 4 sessions run, 0 there before" in said
    assert "two: 0 sessions run, 4 there before" in said
    assert "\n  one-curves\n" in said
    page = Page((tmp_path / "both.html").read_text())
    assert {"one-results", "two-results"} <= set(page.ids)
    wrong = written(tmp_path / "wrong.yaml", text.replace("rtt_ms: 100", "rtt_ms: -100").encode())
    _, told = await finished(await start(cache, "all", files[0], str(wrong), "--out", out), 78)
    assert "rtt_ms" in told


async def test_what_was_left_out_is_said(ran: Path, cache: Path, tmp_path: Path) -> None:
    rows = row_files.read(ran / "small.parquet")
    row_files.write(tmp_path / "small.parquet", rows[:-1])
    options = (*OPTIONS, "--out", str(tmp_path))
    await finished(await start(cache, "report", str(SMALL), *options))
    assert "sessions have no result" in (tmp_path / "small.html").read_text()


async def test_results_of_earlier_versions_are_shown_all_the_same(
    ran: Path, cache: Path, tmp_path: Path
) -> None:
    new = ("sender_capture", "receiver_capture", "settings_", "version_", "agent_", "kernel_")
    rows = [
        {name: value for name, value in row.items() if not name.startswith(new)}
        for row in row_files.read(ran / "small.parquet")
    ]
    row_files.write(tmp_path / "small.parquet", rows)
    options = (*OPTIONS, "--out", str(tmp_path))
    await finished(await start(cache, "report", str(SMALL), *options))
    assert "of an earlier version" in (tmp_path / "small.html").read_text()


async def test_a_texts_markup_stays_text(ran: Path, cache: Path, tmp_path: Path) -> None:
    hostile = tmp_path / "hostile.yaml"
    text = SMALL.read_text().replace("published: small-published.yaml", "published: them.yaml")
    hostile.write_text(text.replace("title: Small", "title: '<script>alert(1)</script> $x^'"))
    theirs = (SMALL.parent / "small-published.yaml").read_text()
    (tmp_path / "them.yaml").write_text(theirs.replace("made up", "'<b>$\\frac</b>'"))
    options = (*OPTIONS, "--out", str(ran))
    await finished(await start(cache, "report", str(hostile), *options))
    page = (ran / "small.html").read_text()
    assert "<script" not in page
    assert "<b>" not in page
    assert "&lt;script&gt;alert(1)" in page


async def test_the_same_results_make_the_same_bundle(
    bundle: Path, cache: Path, tmp_path: Path
) -> None:
    again = tmp_path / "again.zip"
    await finished(await start(cache, "bundle", str(SMALL), *OPTIONS, "--out", str(again)))
    assert same(again, bundle)


async def test_a_bundle_is_a_described_crate(bundle: Path) -> None:
    with zipfile.ZipFile(bundle) as zipped:
        graph = json.loads(zipped.read("ro-crate-metadata.json"))["@graph"]
        entities = {one["@id"]: one for one in graph}
        root = entities["./"]
        assert entities["ro-crate-metadata.json"]["about"] == {"@id": "./"}
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", root["datePublished"])
        parts = {part["@id"] for part in root["hasPart"]}
        assert parts == set(zipped.namelist()) - {"ro-crate-metadata.json"}
        for name in parts:
            assert hashlib.sha256(zipped.read(name)).hexdigest() == entities[name]["sha256"]
        assert {"CITATION.cff", "codebook.csv", "experiment.yaml", "small-published.yaml"} <= parts
        assert {"results/small.parquet", "results/small.html", "results/small.csv"} <= parts
        assert b"cff-version: 1.2.0" in zipped.read("CITATION.cff")
        columns = {line.split(",")[0] for line in zipped.read("codebook.csv").decode().splitlines()}
        assert {"key", "packets", "felt_sojourn_p99_us", "retransmitted_packet_share"} <= columns


async def test_a_bundle_run_again_gives_the_same(bundle: Path, cache: Path, tmp_path: Path) -> None:
    before = kept(cache)
    again = ("replicate", str(bundle), "--out", str(tmp_path / "again"))
    out, _ = await finished(await start(cache, *again))
    assert f"metrics: {SESSIONS} same" in out
    assert f"hashes of captures: {SESSIONS} same" in out
    # All of it ran anew, in its own folder.
    assert len(list((tmp_path / "again" / "sessions").glob("??/*.json"))) == SESSIONS
    assert kept(cache) == before
    assert len((tmp_path / "again" / "replication.csv").read_text().splitlines()) == 1 + SESSIONS


async def test_what_differs_from_a_bundle_is_said(
    bundle: Path, cache: Path, tmp_path: Path
) -> None:
    """Somebody changed two figures, and the hashes that speak of the file."""
    with zipfile.ZipFile(bundle) as zipped:
        files = {name: zipped.read(name) for name in zipped.namelist()}
    parquet = written(tmp_path / "small.parquet", files["results/small.parquet"])
    rows = row_files.read(parquet)
    rows[0]["packets"] += 1
    rows[1]["sender_capture_sha256"] = "0" * 64
    row_files.write(parquet, rows)
    changed = described(files, "results/small.parquet", content(parquet))
    archive.pack(tmp_path / "other.zip", changed)
    again = ("replicate", str(tmp_path / "other.zip"), "--out", str(tmp_path / "again"))
    out, _ = await finished(await start(cache, *again), code=1)
    assert f"metrics: 1 different, {SESSIONS - 1} same" in out
    assert f"hashes of captures: {SESSIONS - 1} same, 1 different" in out
    assert "this should not be; please report it (packets)" in out


async def test_a_bundle_cannot_point_at_other_files(
    bundle: Path, cache: Path, tmp_path: Path
) -> None:
    with zipfile.ZipFile(bundle) as zipped:
        files = {name: zipped.read(name) for name in zipped.namelist()}
    evil = files["experiment.yaml"].replace(b"small-published.yaml", b"../../../etc/passwd")
    archive.pack(tmp_path / "evil.zip", described(files, "experiment.yaml", evil))
    _, errors = await finished(await start(cache, "replicate", str(tmp_path / "evil.zip")), code=78)
    assert "leads out of this file's folder" in errors
