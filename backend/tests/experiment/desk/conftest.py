"""An installation with a folder of shipped experiments and one of results.

SPDX-License-Identifier: Apache-2.0
"""

import shutil
from pathlib import Path

import pytest

from tests.experiment.commands import SMALL
from thinlab.experiment.desk.places import Places


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """With the small grid among what is shipped."""
    made = Places(tmp_path / "shipped", tmp_path / "results", tmp_path / "own", "a build")
    for folder in (made.shipped, made.results, made.own):
        folder.mkdir()
    for file in (SMALL, SMALL.with_name("small-published.yaml")):
        shutil.copy(file, made.shipped)
    return made
