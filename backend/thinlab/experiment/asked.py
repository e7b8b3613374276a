"""What an experiment's results are the answer to: its file as it was run, beside the results.

The file that was given to `run` may be anywhere, change, and go.

SPDX-License-Identifier: Apache-2.0
"""

import json
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from thinlab import durable
from thinlab.experiment.definition import ExperimentDefinition
from thinlab.experiment.file import EXAMPLE, read
from thinlab.experiment.narrowing import narrowed
from thinlab.experiment.published import Published
from thinlab.located_yaml import parse

FOLDER = "asked"
EXPERIMENT = "experiment.yaml"
OPTIONS = "options.json"

Options = Mapping[str, Any]
"""`runs`, `minutes` and `modes`, each as the command's option takes it, or none."""


def taken(file: Path, options: Options) -> dict[str, bytes]:
    """An experiment's file, what it names beside it, and the options, as they are now.

    Raises `FileFaultsError` and `OSError`.
    """
    beside = set(_beside(parse(file, EXAMPLE).data, file.parent))
    return {
        EXPERIMENT: file.read_bytes(),
        OPTIONS: json.dumps(dict(options)).encode(),
        **{name: (file.parent / name).read_bytes() for name in sorted(beside)},
    }


def keep(folder: Path, files: Mapping[str, bytes]) -> None:
    """Keeps what was taken, in place of earlier."""
    fresh = Path(tempfile.mkdtemp(prefix=".new-", dir=folder))
    try:
        # For the web server, which may be another user.
        fresh.chmod(0o755)
        for name, content in files.items():
            target = fresh / name
            target.parent.mkdir(parents=True, exist_ok=True)
            durable.write(target, content)
        shutil.rmtree(folder / FOLDER, ignore_errors=True)
        fresh.rename(folder / FOLDER)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def file_of(folder: Path) -> Path | None:
    """The file as it was run; none of results of earlier versions."""
    file = folder / FOLDER / EXPERIMENT
    return file if file.is_file() else None


def read_of(file: Path) -> tuple[ExperimentDefinition, Published | None]:
    """An experiment as it was run, or as it is shipped.

    Raises `FileFaultsError` and `NarrowingError`, and `ValueError` where options are damaged.
    """
    experiment, published = read(file)
    beside = file.with_name(OPTIONS)
    if file.name == EXPERIMENT and beside.is_file():
        options = json.loads(beside.read_text(encoding="utf-8"))
        experiment = narrowed(
            experiment, options["runs"], options["minutes"], options["modes"] or None
        )
    return experiment, published


def _beside(written: object, folder: Path) -> Iterator[str]:
    """Every text of a file that names another one in its folder, or below."""
    if isinstance(written, dict):
        for value in written.values():
            yield from _beside(value, folder)
    elif isinstance(written, list):
        for value in written:
            yield from _beside(value, folder)
    elif isinstance(written, str) and _is_beside(written, folder):
        yield written


def _is_beside(name: str, folder: Path) -> bool:
    path = Path(name)
    if not path.parts or path.is_absolute() or ".." in path.parts or "\0" in name:
        return False
    try:
        return (folder / path).is_file() and name not in {EXPERIMENT, OPTIONS}
    except OSError:
        # Too long for a name: a description.
        return False
