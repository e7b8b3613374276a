"""An experiment with its results as an RO-Crate: for a repository, or for somebody to run it again.

https://w3id.org/ro/crate/1.1: a zip file with `ro-crate-metadata.json`, which
says of each file what it is. Written by hand because a crate of the same
results has the same bytes: the libraries put the hour into it.

SPDX-License-Identifier: Apache-2.0
"""

import hashlib
import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import yaml

from thinlab.experiment import archive, codebook, page, provenance
from thinlab.experiment import rows as row_files
from thinlab.experiment.archive import ArchiveError
from thinlab.experiment.file import read_along
from thinlab.experiment.report import Report
from thinlab.experiment.rows import Row

METADATA = "ro-crate-metadata.json"
EXPERIMENT = "experiment.yaml"
OPTIONS = "options.json"
CODEBOOK = "codebook.csv"
CITATION = "CITATION.cff"
HOST = "host.json"
RESULTS = "results/"
SPECIFICATION = "https://w3id.org/ro/crate/1.1"
LICENSE = "https://spdx.org/licenses/Apache-2.0"
AUTHORS = "The Thinlab authors"

FORMATS = {
    ".yaml": "application/yaml",
    ".json": "application/json",
    ".parquet": "application/vnd.apache.parquet",
    ".csv": "text/csv",
    ".md": "text/markdown",
    ".txt": "text/plain",
    ".html": "text/html",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".cff": "application/yaml",
}
ABOUT = {
    EXPERIMENT: "The experiment as it was asked for",
    OPTIONS: "Options that it was run with: what they are, the file's own values do not count",
    CODEBOOK: "What each column of the Parquet file is",
    CITATION: "How to cite this",
}
ABOUT_ENDING = {
    ".parquet": "Results, one row a session",
    ".csv": "Numbers of a table or of a figure",
    ".md": "The tables, to read",
    ".txt": "Sysctls and queueing disciplines of sessions, before and after",
    ".html": "The report, whole in itself",
    ".svg": "A figure",
    ".png": "A figure",
    ".json": "What the host was made of",
}
BESIDE = "What the experiment is read with: published figures, losses, rates or a capture's stream"

Options = dict[str, Any]


def write(report: Report, file: Path, options: Options, date: str, target: Path) -> None:
    """Bundles an experiment's results; `file` is where it was read from.

    `date`: the day the results are of, as ISO 8601. Raises `NothingRunError`
    and `OSError`.
    """
    summaries = report.summaries()
    rows = [row for one in summaries for row in one.rows]
    name = report.experiment.name
    files = {
        EXPERIMENT: file.read_bytes(),
        OPTIONS: _json(options),
        CODEBOOK: codebook.as_csv(dict.fromkeys(column for row in rows for column in row)).encode(),
        CITATION: _citation(report, date),
    }
    files |= {name: (file.parent / name).read_bytes() for name in read_along(file)}
    host = provenance.host_of(report.folder, rows[0]["host_build"])
    if host:
        files[HOST] = _json(host)
    with tempfile.TemporaryDirectory(prefix="thinlab-bundle-") as folder:
        room = Path(folder)
        made = Report(report.experiment, report.published, room)
        row_files.write(made.rows_file, rows)
        if host:
            provenance.write_host(room, host)
        provenance.keep_settings(room, provenance.settings_of(report.folder, rows))
        if report.broken_file.exists():
            made.broken_file.write_bytes(report.broken_file.read_bytes())
        made.write_tables(summaries)
        results = [made.rows_file, room / f"{name}.md", room / f"{name}.csv"]
        results += page.write([made], room / f"{name}.html")
        results += sorted(room.glob("settings-*.txt"))
        results += [made.broken_file] if made.broken_file.exists() else []
        files |= {f"{RESULTS}{one.name}": one.read_bytes() for one in results}
    files[METADATA] = _metadata(report, files, date)
    archive.pack(target, files)


def _json(content: object) -> bytes:
    return f"{json.dumps(content, indent=2, sort_keys=True, ensure_ascii=False)}\n".encode()


def _citation(report: Report, date: str) -> bytes:
    experiment = report.experiment
    citation: dict[str, Any] = {
        "cff-version": "1.2.0",
        "message": "If you use these results, please cite them as below.",
        "type": "dataset",
        "title": f"{experiment.title}: results of a Thinlab experiment",
        "abstract": experiment.description.strip(),
        "authors": [{"name": AUTHORS}],
        "version": provenance.versions(["thinlab"])["thinlab"],
        "date-released": date,
        "license": "Apache-2.0",
    }
    if report.published is not None:
        reference = {"type": "generic", "title": report.published.source}
        citation["references"] = [reference | {"authors": [{"name": "see the title"}]}]
    return yaml.safe_dump(citation, sort_keys=False, allow_unicode=True).encode()


