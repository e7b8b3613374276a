"""Pinning writes one digest into every Dockerfile, again and again, or nothing.

There is no registry to ask in tests: a script in `docker`'s place says what one would.

SPDX-License-Identifier: Apache-2.0
"""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCKERFILES = sorted(
    path.relative_to(ROOT) for folder in ("*", "*/*") for path in ROOT.glob(f"{folder}/Dockerfile")
)
FIRST, SECOND = "sha256:" + "1" * 64, "sha256:" + "a2" * 32


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for file in [*DOCKERFILES, Path("setup/pin-images")]:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, tmp_path / file)
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)  # noqa: S607
    subprocess.run(["git", "add", "."], cwd=tmp_path, check=True)  # noqa: S607
    return tmp_path


def _pin(checkout: Path, registry: str) -> subprocess.CompletedProcess[str]:
    docker = checkout / "bin" / "docker"
    docker.parent.mkdir(exist_ok=True)
    # What is asked for is part of the answer's worth.
    docker.write_text(
        '#!/bin/sh\n[ "$1 $2 $3 $4" = "buildx imagetools inspect debian:bookworm-slim" ] '
        f"|| exit 9\n{registry}\n"
    )
    docker.chmod(0o755)
    return subprocess.run(
        [checkout / "setup" / "pin-images"],
        env=os.environ | {"PATH": f"{docker.parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )


def _bases(checkout: Path) -> set[str]:
    found = set()
    for file in DOCKERFILES:
        text = (checkout / file).read_text()
        (base,) = re.findall(r"^ARG BASE=(\S+)$", text, re.MULTILINE)
        # Every stage is built on it.
        assert set(re.findall(r"^FROM (\S+)", text, re.MULTILINE)) == {"${BASE}"}
        found.add(base)
    return found


def test_every_dockerfile_names_the_image_exactly(checkout: Path) -> None:
    assert len(DOCKERFILES) == 4
    for digest in (FIRST, SECOND, SECOND):
        done = _pin(checkout, f"echo {digest}")
        assert done.returncode == 0, done.stderr
        assert _bases(checkout) == {f"debian:bookworm-slim@{digest}"}


@pytest.mark.parametrize(
    ("registry", "said"),
    [
        ("echo denied >&2; exit 1", "Remedy"),
        ("echo '<html>'", "no digest"),
        (f"echo {FIRST[:-1]}", "no digest"),
        (f"echo {FIRST}; echo more", "no digest"),
    ],
)
def test_what_is_no_digest_is_written_nowhere(checkout: Path, registry: str, said: str) -> None:
    before = _bases(checkout)
    done = _pin(checkout, registry)
    assert done.returncode == 1
    assert said in done.stderr
    assert _bases(checkout) == before
