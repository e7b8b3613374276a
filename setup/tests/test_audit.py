"""`make audit` tells what it could not ask, and never calls that clean.

SPDX-License-Identifier: Apache-2.0
"""

import importlib.util
import json
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from subprocess import CompletedProcess
from types import ModuleType

import pytest

SETUP = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def audit() -> ModuleType:
    loader = SourceFileLoader("audit", str(SETUP / "audit"))
    spec = importlib.util.spec_from_loader("audit", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["audit"] = module
    loader.exec_module(module)
    return module


def _done(stdout: object = "", stderr: str = "", code: int = 0) -> CompletedProcess[str]:
    text = stdout if isinstance(stdout, str) else json.dumps(stdout)
    return CompletedProcess([], code, text, stderr)


def _told(audit: ModuleType, *parts: object) -> tuple[int, list[str]]:
    lines: list[str] = []
    return audit.report(parts, lines.append), lines


def test_a_package_that_was_skipped_was_not_asked_about(audit: ModuleType) -> None:
    answer = {
        "dependencies": [
            {"name": "one", "version": "1", "vulns": []},
            {"name": "two", "skip_reason": "Dependency not found on PyPI"},
        ]
    }
    part = audit.python_findings(audit.Part("Python", ""), _done(answer))
    code, lines = _told(audit, part)
    assert code == 2
    assert "1 of 2 packages" in lines[0]


def test_what_was_found_counts_before_what_was_not_asked(audit: ModuleType) -> None:
    hole = {"id": "PYSEC-1", "fix_versions": ["2"]}
    answer = {
        "dependencies": [
            {"name": "one", "version": "1", "vulns": [hole]},
            {"name": "two", "skip_reason": "?"},
        ]
    }
    part = audit.python_findings(audit.Part("Python", ""), _done(answer, code=1))
    code, lines = _told(audit, part)
    assert code == 1
    assert lines[0] == "FOUND      Python: one 1: PYSEC-1, mended in 2"


def test_a_registry_that_refuses_was_not_asked(audit: ModuleType) -> None:
    refused = _done({"error": {"code": "ERR_PNPM_AUDIT_BAD_RESPONSE"}}, code=1)
    code, lines = _told(audit, audit.pages_findings(refused))
    assert code == 2
    assert lines[0].startswith("NOT ASKED  TypeScript")


def test_pages_without_advisories_are_clean(audit: ModuleType) -> None:
    answer = {"advisories": {}, "metadata": {"totalDependencies": 300}}
    assert _told(audit, audit.pages_findings(_done(answer))) == (
        0,
        ["clean      TypeScript (pnpm audit): 300 packages"],
    )


def test_crates_by_what_cargo_deny_says(audit: ModuleType) -> None:
    error = {"type": "diagnostic", "fields": {"severity": "error", "message": "yanked"}}
    summary = {"type": "summary", "fields": {"advisories": {"errors": 1}}}
    found = _done(stderr=f"{json.dumps(error)}\n{json.dumps(summary)}", code=1)
    assert _told(audit, audit.rust_findings("Rust", found))[0] == 1
    clean = _done(stderr=json.dumps(summary))
    assert _told(audit, audit.rust_findings("Rust", clean))[0] == 0
    log = {
        "type": "log",
        "fields": {"level": "ERROR", "message": "failed to fetch advisory database"},
    }
    away = _done(stderr=json.dumps(log), code=1)
    code, lines = _told(audit, audit.rust_findings("Rust", away))
    assert (code, lines) == (2, ["NOT ASKED  Rust: failed to fetch advisory database"])
    assert _told(audit, audit.rust_findings("Rust", _done(code=101)))[0] == 2


def test_an_image_that_is_not_pinned_is_told(
    audit: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "part").mkdir()
    file = tmp_path / "part" / "Dockerfile"
    monkeypatch.setattr(audit, "ROOT", tmp_path)
    file.write_text("ARG BASE=debian:bookworm-slim\nFROM ${BASE}\n")
    assert _told(audit, audit.images())[0] == 2
    file.write_text(f"ARG BASE=debian:bookworm-slim@sha256:{'0' * 64}\nFROM ${{BASE}}\n")
    assert _told(audit, audit.images())[0] == 0
    file.write_text("FROM debian\n")
    assert _told(audit, audit.images())[0] == 1
