"""Whatever the contract lets people set, and whatever it measures, is described there.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from thinlab.contract import registry
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.contract.generated import registry_pb2

LANGUAGES = {"en", "nb"}
SET = (pb.LaneSpec,)
MEASURED = (pb.SessionResult, pb.TerminalResult, pb.DemoResult, pb.SocketState, pb.PlayoutState)
# Of what a demo shows as it happens, the instants and numbers of single packets have no titles.
NOT_SHOWN = {"PlayoutPassage"}


def below(message: Descriptor) -> Iterator[Descriptor]:
    """A message and all that its fields hold."""
    found = [message]
    for one in found:
        yield one
        held = (field.message_type for field in one.fields if field.message_type)
        found += [inner for inner in held if inner not in found and inner.name not in NOT_SHOWN]


def fields_of(*messages: type) -> list[FieldDescriptor]:
    """Every field of these messages and of all below, once."""
    found = [one for message in messages for one in below(message.DESCRIPTOR)]  # type: ignore[attr-defined]
    return [field for message in dict.fromkeys(found) for field in message.fields]


def name_of(field: FieldDescriptor) -> str:
    return field.full_name.removeprefix("thinlab.lab.v1.")


@pytest.mark.parametrize("field", fields_of(*SET, *MEASURED), ids=name_of)
def test_a_field_is_described(field: FieldDescriptor) -> None:
    told = registry.term(field)
    assert told is not None
    assert told.title[0].isupper() or told.title[0].isdigit()
    assert not told.meaning.endswith(".")
    # A part of a result may leave it to its own fields to say what they are.
    assert told.meaning or field.message_type


@pytest.mark.parametrize("field", fields_of(*MEASURED), ids=name_of)
def test_a_number_has_a_unit_and_a_source(field: FieldDescriptor) -> None:
    told = registry.term(field)
    assert told is not None
    assert told.source
    if field.cpp_type in registry.NUMBERS:
        options = field.GetOptions().Extensions[registry_pb2.field]
        assert bool(told.unit) != options.unitless
    else:
        assert told.unit == ""
    if field.has_presence and field.message_type is None:
        assert told.absent, "say which results lack it"


@pytest.mark.parametrize("field", fields_of(*SET), ids=name_of)
def test_what_can_be_set_is_said_in_every_language(field: FieldDescriptor) -> None:
    told = registry.term(field)
    assert told is not None
    assert set(told.words) == LANGUAGES
    assert all(words.title for words in told.words.values())


@pytest.mark.parametrize("enum", [pb.Mechanism, pb.Baseline])
def test_mechanisms_and_baselines_are_said_plainly_in_every_language(enum: type) -> None:
    descriptor = enum.DESCRIPTOR  # type: ignore[attr-defined]
    terms = registry.values(descriptor)
    assert len(terms) == len(descriptor.values) - 1, "all but UNSPECIFIED"
    for told in terms.values():
        assert set(told.words) == LANGUAGES
        assert all(words.title and words.plainly for words in told.words.values())
        assert told.meaning
        assert told.source


def test_terms_are_found_by_the_names_that_files_use() -> None:
    assert list(registry.MECHANISMS) == [
        "linear_timeouts",
        "early_fast_retransmit",
        "bundling",
        "window_floor",
        "bundling_depth",
        "early_probe",
        "tail_copy",
        "write_recovery",
        "short_min_rto",
        "rto_restart",
        "bundled_retransmit",
        "immediate_sack",
        "tcp_lite",
        "header_checksum",
    ]
    assert registry.MECHANISMS["bundling"].title == "bundling"
    assert registry.MECHANISMS["bundling"].protocols == ("tcp", "sctp")
    assert registry.MECHANISMS["early_probe"].protocols == ("tcp",)
    trace = registry.fields(pb.TraceMetrics.DESCRIPTOR)
    assert trace["redundancy_share"].unit == trace["loss_share_forward"].unit == "share"
    assert trace["iat_mean_ms"].unit == "ms"
    assert trace["packets"].unit == "packets"
    assert registry.fields(pb.TcpInfo.DESCRIPTOR)["rto_us"].unit == "µs"
    assert registry.fields(pb.TcpInfo.DESCRIPTOR)["bytes_acked"].unit == "bytes"


def test_one_title_for_one_thing() -> None:
    """Two fields of one message would stand in one table under one name."""
    for message in {one for top in (*SET, *MEASURED) for one in below(top.DESCRIPTOR)}:
        titles = [told.title for told in registry.fields(message).values()]
        assert len(set(titles)) == len(titles), message.name
