"""Flows of a cell: what is asked of the agent, what is refused, and what they got, by hand.

SPDX-License-Identifier: Apache-2.0
"""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.experiment.definition import ExperimentDefinition
from thinlab.experiment.file import read
from thinlab.experiment.flows import PlannedFlow
from thinlab.experiment.request import SessionRequest, requests
from thinlab.experiment.shares import FlowRow, harm, jain_index, of_groups
from thinlab.experiment.stream import models
from thinlab.located_yaml import FileFaultsError
from thinlab.settings import CHECKOUT

FLOWS = Path(__file__).parent / "small-flows.yaml"
SWEEP = CHECKOUT / "backend" / "experiments" / "loss-sweep.yaml"
NS_PER_S = 1_000_000_000


def first(mode: str, file: Path = FLOWS) -> SessionRequest:
    """The first session of a mode."""
    experiment, _ = read(file)
    return next(one for one in requests(experiment) if one.cell.mode.startswith(mode))


def written(folder: Path, old: str, new: str, text: str | None = None) -> Path:
    """The experiment after one change."""
    text = FLOWS.read_text() if text is None else text
    assert old in text
    file = folder / "flows.yaml"
    file.write_text(text.replace(old, new, 1))
    return file


def test_groups_with_a_sender_of_their_own_have_a_lane_at_the_bottleneck() -> None:
    spec = first("bundling").spec()
    assert spec.shared_bottleneck
    compared, beside = spec.lanes
    assert compared.lane.HasField("forward")
    assert len(compared.lane.mechanisms) > 1
    assert not beside.lane.HasField("forward")
    assert not beside.lane.mechanisms
    assert (beside.lane.seed, beside.lane.baseline) == (0, pb.BASELINE_BBR)
    assert [flow.begins_ns for flow in beside.flows] == [0, 7_000_000]
    kinds = [(flow.stream.WhichOneof("kind"), flow.backward) for flow in compared.flows]
    assert kinds == [("drawn", False), ("drawn", True)] * 5
    answers = compared.flows[1]
    assert (answers.same_connection, answers.answers) == (True, True)
    assert answers.stream.drawn.lasts_us == 0
    back = compared.flows[-1]
    assert (back.same_connection, back.answers) == (True, False)
    assert back.stream.drawn.lasts_us == 12_000_000
    rows = back.stream.drawn.gap_us.empirical.rows
    assert [(row.weight, row.lowest) for row in rows] == [(1, 50_000), (1, 100_000)]
    assert [row.HasField("highest") for row in rows] == [False, True]


def test_what_is_compared_meets_the_same_seed_and_sends_the_same() -> None:
    off, on = first("off"), first("bundling")
    assert off.seed == on.seed
    assert off.key("build") != on.key("build")
    sent = [[flow for lane in one.spec().lanes for flow in lane.flows] for one in (off, on)]
    assert sent[0] == sent[1]
    names = ["typists", "typists, back", "thin", "thin, back", "transfers"]
    names += ["typists + thin + transfers"]
    assert [part.group for part in off.cell.parts()] == names
    assert len({part.situation for part in off.cell.parts()}) == len(names)


def test_sessions_of_one_stream_are_kept_under_the_keys_they_had() -> None:
    request = first("off", SWEEP)
    assert request.key("build") == "0bb99f065e0ec5a768506819a69023d2"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("stream: ssh", "stream: shh", "no model is called `shh`; there are: anarchy-online"),
        ("count: 3", "counts: 3", "Did you mean `count`?"),
        ("{ uniform: [40, 80] }", "{ uniform: [80, 40] }", "give the lowest value first"),
        ("{ uniform: [40, 80] }", "{ normal: 4 }", "unknown key"),
        ("{ uniform: [40, 80] }", "{}", "give a number or one of uniform, exponential"),
        ("[1, 100, 150]", "[1, 100, 150, 200]", "a weight and a value"),
        ("[[1, 50], [1, 100, 150]]", "[[0, 50]]", "have no weight together"),
        ("gap_ms: { exp", "pause_ms: 5, gap_ms: { exp", "give both or neither"),
        ("{ bulk: { bytes: 400000 } }", "{}", "give one of synthetic, drawn, bulk, replay"),
        ("    count: 3\n", "    count: 600\n", "less than or equal to 512"),
        ("    count: 3\n", "    count: 260\n", "526 streams together, both ways counted"),
        ("name: thin\n", "name: typists\n", "two groups are called `typists`"),
        ("apart_ms: 7", "begins_ms: 12000", "begins after 12 s"),
        ("bytes: 400000", "bytes: 17000000", "a session holds 32 MiB; give fewer minutes"),
        ("minutes: 0.2", "minutes: 1440", "a session holds 32 MiB; give fewer minutes"),
        ("exponential: 100", "exponential: 0.001", "more than 1000000 messages"),
        ("    flows:\n", "    iat_ms: 5\n    flows:\n", "`iat_ms` is of one stream"),
        ("bulk: { bytes: 400000 }", "replay: { file: none.json }", "none.json; name another"),
        ("bulk: { bytes: 400000 }", "replay: { file: captures/a.json }", "run `make captures`"),
        ("runs: 2", "runs: 2\nretransmission_times: true", "read off one stream's capture"),
    ],
)
def test_what_cannot_run_is_refused(tmp_path: Path, old: str, new: str, says: str) -> None:
    file = written(tmp_path, old, new)
    with pytest.raises(FileFaultsError) as caught:
        read(file)
    assert says in str(caught.value)


