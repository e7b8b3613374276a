"""What a session sends of a game's tanks, over and over, and whose connection it is.

SPDX-License-Identifier: Apache-2.0
"""

import json
from collections.abc import Sequence

import numpy as np
import pytest

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.experiment.flows import PlannedFlow
from thinlab.experiment.game import with_openers
from thinlab.experiment.shares import FlowRow, of_groups
from thinlab.experiment.tanks import columns
from thinlab.experiment.tanks.known import Told, known_in
from thinlab.experiment.tanks.sent import Sent

MS = 1_000_000


def told(ends: Sequence[int], stamps: Sequence[float | None]) -> Told:
    """A game of one tank, whose messages end there; each from the one before."""
    states = [
        [1] if stamp is None else [1, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0, stamp]
        for stamp in stamps
    ]
    one = {"client": "a", "server": "b", "ends": ends, "states": list(range(len(ends)))}
    file = {"made_by": "x", "states": states, "connections": [one]}
    return known_in(json.dumps(file))["a", "b"]


def replay(writes: Sequence[tuple[int, int]], *, every_ms: int, lasts_ms: int) -> pb.ReplayStream:
    """Writes at milliseconds, and their bytes."""
    return pb.ReplayStream(
        messages=[pb.ReplayMessage(at_ns=at * MS, payload_bytes=size) for at, size in writes],
        every_ns=every_ms * MS,
        lasts_ns=lasts_ms * MS,
    )


def test_a_message_leaves_with_the_write_that_its_last_byte_is_in() -> None:
    game = replay([(10, 20), (50, 30), (70, 5)], every_ms=0, lasts_ms=1000)
    # Within the first write, at its very end, over the border of two, at the end of all.
    sent = Sent.of(told([5, 15, 10, 25], [1.0, 1.0, 1.0, 1.0]), game)
    assert sent.ends.tolist() == [5, 20, 30, 55]
    assert (sent.sent_ns // MS).tolist() == [10, 10, 50, 70]
    assert set(sent.over_ns.tolist()) == {70 * MS}


def test_a_game_is_sent_again_until_the_time_is_over() -> None:
    game = replay([(0, 20), (60, 10)], every_ms=100, lasts_ms=230)
    sent = Sent.of(told([20, 10], [1.0, 1.06]), game)
    assert sent.ends.tolist() == [20, 30, 50, 60, 80]
    assert (sent.sent_ns // MS).tolist() == [0, 60, 100, 160, 200]
    assert sent.game.tolist() == [0, 0, 1, 1, 2]
    assert (sent.over_ns // MS).tolist() == [60, 60, 160, 160, 230]
    heard = sent.heard(sent.sent_ns + 5 * MS)
    assert heard.which.tolist() == [0, 1, 0, 1, 0]
    assert heard.lowest_ns == 5 * MS


def test_how_old_a_message_is_tells_its_stamp_against_the_youngest() -> None:
    game = replay([(0, 10), (500, 10), (1000, 10), (1500, 10)], every_ms=2000, lasts_ms=4000)
    # Another clock, 40 s ahead; the second is 0.2 s old, and the third says no time.
    sent = Sent.of(told([10, 10, 10, 10], [40.0, 40.3, None, 41.5]), game)
    assert (sent.ages_ns // MS).tolist() == [0, 200, 0, 0] * 2 + [0]
    assert ((sent.sent_ns - sent.heard(sent.sent_ns).holds_ns) // MS)[1] == 200


@pytest.mark.parametrize(
    ("ends", "states", "says"),
    [
        ([5, 0], [0, 0], "each message has an end"),
        ([5], [0, 0], "each message has an end"),
        ([5], [3], "a state that is not there"),
    ],
)
def test_a_file_that_makes_no_sense_is_refused(
    ends: list[int], states: list[int], says: str
) -> None:
    one = {"client": "a", "server": "b", "ends": ends, "states": states}
    file = {"made_by": "x", "states": [[1]], "connections": [one]}
    with pytest.raises(ValueError, match=says):
        known_in(json.dumps(file))
    with pytest.raises(ValueError, match="has 1, 4 or 10 numbers"):
        known_in(json.dumps({**file, "states": [[1, 2]]}))


def test_what_comes_back_has_the_connection_of_what_went_there() -> None:
    # Two connections both ways, and one that the server alone writes on.
    kinds = [False, True, False, True, False]
    lane = [
        PlannedFlow(0, at, "g", same, 0, pb.Flow(same_connection=same))
        for at, same in enumerate(kinds)
    ]
    assert [opener for _, opener in with_openers(lane)] == [0, 0, 2, 2, 4]


def _found(seconds: float, mean: float, points: list[list[float]]) -> dict[str, object]:
    distribution = {
        "seconds": seconds,
        "points": points,
        **dict.fromkeys(columns.NUMBERS, mean),
    }
    return {
        "error": distribution,
        "beyond_path": distribution,
        "jump_p99": mean,
        "jump_highest": 10 * mean,
    }


def test_players_count_alike_and_their_curves_by_their_time() -> None:
    rows = []
    for found in (_found(100, 1.0, [[0.0, 0.5], [2.0, 1.0]]), _found(300, 3.0, [[0.0, 1.0]])):
        own = {"stream_ns": 1, "delivered_bytes": 1, "payload_bytes": 1}
        flow = PlannedFlow(0, 0, "game", True, 0, pb.Flow())
        latency = {"application_per_byte_p99_us": 1.0}
        rows.append(FlowRow(flow, own | latency | columns.of_flow(found)))
    row = of_groups(rows)["game"]
    assert row["position_error_mean_units"] == pytest.approx(2.0)
    assert row["position_jump_max_units"] == row["position_error_max_units"] * 10 == 30
    assert row["position_error_cdf_units"] == [0.0, 2.0]
    assert row["position_error_cdf_share"] == pytest.approx([0.875, 1.0])
    assert row["position_tank_s"] == 400


def test_a_flow_without_tanks_has_no_columns_of_them() -> None:
    assert columns.of_flow(None) == columns.of_flow(_found(0, 0.0, [])) == {}
    # Each is named by what it is in.
    names = set(columns.of_flow(_found(1, 1.0, [[0.0, 1.0]])))
    assert all(name.startswith("position_") for name in names)
    assert np.all([name.endswith(("_units", "_share", "_s")) for name in names])
