"""The web server's place on a busy machine.

SPDX-License-Identifier: Apache-2.0
"""

import json
import subprocess
import sys
from typing import Any

import pytest

pytestmark = pytest.mark.processes

TOLD = """
import json, os
from pathlib import Path
from thinlab.web.priority import SESSION, go_before_others
session = SESSION.read_text() if SESSION.exists() else ""
print(json.dumps([go_before_others(), os.getpriority(os.PRIO_PROCESS, 0),
                  session, SESSION.read_text() if SESSION.exists() else ""]))
"""


def told(*, as_leader: bool) -> list[Any]:
    done = subprocess.run(
        [sys.executable, "-c", TOLD],
        stdout=subprocess.PIPE,
        check=True,
        start_new_session=as_leader,
    )
    return list(json.loads(done.stdout))


def test_it_goes_before_others_where_that_is_allowed_and_says_so() -> None:
    allowed, niceness, _, session = told(as_leader=True)
    if allowed:
        assert niceness == -15
        assert not session or session.endswith("nice -15\n")
    else:
        assert niceness == 0


def test_it_leaves_the_session_of_somebody_else_alone() -> None:
    _, _, before, after = told(as_leader=False)
    assert before == after
