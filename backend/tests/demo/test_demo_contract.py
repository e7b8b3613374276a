"""The types of a demo against the agent's contract, and the page's contract against itself.

SPDX-License-Identifier: Apache-2.0
"""

from typing import get_args

import pytest
from pydantic import BaseModel, ValidationError

from thinlab.contract.generated import feed
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.demo.audience_message import AudienceCommand
from thinlab.demo.command import ConsoleCommand
from thinlab.web.openapi import contract

# Of a take's own clock and of ours.
RENAMED = {"at_ns": "at_ms", "rto_us": "rto_ms", "rtt_us": "rtt_ms"}


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (feed.PacketDeparture, pb.PacketDeparture),
        (feed.PacketFate, pb.PacketFate),
        (feed.MessagePassage, pb.MessagePassage),
        (feed.EchoPassage, pb.EchoPassage),
        (feed.SocketState, pb.SocketState),
        (feed.PlayoutPassage, pb.PlayoutPassage),
        (feed.PlayoutState, pb.PlayoutState),
        (feed.LaneMoment, pb.DemoLaneMoment),
        (feed.LaneFigures, pb.LaneFigures),
    ],
)
def test_the_feed_has_the_contracts_fields(model: type[BaseModel], message: type) -> None:
    wanted = {
        RENAMED.get(name, name.removesuffix("_ns") + "_ms" if name.endswith("_ns") else name)
        for name in message.DESCRIPTOR.fields_by_name  # type: ignore[attr-defined]
    }
    assert set(model.model_fields) == wanted


def test_both_sides_of_every_socket_are_in_the_contract() -> None:
    schemas = contract()["components"]["schemas"]
    for name in ("ConsoleCommand", "ConsoleMessage", "AudienceCommand", "AudienceMessage"):
        assert schemas[name]["discriminator"], name


def test_the_audience_has_no_command_but_its_own() -> None:
    annotation = AudienceCommand.model_fields["root"].annotation
    names = [get_args(one.model_fields["do"].annotation)[0] for one in get_args(annotation)]
    assert sorted(names) == ["hello", "listen", "ping", "vote"]
    console = ConsoleCommand.model_fields["root"].annotation
    for one in get_args(console):
        do = get_args(one.model_fields["do"].annotation)[0]
        if do not in names:
            with pytest.raises(ValidationError):
                AudienceCommand.model_validate({"do": do, "command": 1})
