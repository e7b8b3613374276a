"""Our own types for a session against the agent's contract.

SPDX-License-Identifier: Apache-2.0
"""

import pytest
from google.protobuf.json_format import ParseDict
from pydantic import ValidationError

from tests.made_up import made_up_result
from thinlab.condition.transport import MODE_NAMES, Baseline, Mechanism, mechanisms_of, unfit
from thinlab.condition.written import WrittenCondition
from thinlab.contract.columns import SESSION_COLUMNS
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.contract.generated.results import SessionResult
from thinlab.lab.agent import audio_session
from thinlab.recording.identity import condition_identity


def test_no_two_columns_share_a_name() -> None:
    assert len({column.name for column in SESSION_COLUMNS}) == len(SESSION_COLUMNS)
    assert all(column.meaning and column.source for column in SESSION_COLUMNS)


def test_a_result_crosses_unchanged() -> None:
    expected = made_up_result("any")
    message = ParseDict(expected.model_dump(mode="json"), pb.SessionResult())
    assert SessionResult.of(pb.SessionResult.FromString(message.SerializeToString())) == expected


def test_zeros_are_numbers_not_absences() -> None:
    result = made_up_result("any").model_dump(mode="json")
    result["playout"]["gaps"] = 0
    result["metrics"]["retransmitted_share"] = 0.0
    crossed = SessionResult.of(ParseDict(result, pb.SessionResult()))
    assert crossed.playout is not None
    assert crossed.playout.gaps == 0
    assert crossed.metrics.retransmitted_share == 0.0


def test_a_number_that_is_none_is_refused() -> None:
    message = ParseDict(made_up_result("any").model_dump(mode="json"), pb.SessionResult())
    message.metrics.iat_mean_ms = float("nan")
    with pytest.raises(ValidationError, match="iat_mean_ms"):
        SessionResult.of(message)


FITTING = [
    (mode, baseline)
    for mode in MODE_NAMES
    for baseline in Baseline
    if not unfit(baseline, mechanisms_of(mode))
]


def test_sound_is_sent_with_its_codec_and_recordings_of_opus_keep_their_keys() -> None:
    written = {"mode": "off", "path": {"rtt_ms": 130}}
    opus = WrittenCondition.model_validate(written).resolved
    telephone = WrittenCondition.model_validate(written | {"codec": "g711"}).resolved
    sent = [
        audio_session(one, seed=7, samples=b"\0\0").lanes[0].flows[0].stream.audio.codec
        for one in (opus, telephone)
    ]
    assert sent == [pb.CODEC_OPUS, pb.CODEC_G711]
    assert "codec" not in condition_identity(opus)
    assert condition_identity(telephone)["codec"] == "g711"


@pytest.mark.parametrize(("mode", "baseline"), FITTING)
def test_every_condition_can_be_asked_for(mode: str, baseline: Baseline) -> None:
    condition = WrittenCondition.model_validate(
        {
            "mode": mode,
            "baseline": baseline,
            "path": {
                "rtt_ms": 130,
                "forward": {"loss_share": 0.02, "jitter_ms": 1.5, "rate_kbit_per_s": 64},
                "backward": {
                    "gilbert_elliott": {"good_to_bad_share": 0.01, "bad_to_good_share": 0.3}
                },
            },
        }
    )
    spec = audio_session(condition.resolved, seed=7, samples=b"\0\0").lanes[0]
    assert spec.lane.forward.delay_us == spec.lane.backward.delay_us == 65_000
    assert spec.lane.forward.uniform.loss_share == 0.02
    assert spec.lane.forward.jitter_us == 1_500
    assert spec.lane.forward.rate_bit_per_s == 64_000
    assert spec.lane.backward.gilbert_elliott.loss_share_bad == 1.0
    assert spec.lane.seed == 7
    names = [pb.Mechanism.Name(m) for m in spec.lane.mechanisms]
    assert names == [f"MECHANISM_{m.name}" for m in mechanisms_of(mode)]
    assert pb.Baseline.Name(spec.lane.baseline) == f"BASELINE_{baseline.name}"
    assert set(pb.Mechanism.keys()[1:]) == {f"MECHANISM_{m.name}" for m in Mechanism}
