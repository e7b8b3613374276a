"""Our own types for a session against the agent's contract.

SPDX-License-Identifier: Apache-2.0
"""

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.json_format import ParseDict
from pydantic import BaseModel, ValidationError

from tests.made_up import made_up_result, present
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.lab.agent import audio_session, result_of
from thinlab.recording.metric_columns import METRIC_COLUMNS
from thinlab.recording.metrics import SessionResult
from thinlab.study.condition import Baseline, Condition, Mechanism, Mode


def compare(model: type[BaseModel], message: Descriptor) -> None:
    """The same fields, all the way down."""
    assert set(model.model_fields) == set(message.fields_by_name), message.full_name
    for name, field in model.model_fields.items():
        described: FieldDescriptor = message.fields_by_name[name]
        kind = present(field.annotation)
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            assert described.message_type is not None
            compare(kind, described.message_type)


def test_metrics_have_the_contracts_fields() -> None:
    compare(SessionResult, pb.SessionResult.DESCRIPTOR)
    assert len({column.name for column in METRIC_COLUMNS}) == len(METRIC_COLUMNS)
    assert all(column.meaning for column in METRIC_COLUMNS)


def test_a_result_crosses_unchanged() -> None:
    expected = made_up_result("any")
    message = ParseDict(expected.model_dump(mode="json"), pb.SessionResult())
    assert result_of(pb.SessionResult.FromString(message.SerializeToString())) == expected


def test_zeros_are_numbers_not_absences() -> None:
    result = made_up_result("any").model_dump(mode="json")
    result["playout"]["gaps"] = 0
    result["metrics"]["retransmitted_share"] = 0.0
    crossed = result_of(ParseDict(result, pb.SessionResult()))
    assert crossed.playout.gaps == 0
    assert crossed.metrics.retransmitted_share == 0.0


def test_a_number_that_is_none_is_refused() -> None:
    message = ParseDict(made_up_result("any").model_dump(mode="json"), pb.SessionResult())
    message.metrics.iat_mean_ms = float("nan")
    with pytest.raises(ValidationError, match="iat_mean_ms"):
        result_of(message)


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("baseline", Baseline)
def test_every_condition_can_be_asked_for(mode: Mode, baseline: Baseline) -> None:
    condition = Condition.model_validate(
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
    spec = audio_session(condition, seed=7, samples=b"\0\0")
    assert spec.lane.forward.delay_us == spec.lane.backward.delay_us == 65_000
    assert spec.lane.forward.uniform.loss_share == 0.02
    assert spec.lane.forward.jitter_us == 1_500
    assert spec.lane.forward.rate_bit_per_s == 64_000
    assert spec.lane.backward.gilbert_elliott.loss_share_bad == 1.0
    assert spec.lane.seed == 7
    names = [pb.Mechanism.Name(m) for m in spec.lane.mechanisms]
    assert names == [f"MECHANISM_{m.name}" for m in mode.mechanisms]
    assert pb.Baseline.Name(spec.lane.baseline) == f"BASELINE_{baseline.name}"
    assert set(pb.Mechanism.keys()[1:]) == {f"MECHANISM_{m.name}" for m in Mechanism}
