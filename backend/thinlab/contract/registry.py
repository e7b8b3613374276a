"""What the contract tells people of its fields and values: titles, units, meanings, sources.

All of it is written once, beside the fields in `lab.proto`, as options of
`registry.proto`. Exports, pages and documentation take their words from here.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.contract.generated import registry_pb2

ENGLISH = "en"
NUMBERS: Mapping[int, type[int] | type[float]] = {
    FieldDescriptor.CPPTYPE_INT32: int,
    FieldDescriptor.CPPTYPE_INT64: int,
    FieldDescriptor.CPPTYPE_UINT32: int,
    FieldDescriptor.CPPTYPE_UINT64: int,
    FieldDescriptor.CPPTYPE_DOUBLE: float,
    FieldDescriptor.CPPTYPE_FLOAT: float,
}
UNIT_OF_ENDING = {"us": "µs", "ms": "ms", "ns": "ns", "bytes": "bytes", "packets": "packets"}


@dataclass(frozen=True)
class Words:
    """A term in one language."""

    title: str
    plainly: str
    """For somebody who knows no terms of networking; empty: nothing is written."""


@dataclass(frozen=True)
class Term:
    """A field or a value, as people are told of it."""

    name: str
    """In files: the field's name, or the value's without its enum's, in lower case."""
    title: str
    unit: str
    """Of the number as the agent gives it; empty: it has none."""
    meaning: str
    source: str
    absent: str
    """Which results lack it; empty: none do."""
    apart: bool
    """Whether a result is kept without it."""
    one_of: tuple[str, ...]
    """The words that a text can be; empty: any."""
    sets: tuple[str, ...]
    """The sets by one name that hold a value."""
    protocols: tuple[str, ...]
    """The transport protocols that have a value; of anything else `tcp`, and of no account."""
    words: Mapping[str, Words]
    """By language (BCP 47); English is always there."""


@cache
def term(field: FieldDescriptor) -> Term | None:
    """What is told of a field; none: nothing is."""
    told = _told(field)
    if told is None:
        return None
    unit = told.unit or ("" if told.unitless else _unit_of_name(field))
    return _term(field.name, unit, told, _source_of(field.containing_type))


@cache
def fields(message: Descriptor) -> Mapping[str, Term]:
    """The terms of a message, by the fields' names, in the contract's order."""
    found = ((field.name, term(field)) for field in message.fields)
    return {name: one for name, one in found if one is not None}


@cache
def values(enum: EnumDescriptor) -> Mapping[str, Term]:
    """The terms of an enum's values by their short names, in the contract's order."""
    prefix = upper_snake(enum.name) + "_"
    found = {}
    for value in enum.values:
        options = value.GetOptions()
        if options.HasExtension(registry_pb2.value):
            name = value.name.removeprefix(prefix).lower()
            found[name] = _term(name, "", options.Extensions[registry_pb2.value], "")
    return found


def _told(field: FieldDescriptor) -> registry_pb2.Term | None:
    options = field.GetOptions()
    if not options.HasExtension(registry_pb2.field):
        return None
    told: registry_pb2.Term = options.Extensions[registry_pb2.field]
    return told


def _term(name: str, unit: str, told: registry_pb2.Term, source: str) -> Term:
    english = {ENGLISH: Words(told.title, told.plainly)}
    others = {one.language: Words(one.title, one.plainly) for one in told.words}
    return Term(
        name=name,
        title=told.title,
        unit=unit,
        meaning=told.meaning,
        source=told.source or source,
        absent=told.absent,
        apart=told.apart,
        one_of=tuple(told.one_of),
        sets=tuple(told.sets),
        protocols=tuple(told.protocols) or ("tcp",),
        words=english | others,
    )


def _unit_of_name(field: FieldDescriptor) -> str:
    if field.cpp_type not in NUMBERS:
        return ""
    words = field.name.split("_")
    if "share" in words:
        return "share"
    return UNIT_OF_ENDING.get(words[-1], "")


def upper_snake(name: str) -> str:
    """`HIDDEN_LOSS_RESPONSE` of `HiddenLossResponse`."""
    return "".join(f"_{sign}" if sign.isupper() else sign.upper() for sign in name).lstrip("_")


def _source_of(message: Descriptor | None) -> str:
    said: str = message.GetOptions().Extensions[registry_pb2.source] if message else ""
    return said


def below(*messages: Descriptor) -> list[Descriptor]:
    """Messages and all that their fields hold, each once."""
    found = list(dict.fromkeys(messages))
    for one in found:
        held = (field.message_type for field in one.fields if field.message_type)
        found += [inner for inner in held if inner not in found]
    return found


MECHANISMS = values(pb.Mechanism.DESCRIPTOR)
BASELINES = values(pb.Baseline.DESCRIPTOR)