def test_a_capture_that_is_not_there_is_named_once_with_line_and_remedy(tmp_path: Path) -> None:
    missing = "replay: { file: captures/ssh.json }"
    file = written(tmp_path, "bulk: { bytes: 400000 }", missing)
    with pytest.raises(FileFaultsError) as caught:
        read(file)
    (fault,) = caught.value.faults
    assert (fault.line, fault.field) == (
        file.read_text().split(missing)[0].count("\n") + 1,
        "grids[0].flows[2].stream.replay",
    )
    assert fault.message == "captures/ssh.json has not been made yet; run `make captures`"


def test_one_group_may_have_a_mode_of_its_own(tmp_path: Path) -> None:
    read(written(tmp_path, "count: 3\n", "count: 3\n        mode: off\n"))


def test_groups_that_all_have_senders_of_their_own_leave_nothing_to_compare(
    tmp_path: Path,
) -> None:
    text = FLOWS.read_text()
    for name in ("typists", "thin"):
        text = text.replace(f"name: {name}\n", f"name: {name}\n        mode: all\n")
    with pytest.raises(FileFaultsError, match="would change nothing"):
        read(written(tmp_path, "runs: 2", "runs: 1", text))


def test_a_replay_sends_each_connection_by_itself(tmp_path: Path) -> None:
    def write(at_ns: int, size: int) -> dict[str, int]:
        return {"at_ns": at_ns, "bytes": size}

    captured = {
        "connections": [
            {"client": "a", "server": "b", "there": [write(0, 10)], "back": [write(5, 20)]},
            {"client": "c", "server": "b", "there": [], "back": [write(9_000_000, 30)]},
        ]
    }
    (tmp_path / "captured.json").write_text(json.dumps(captured))
    looped = "replay: { file: captured.json, loop_s: 0.01 }"
    request = first("off", written(tmp_path, "bulk: { bytes: 400000 }", looped))
    flows = request.spec().lanes[1].flows
    assert [(flow.backward, flow.same_connection) for flow in flows] == [
        (False, False),
        (True, True),
        (True, False),
    ] * 2
    sent = flows[1].stream.replay
    assert [(one.at_ns, one.payload_bytes) for one in sent.messages] == [(5, 20)]
    assert (sent.every_ns, sent.lasts_ns) == (10_000_000, 12 * NS_PER_S)
    key = request.key("build")
    captured["connections"][0]["there"][0]["bytes"] = 11  # type: ignore[index]
    (tmp_path / "captured.json").write_text(json.dumps(captured))
    assert first("off", tmp_path / "flows.yaml").key("build") != key
    for wrong, says in (
        ("{ file: captured.json, loop_s: 0.001 }", "`loop_s` is shorter than the capture"),
        ("{ file: flows.yaml }", "is not what `lab-agent stream of CAPTURE` prints"),
        ("{ file: captured.json, content: x }", "`content` is the file's"),
    ):
        with pytest.raises(FileFaultsError, match=says):
            read(written(tmp_path, "bulk: { bytes: 400000 }", f"replay: {wrong}"))


def test_what_a_game_says_of_tanks_is_measured_and_changes_nothing_that_is_sent(
    tmp_path: Path,
) -> None:
    ends = {"client": "a", "server": "b"}
    ways = {"there": [{"at_ns": 0, "bytes": 10}], "back": [{"at_ns": 5, "bytes": 20}]}
    (tmp_path / "game.json").write_text(json.dumps({"connections": [{**ends, **ways}]}))

    def asked(**told: object) -> SessionRequest:
        connection = {**ends, "ends": [4, 16], "states": [0, 0], **told}
        tanks = {"made_by": "x", "states": [[7]], "connections": [connection]}
        (tmp_path / "tanks.json").write_text(json.dumps(tanks))
        replay = "replay: { file: game.json, positions: tanks.json }"
        return first("off", written(tmp_path, "bulk: { bytes: 400000 }", replay))

    game = asked()
    there, back = [one for one in game.planned() if one.lane == 1][:2]
    assert there.tanks is None
    assert back.tanks is not None
    assert back.tanks.ends.tolist() == [4, 20]
    replay = "replay: { file: game.json }"
    plain = first("off", written(tmp_path, "bulk: { bytes: 400000 }", replay))
    assert (plain.seed, plain.spec()) == (game.seed, game.spec())
    keys = {one.key("build") for one in (plain, game, asked(states=[0, 0], ends=[5, 10]))}
    assert len(keys) == 3
    for wrong in ({"ends": [4, 17]}, {"client": "c"}, {"states": [0, 1]}):
        with pytest.raises(FileFaultsError, match=r"tanks.json is not what `make captures` makes"):
            asked(**wrong)
    for wrong_file, says in (
        ("positions: tanks.json, positions_content: x", "`positions_content` is the file's"),
        ("positions: captures/tanks.json", "run `make captures`"),
    ):
        file = f"replay: {{ file: game.json, {wrong_file} }}"
        with pytest.raises(FileFaultsError, match=says):
            read(written(tmp_path, "bulk: { bytes: 400000 }", file))


