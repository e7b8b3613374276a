"""Our own types for a terminal's result against the agent's contract.

SPDX-License-Identifier: Apache-2.0
"""

from google.protobuf.json_format import ParseDict

from tests.made_up import made_up_terminal_result, present
from tests.recording.test_contract import compare
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.lab.terminal_result import LEFT_OUT, TerminalEnd, TerminalResult, terminal_result_of


def test_the_result_has_the_contracts_fields() -> None:
    ours = set(TerminalResult.model_fields)
    assert ours | LEFT_OUT == set(pb.TerminalResult.DESCRIPTOR.fields_by_name)
    for name, field in TerminalResult.model_fields.items():
        message = pb.TerminalResult.DESCRIPTOR.fields_by_name[name].message_type
        kind = present(field.annotation)
        if message is not None and hasattr(kind, "model_fields"):
            compare(kind, message)
    assert {end.value for end in TerminalEnd} == set(pb.TerminalEnd.keys())


def test_a_result_crosses_unchanged_without_keys_and_text() -> None:
    expected = made_up_terminal_result("any")
    message = ParseDict(expected.model_dump(mode="json"), pb.TerminalResult())
    message.text = b"private"
    message.keys.add(number=1)
    crossed = terminal_result_of(pb.TerminalResult.FromString(message.SerializeToString()))
    assert crossed == expected
    assert "private" not in crossed.model_dump_json()
