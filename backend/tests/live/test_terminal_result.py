"""A terminal's result, from the agent's message to what is kept.

SPDX-License-Identifier: Apache-2.0
"""

from google.protobuf.json_format import ParseDict

from tests.made_up import made_up_terminal_result
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.contract.generated.results import TerminalResult


def test_a_result_crosses_unchanged_without_keys_and_text() -> None:
    expected = made_up_terminal_result("any")
    message = ParseDict(expected.model_dump(mode="json"), pb.TerminalResult())
    message.text = b"private"
    message.keys.add(number=1)
    crossed = TerminalResult.of(pb.TerminalResult.FromString(message.SerializeToString()))
    assert crossed == expected
    assert "private" not in crossed.model_dump_json()
