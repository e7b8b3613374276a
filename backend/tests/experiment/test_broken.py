"""What a session comes to whose path broke the stream.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import replace
from pathlib import Path

import grpc
import pytest

from tests.experiment.commands import SMALL
from tests.experiment.made_up_cell import CELL
from tests.experiment.made_up_results import BUILD, put_results
from thinlab.condition.path import BitErrors, Direction
from thinlab.experiment import broken, page, session
from thinlab.experiment.file import read
from thinlab.experiment.report import Report
from thinlab.experiment.request import SessionRequest, requests
from thinlab.experiment.session import run_session
from thinlab.experiment.store import SessionStore
from thinlab.lab.agent import AgentRefusedError, StreamBrokeError, explained

pytestmark = pytest.mark.unit

REASON = "Connection timed out while reading the stream"


def asked(path: Direction | None = None) -> SessionRequest:
    """A session over the made-up cell's path, or one that damages."""
    cell = CELL
    if path is not None:
        cell = replace(cell, path=cell.path.model_copy(update={"forward": path}))
    return SessionRequest(cell=cell, run=0, seed=1, messages=1, retransmission_times=False)


def answered(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Has each session end so."""

    async def end(*_: object) -> None:
        raise error

    monkeypatch.setattr(session, "_run", end)


@pytest.mark.parametrize(
    "path",
    [
        Direction(delay_ms=50, corrupt_share=0.1),
        Direction(delay_ms=50, bit_errors=BitErrors(error_share_good=0.001)),
    ],
)
def test_a_stream_that_a_damaging_path_broke_is_a_result(
    path: Direction, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered(monkeypatch, StreamBrokeError(REASON))
    outcome = run_session(asked(path), None, BUILD)
    assert outcome.record == {"host_build": BUILD, "broken": REASON}
    assert outcome.problem == ""


def test_the_same_is_a_failure_where_nothing_is_damaged(monkeypatch: pytest.MonkeyPatch) -> None:
    answered(monkeypatch, StreamBrokeError(REASON))
    outcome = run_session(asked(), None, BUILD)
    assert (outcome.record, outcome.problem) == (None, REASON)


@pytest.mark.parametrize(
    "error", [session.SelfCheckError("a byte is missing"), AgentRefusedError("the ring was full")]
)
def test_a_defect_of_the_lab_is_a_failure_on_any_path(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered(monkeypatch, error)
    outcome = run_session(asked(Direction(delay_ms=50, corrupt_share=0.1)), None, BUILD)
    assert (outcome.record, outcome.problem) == (None, str(error))


def test_what_the_agent_calls_data_loss_is_a_broken_stream() -> None:
    def told(code: grpc.StatusCode) -> Exception:
        return explained(grpc.aio.AioRpcError(code, grpc.aio.Metadata(), grpc.aio.Metadata(), "x"))

    assert type(told(grpc.StatusCode.DATA_LOSS)) is StreamBrokeError
    assert type(told(grpc.StatusCode.INTERNAL)) is AgentRefusedError


def test_the_report_counts_what_broke_and_names_why(tmp_path: Path) -> None:
    folder = put_results(tmp_path)
    experiment, published = read(SMALL)
    report = Report(experiment, published, folder)
    whole = [one.where for one in report.broken()]
    assert whole == []
    store = SessionStore(tmp_path / "sessions")
    first, second, *_ = requests(experiment)
    for request in (first, second):
        store.write(request.key(BUILD), broken.record(BUILD, REASON))
    assert report.collect(store, BUILD) == []
    assert [one.key for one in report.broken()] == [first.key(BUILD), second.key(BUILD)]
    text, _ = report.write_tables(report.summaries())
    assert "## Broken by the path" in text
    assert REASON in text
    page.write([report], folder / "small.html")
    shown = (folder / "small.html").read_text()
    assert "Broken by the path" in shown
    assert shown.count(REASON) == len(broken.counted(report.broken()))
    # Run again, on a host whose path lets them live: nothing of it is left.
    for request in (first, second):
        store._file(request.key(BUILD)).unlink()
    report.collect(store, BUILD)
    assert not report.broken_file.exists()
