"""What the analyser says, and why it says nothing."""

import os
from pathlib import Path

import pytest

from thinlab.lab.analyser import AnalyserError, said

pytestmark = pytest.mark.processes


def test_it_is_told_what_is_wrong(tmp_path: Path) -> None:
    agent = Path(os.environ["THINLAB_AGENT"])
    nothing = tmp_path / "nothing.pcapng"
    with pytest.raises(AnalyserError, match=r"nothing\.pcapng"):
        said(agent, "analyze", nothing)
    with pytest.raises(AnalyserError, match=r"nothing\.pcapng cannot be run: No such file"):
        said(nothing, "analyze")
    assert b"Usage" in said(agent, "analyze", "--help")