def test_jains_index_is_that_of_the_paper() -> None:
    assert jain_index([5, 5, 5]) == pytest.approx(1)
    assert jain_index([1, 0, 0, 0]) == pytest.approx(1 / 4)
    # (1 + 2 + 3)² ÷ (3 · 14)
    assert jain_index([1, 2, 3]) == pytest.approx(36 / 42)
    assert jain_index([0, 0]) == 1


def flow(group: str, backward: bool, megabit: float, p99_us: float) -> FlowRow:
    """A flow that began after a second and went on for one."""
    curve = {"cdf_us": [10.0, p99_us], "cdf_share": [0.5, 1.0]}
    names = ("felt_sojourn", "application_per_byte", "application_per_message")
    return FlowRow(
        PlannedFlow(0, 0, group, backward, NS_PER_S, pb.Flow()),
        {
            "stream_ns": 2 * NS_PER_S,
            "delivered_bytes": megabit * 125_000,
            "payload_bytes": megabit * 250_000,
            "application_per_byte_p99_us": p99_us,
            "felt_sojourn_max_us": p99_us,
            **{f"{name}_{key}": value for name in names for key, value in curve.items()},
        },
    )


def test_groups_share_what_goes_their_way() -> None:
    rows = of_groups(
        [
            flow("thin", False, 1, 100),
            flow("thin, back", True, 3, 50),
            flow("bulk", False, 2, 200),
            flow("bulk", False, 5, 400),
        ]
    )
    assert list(rows) == ["thin", "thin, back", "bulk", "thin + bulk"]
    shares = {name: row["goodput_share"] for name, row in rows.items()}
    expected = {"thin": 1 / 8, "thin, back": 1, "bulk": 7 / 8, "thin + bulk": 1}
    assert shares == pytest.approx(expected)
    bulk = rows["bulk"]
    assert bulk["goodput_mean_bit_per_s"] == pytest.approx(3_500_000)
    assert bulk["sent_mean_bit_per_s"] == pytest.approx(7_000_000)
    assert bulk["jain_index"] == pytest.approx(49 / (2 * 29))
    assert bulk["application_per_byte_p99_us"] == pytest.approx(300)
    assert bulk["felt_sojourn_max_us"] == 400
    assert bulk["felt_sojourn_cdf_us"] == [10, 200, 400]
    assert bulk["felt_sojourn_cdf_share"] == pytest.approx([0.5, 0.75, 1])
    assert rows["thin + bulk"]["jain_index"] == pytest.approx(64 / (3 * 30))
    assert rows["thin + bulk"]["flow_count"] == 3
    slower = {**bulk, "goodput_bit_per_s": 5_600_000, "application_per_byte_p99_us": 400}
    assert harm(slower, bulk) == pytest.approx({"harm_goodput_share": 0.2, "harm_p99_share": 0.25})


def test_models_have_every_row_with_tcp_of_the_table() -> None:
    table = {name for name, one in models().items() if one.published}
    assert table == {
        "anarchy-online",
        "bzflag",
        "world-of-warcraft",
        "casa",
        "remote-desktop",
        "skype",
        "ssh",
        "bulk-transfer",
    }
    for name, one in models().items():
        assert one.name == name
        drawn = one.stream.drawn
        assert drawn is not None
        if one.published:
            # A pareto's mean is the model's own business; a table's is the paper's.
            assert drawn.message_bytes.mean == pytest.approx(one.published["bytes_mean"], rel=0.02)
    assert models()["anarchy-online"].connections == 170
    web = models()["web"].stream.drawn
    assert web is not None
    assert web.message_bytes.mean == pytest.approx(9200, rel=0.01)


def test_a_cell_with_flows_is_told_from_one_without() -> None:
    experiment, _ = read(FLOWS)
    cell = experiment.cells()[0]
    assert cell != replace(cell, flows=())
    assert ExperimentDefinition.model_validate(dict(experiment)) == experiment
