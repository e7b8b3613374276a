"""Setup's scripts, run for real on a small copy of the repository's top level.

SPDX-License-Identifier: Apache-2.0
"""

import json
import os
import re
import runpy
import shutil
import subprocess
from pathlib import Path

import pytest

from thinlab.web.pages import PAGE
from thinlab.web.security import HEADERS

SETUP = Path(__file__).resolve().parent.parent


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A top level that holds setup/ and nothing else."""
    # The documentation's environment is 17 000 files, and no script here asks for it.
    left_out = shutil.ignore_patterns("tests", ".venv", "__pycache__")
    shutil.copytree(SETUP, tmp_path / "setup", ignore=left_out)
    return tmp_path


def run(root: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command at the top level, with its output; never raises on failure."""
    return subprocess.run(
        command, cwd=root, env=os.environ | environment, capture_output=True, text=True, check=False
    )


def script(path: Path, text: str) -> None:
    """An executable shell script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def test_once_runs_again_only_after_a_change_or_a_failure(root: Path) -> None:
    source = root / "source"
    source.mkdir()
    (source / "a").write_text("1")
    script(root / "build-it", "[ ! -e fails ] && echo ran >> log && touch result")

    def once() -> tuple[int, int]:
        """Exit status, and how often the command has run to its end so far."""
        done = run(root, "setup/once", "thing", "result", "source", "--", "./build-it")
        log = root / "log"
        return done.returncode, len(log.read_text().split()) if log.exists() else 0

    assert once() == (0, 1)
    assert once() == (0, 1)
    (source / "a").write_text("2")
    (root / "fails").touch()
    assert once()[0] != 0
    (root / "fails").unlink()
    assert once() == (0, 2), "what failed is tried again although the source is the same"
    (root / "result").unlink()
    assert once() == (0, 3), "a result that somebody removed is made again"
    (source / "node_modules").mkdir()
    (source / "node_modules" / "b").write_text("made by the build")
    assert once() == (0, 3)


@pytest.mark.parametrize("printed", ["", "relative/path", "/nowhere/at/all", "two\nlines"])
def test_a_builder_must_name_what_it_made(root: Path, printed: str) -> None:
    script(root / "builder", f"printf '%s' '{printed}'")
    done = run(root, "setup/part", "thing", "./builder")
    assert done.returncode != 0
    assert "thing" in done.stderr
    assert not (root / "build" / "thing.path").exists()


def test_a_part_is_handed_to_whoever_runs_with_parts(root: Path) -> None:
    script(root / "builder", f"echo {root}/setup")
    assert run(root, "setup/part", "guest", "./builder").returncode == 0
    shown = ("setup/with-parts", "sh", "-c", "echo $THINLAB_GUEST")
    assert run(root, *shown, THINLAB_GUEST="").stdout == f"{root}/setup\n"
    assert run(root, *shown, THINLAB_GUEST="/mine").stdout == "/mine\n"


def checks(
    root: Path, *lines: str, only: str = "*", gear: str = "second"
) -> subprocess.CompletedProcess[str]:
    """A list of checks, run on a machine of two processors."""
    script(root / "programs" / "nproc", "echo 2")
    text = ("set -euo pipefail", ". setup/check.sh", *lines, "finish_checks")
    (root / "list").write_text("\n".join(text))
    # As a background job of a shell this would ignore Ctrl-C, and could end nobody.
    bash = ("env", "--default-signal=INT,QUIT", "bash")
    path = f"{root}/programs:{os.environ['PATH']}"
    return run(root, *bash, "list", ONLY=only, GEAR=gear, PATH=path)


@pytest.mark.parametrize("how", ["check", "check_alone"])
def test_a_check_fails_at_its_first_failing_command(root: Path, how: str) -> None:
    lines = (
        "two() { false; true; }",
        f"{how} good . true", f"{how} bad . two", "check_alone never . touch reached",
    )  # fmt: skip
    done = checks(root, *lines)
    assert done.returncode == 1
    # Which of two that run beside each other ends first is anybody's guess.
    passed = r"[01]" if how == "check" else "1"
    ending = rf"✗ bad failed\. Alone: make test ONLY='bad'\n{passed} passed, 1 failed\n\Z"
    assert re.search(ending, done.stdout)
    assert not (root / "reached").exists()
    assert "\n1 passed, 0 failed, in 0 min " in checks(root, *lines, only="g*").stdout
    assert checks(root, *lines, only="nothing").returncode == 1


def test_checks_run_beside_each_other_and_alone_where_they_must(root: Path) -> None:
    meeting = "meet() { touch here-$1; until [ -e here-$2 ]; do sleep 0.01; done; echo $1 met $2; }"
    done = checks(
        root, meeting, "check one . meet a b", "check two . meet b a",
        "check before . sh -c 'sleep 0.2; touch over'", "check_alone alone . test -e over",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    # What one prints stays together, under its name.
    assert "\n▸ one\na met b\n  ok, " in done.stdout
    assert "\n▸ two\nb met a\n  ok, " in done.stdout
    assert "\n4 passed, 0 failed, in 0 min " in done.stdout


def test_what_runs_beside_a_failing_check_is_ended(root: Path) -> None:
    done = checks(
        root,
        "long() { trap 'touch put-away; exit' INT; touch begun; while :; do sleep 0.01; done; }",
        "check long . long", "check bad . sh -c 'until [ -e begun ]; do sleep 0.01; done; exit 3'",
    )  # fmt: skip
    assert done.stdout.endswith("✗ bad failed. Alone: make test ONLY='bad'\n0 passed, 1 failed\n")
    assert (root / "put-away").exists()


@pytest.fixture
def benches(root: Path) -> Path:
    """A top level whose benches print no figures yet."""
    for bench in runpy.run_path(str(SETUP / "bench"))["BENCHES"]:
        script(root / bench, "echo '[]'")
    return root


GOOD = {"name": "a", "value": 1.5, "unit": "s", "how": "by watch"}


def prints(path: Path, *figures: dict[str, object]) -> None:
    """Let a bench print these figures."""
    script(path, f"echo '{json.dumps(figures)}'")


def written(root: Path) -> dict[str, object]:
    """Name and value of every figure in bench.json."""
    figures = json.loads((root / "build" / "bench.json").read_text())
    return {figure["name"]: figure["value"] for figure in figures}


@pytest.mark.parametrize("how", ["no unit", "no number", "a name twice", "not JSON", "exit 3"])
def test_a_bench_that_fails_takes_nothing_from_the_others(benches: Path, how: str) -> None:
    first, failing = benches / "lab-agent" / "bench", benches / "setup" / "warm-start"
    last = benches / "backend" / "demo-bench"
    prints(first, GOOD)
    prints(failing, GOOD | {"name": "b"})
    assert run(benches, "setup/bench", ONLY="*").returncode == 0
    assert written(benches) == {"a": 1.5, "b": 1.5}

    prints(first, GOOD | {"value": 2})
    prints(last, GOOD | {"name": "c"})
    match how:
        case "no unit":
            prints(failing, {"name": "b", "value": 1, "how": ""})
        case "no number":
            prints(failing, GOOD | {"name": "b", "value": "1"})
        case "a name twice":
            prints(failing, GOOD)
        case "not JSON":
            script(failing, "echo oops")
        case _:
            script(failing, "exit 3")
    done = run(benches, "setup/bench", ONLY="*")
    assert done.returncode == 1
    assert done.stderr.rstrip().splitlines()[-1].endswith("failed: setup/warm-start")
    assert "by watch" in done.stdout
    assert written(benches) == {"a": 2, "b": 1.5, "c": 1.5}


def test_some_benches_leave_the_figures_of_others(benches: Path) -> None:
    prints(benches / "lab-agent" / "bench", GOOD)
    prints(benches / "setup" / "warm-start", GOOD | {"name": "b"})
    assert run(benches, "setup/bench", ONLY="*").returncode == 0
    prints(benches / "setup" / "warm-start", GOOD | {"name": "new"})
    assert run(benches, "setup/bench", ONLY="warm*").returncode == 0
    assert written(benches) == {"a": 1.5, "new": 1.5}


def test_an_ordinary_user_is_told_the_command_that_installs_what_is_missing(root: Path) -> None:
    programs = root / "programs"
    script(programs / "id", "echo 1000")
    script(programs / "apt-get", "touch called; exit 1")
    script(programs / "dpkg-query", "echo installed gcc")
    (root / "part").mkdir()
    (root / "part" / "prerequisites").write_text("gcc\nflex # for the kernel\n")
    done = run(
        root, "setup/prerequisites", "run",
        PATH=f"{programs}:{os.environ['PATH']}", HOME=str(root), THINLAB_CACHE=str(root / "cache"),
        THINLAB_DATA=str(root / "data"),
    )  # fmt: skip
    assert done.returncode == 1
    assert "apt-get install" in done.stderr
    assert " flex " in done.stderr
    assert " gcc " not in done.stderr
    assert not (root / "called").exists()


def test_only_the_purpose_that_needs_a_package_asks_for_it(root: Path) -> None:
    programs = root / "programs"
    script(programs / "id", "echo 1000")
    script(programs / "dpkg-query", "echo installed gcc")
    (root / "part").mkdir()
    (root / "part" / "prerequisites.kernel-deb").write_text("rsync\n")
    asked = {
        purpose: " rsync "
        in run(
            root, "setup/prerequisites", purpose,
            PATH=f"{programs}:{os.environ['PATH']}", HOME=str(root),
            THINLAB_CACHE=str(root / "cache"), THINLAB_DATA=str(root / "data"),
        ).stderr.replace("'", " ")
        for purpose in ("run", "test", "kernel-deb")
    }  # fmt: skip
    assert asked == {"run": False, "test": False, "kernel-deb": True}


def test_a_cargo_that_is_too_old_is_named(root: Path) -> None:
    programs = root / "programs"
    script(programs / "cargo", "echo cargo 1.80.0")
    # Debian's Rust is there, but an older one comes first on the path.
    packages = (SETUP / "packages").read_text().splitlines()
    installed = [line for line in packages if line and not line.startswith("#")]
    installed += ["cargo-web", "rustc-web"]
    script(programs / "dpkg-query", "\n".join(f"echo installed {name}" for name in installed))
    done = run(
        root, "setup/prerequisites", "run",
        PATH=f"{programs}:{os.environ['PATH']}", THINLAB_CACHE=str(root / "cache"),
        THINLAB_DATA=str(root / "data"),
    )  # fmt: skip
    assert done.returncode == 1
    assert f"{programs}/cargo" in done.stderr
    assert "rustup update" in done.stderr


def test_pages_have_the_same_headers_whoever_serves_them() -> None:
    text = (SETUP.parent / "frontend" / "nginx" / "headers.conf").read_text()
    assert dict(re.findall(r'^add_header (\S+) "(.*)" always;$', text, re.MULTILINE)) == HEADERS


def test_pages_have_the_same_addresses_whoever_serves_them() -> None:
    frontend = SETUP.parent / "frontend"
    assert f"location ~ ^{PAGE}$ {{" in (frontend / "nginx" / "nginx.conf").read_text()
    said = (frontend / "src" / "main.tsx").read_text()
    in_script = re.search(r"^const PAGE = /\^(.*)\$/;$", said, re.MULTILINE)
    assert in_script is not None
    # A slash in a regular expression of JavaScript's is escaped, but not in a class.
    assert in_script[1].replace(r"\/", "/") == PAGE


def test_the_first_gear_leaves_out_the_second(root: Path) -> None:
    lines = (
        "gear first", "check quick . true", "gear second", "check slow . touch reached",
        "check_alone slower . touch reached",
    )  # fmt: skip
    done = checks(root, *lines, gear="first")
    assert "\n1 passed, 0 failed, in 0 min " in done.stdout
    assert not (root / "reached").exists()
    assert "\n3 passed, 0 failed, in 0 min " in checks(root, *lines).stdout