def _metadata(report: Report, files: Mapping[str, bytes], date: str) -> bytes:
    experiment = report.experiment
    parts = [{"@id": name} for name in sorted(files)]
    about = {"@id": METADATA, "@type": "CreativeWork", "about": {"@id": "./"}}
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": experiment.title,
        "description": experiment.description.strip(),
        "datePublished": date,
        "license": {"@id": LICENSE},
        "author": {"@id": "#authors"},
        "hasPart": parts,
    }
    return _json(
        {
            "@context": f"{SPECIFICATION}/context",
            "@graph": [
                about | {"conformsTo": {"@id": SPECIFICATION}},
                root,
                {"@id": "#authors", "@type": "Organization", "name": AUTHORS},
                {"@id": LICENSE, "@type": "CreativeWork", "name": "Apache License 2.0"},
                *(_described(name, files[name]) for name in sorted(files)),
            ],
        }
    )


def _is_result(name: str) -> bool:
    return name == HOST or name.startswith(RESULTS)


def _described(name: str, content: bytes) -> dict[str, Any]:
    ending = Path(name).suffix
    return {
        "@id": name,
        "@type": "File",
        "name": ABOUT.get(name) or (ABOUT_ENDING[ending] if _is_result(name) else BESIDE),
        "encodingFormat": FORMATS.get(ending, "application/octet-stream"),
        "contentSize": str(len(content)),
        "sha256": hashlib.sha256(content).hexdigest(),
    }


@dataclass(frozen=True)
class Crate:
    """A bundle that was opened and is whole."""

    folder: Path
    options: Options
    rows: list[Row]

    @property
    def experiment_file(self) -> Path:
        """The experiment, published figures beside it."""
        return self.folder / EXPERIMENT


def read(source: Path, folder: Path) -> Crate:
    """Opens a bundle, which may be anybody's, in an empty folder.

    Raises `ArchiveError` for what is damaged, hostile, or no bundle; `OSError`.
    """
    names = archive.unpack(source, folder)
    for needed in (METADATA, EXPERIMENT, OPTIONS):
        if needed not in names:
            raise ArchiveError(f"{source}: no {needed}; `thinlab experiment bundle` makes bundles")
    _verify(source, folder, names)
    options = _options(source, folder / OPTIONS)
    results = sorted(folder.glob(f"{RESULTS}*.parquet"))
    if len(results) != 1:
        raise ArchiveError(f"{source}: {len(results)} Parquet files in results/, not one")
    try:
        rows = row_files.read(results[0])
    except (pa.ArrowException, ValueError) as error:
        raise ArchiveError(f"{source}: {results[0].name} cannot be read ({error})") from error
    return Crate(folder, options, rows)


def _verify(source: Path, folder: Path, names: list[str]) -> None:
    """Every file is described, and as it is described."""
    try:
        graph = json.loads((folder / METADATA).read_text(encoding="utf-8"))["@graph"]
        told = {one["@id"]: one["sha256"] for one in graph if one.get("@type") == "File"}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ArchiveError(f"{source}: {METADATA} is not a bundle's ({error!r})") from error
    for name in names:
        if name == METADATA:
            continue
        if name not in told:
            raise ArchiveError(f"{source}: {METADATA} does not speak of {name!r}")
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != told[name]:
            raise ArchiveError(f"{source}: {name!r} is not what {METADATA} says; fetch it again")


def _options(source: Path, file: Path) -> Options:
    """`runs`, `minutes` and `modes`, each as the command's option takes it, or none."""
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ArchiveError(f"{source}: {OPTIONS} cannot be read ({error})") from error
    modes = told.get("modes") if isinstance(told, dict) else None
    fits = (
        isinstance(told, dict)
        and set(told) == {"runs", "minutes", "modes"}
        and (told["runs"] is None or (type(told["runs"]) is int and told["runs"] >= 1))
        and (told["minutes"] is None or (type(told["minutes"]) in {int, float}))
        and (modes is None or (isinstance(modes, list) and all(type(m) is str for m in modes)))
    )
    if not fits:
        raise ArchiveError(f"{source}: {OPTIONS} does not give `runs`, `minutes` and `modes`")
    return dict(told)
