"""What tests of experiments on a real host share.

SPDX-License-Identifier: Apache-2.0
"""

from pathlib import Path

import pytest

from tests.experiment.commands import need_parts


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache of the module's own."""
    need_parts()
    return tmp_path_factory.mktemp("cache")
