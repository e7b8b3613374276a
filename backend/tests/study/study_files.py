"""Study files to be broken, and the clips that they may use.

SPDX-License-Identifier: Apache-2.0
"""

import re
import tempfile
from pathlib import Path

import pytest

from thinlab.clips.manifest import Clips, ManifestClip
from thinlab.settings import CHECKOUT
from thinlab.study.file import StudyFileError, read
from thinlab.trials.registry import KINDS

SURVEY = CHECKOUT / "survey"
DEMO = SURVEY / "demo.yaml"
READY = sorted(SURVEY.glob("*.yaml"))
CLIPS: dict[str, ManifestClip] = Clips.open(CHECKOUT / "clips" / "manifest.yaml", Path()).manifest

_EARLIER = tempfile.TemporaryDirectory(prefix="thinlab-studies-")


def earlier(name: str) -> Path:
    """A shipped study as it was when trials decided; it still is where it was loaded then."""
    text = (SURVEY / f"{name}.yaml").read_text()
    text, changed = re.subn(
        r"  hypotheses:\n.*?  replaces_primary:\s+(\[.*?\])\n  confidence: 0.95\n",
        lambda found: f"  primary: {found[1]}\n  confidence: 0.95\n  correction: holm\n",
        text,
        flags=re.DOTALL,
    )
    assert changed == 1
    file = Path(_EARLIER.name) / f"{name}.yaml"
    file.write_text(text)
    return file


def faults(folder: Path, study: Path, old: str, new: str) -> list[str]:
    """What is said about a study after one change, from the line number on."""
    text = study.read_text()
    assert old in text
    return faults_of(folder, text.replace(old, new, 1))


def faults_of(folder: Path, text: str | bytes) -> list[str]:
    """What is said about a text as a study, from the line number on."""
    file = folder / "changed.yaml"
    file.write_bytes(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)
    with pytest.raises(StudyFileError) as caught:
        read(file, CLIPS, KINDS)
    return [str(fault).removeprefix(f"{file}:") for fault in caught.value.faults]


def line_of(study: Path, text: str) -> int:
    """The line of a study that holds a text first."""
    return study.read_text().split(text)[0].count("\n") + 1
