"""Writes the Python source of `generated/feed.py`: what a demo tells as it happens, as types.

The feed has the contract's messages with times in ms: instants since the demo
began, which `…_ns` in the contract is, and spans, which `…_us` is. The tables
below say what else the feed does its own way.

SPDX-License-Identifier: Apache-2.0
"""

import sys
from collections.abc import Mapping
from pathlib import Path

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from thinlab.contract import comments, name_source, registry
from thinlab.contract.generated import lab_pb2 as pb

MESSAGES = (pb.DemoLaneMoment, pb.DemoHeldUp)
RENAMED = {"DemoLaneMoment": "LaneMoment", "DemoHeldUp": "HeldUpCounts"}
# As results have them.
MEASURED = ("Copies", "FeltMetrics", "PlayoutFacts", "TraceMetrics")
LEFT_OUT = ("DemoHeldUp.sound_late_max_ms",)
# What a field is where the feed does not tell it.
UNTOLD = {
    "PacketDeparture.new_from": "None",
    "PacketDeparture.acknowledged": "0",
    "PacketDeparture.duplicate": "False",
    "PacketDeparture.selective": "False",
    "PacketDeparture.cause": "None",
    "MessagePassage.recovery": "Repair.NONE",
    "DemoLaneMoment.changed_bytes": "0",
}
# Of what can be few things only.
KINDS = {
    "PacketDeparture.cause": 'Literal["fast", "timeout"]',
    "PlayoutPassage.kind": "PlayoutEventKind",
}
SAID = {
    "PacketDeparture.new_from": "Of a bundle: where bytes sent for the first time begin.",
    "LaneFigures.metrics": "Each `cdf` has at most 80 of the exact curve's points, first and last "
    "among them, to 10 µs and a ten-thousandth.",
}
INSTANT = "ms since the demo began, to the µs."
HEAD = f'''"""Made of lab.proto by `thinlab-generate`."""

from typing import Literal

from pydantic import Field

from thinlab.contract.generated.names import PacketKind, Repair
from thinlab.contract.generated.results import {", ".join((*MEASURED, "PlayoutEventKind"))}
from thinlab.contract.measured import Told
'''


def source(said: Mapping[str, str]) -> str:
    """All types, each after those that it is made of; `said` are the contract's comments."""
    written: dict[str, str] = {}
    for message in MESSAGES:
        _write(message.DESCRIPTOR, said, written)
    return "\n\n".join([HEAD, *written.values()])


def _write(message: Descriptor, said: Mapping[str, str], written: dict[str, str]) -> None:
    lines = []
    for field in message.fields:
        if field.message_type is not None and field.message_type.name not in MEASURED:
            _write(field.message_type, said, written)
        if _short(field) not in LEFT_OUT:
            lines.append(f"    {_field(field, said)}\n")
    name = RENAMED.get(message.name, message.name)
    doc = f'    """{said[message.full_name]}"""\n\n'
    written.setdefault(name, f"class {name}(Told):\n{doc}{''.join(lines)}")


def _field(field: FieldDescriptor, said: Mapping[str, str]) -> str:
    name, kind = _told_as(field)
    arguments = {}
    untold = _untold(field)
    if untold is not None:
        arguments["default"] = untold
        kind = f"{kind} | None" if untold == "None" else kind
    described = _described(field, said)
    if described:
        arguments["description"] = repr(described)
    if not arguments:
        return f"{name}: {kind}"
    return f"{name}: {kind} = Field({', '.join(f'{key}={one}' for key, one in arguments.items())})"


def _told_as(field: FieldDescriptor) -> tuple[str, str]:
    name, kind = field.name, KINDS.get(_short(field)) or _kind(field)
    unit = name.rsplit("_", 1)[-1]
    if unit in ("ns", "us"):
        name, kind = f"{name.removesuffix(unit)}ms", "float"
    return name, f"list[{kind}]" if field.is_repeated else kind


def _kind(field: FieldDescriptor) -> str:
    if field.message_type is not None:
        return RENAMED.get(field.message_type.name, field.message_type.name)
    if field.enum_type is not None:
        return name_source.name_of(field.enum_type)
    if field.cpp_type in registry.NUMBERS:
        return registry.NUMBERS[field.cpp_type].__name__
    return "bool" if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL else "str"


def _untold(field: FieldDescriptor) -> str | None:
    """Parts of a moment are told when there is news of them; what is measured is always whole."""
    if field.is_repeated:
        return "[]"
    if field.has_presence and registry.term(field) is None:
        return "None"
    return UNTOLD.get(_short(field))


def _described(field: FieldDescriptor, said: Mapping[str, str]) -> str:
    told = registry.term(field)
    phrase = told.meaning if told else said.get(field.full_name, "")
    described = SAID.get(_short(field)) or phrase
    if not described and field.name.endswith("_ns"):
        return INSTANT
    return described and f"{described[0].upper()}{described[1:].removesuffix('.')}."


def _short(field: FieldDescriptor) -> str:
    return ".".join(field.full_name.split(".")[-2:])


if __name__ == "__main__":
    sys.stdout.write(source(comments.read(Path(sys.argv[1]))))
