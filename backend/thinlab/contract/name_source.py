"""Writes the Python source of `generated/names.py`: the contract's enumerations and their sets.

The names are short, those of files, JSON and exports: a value's without its
enumeration's, in lower case. What is unset has none, unless it means something.

SPDX-License-Identifier: Apache-2.0
"""

import sys
from collections.abc import Mapping
from pathlib import Path

from google.protobuf.descriptor import EnumDescriptor

from thinlab.contract import comments, registry
from thinlab.contract.generated import lab_pb2 as pb

ENUMS = (
    pb.Mechanism,
    pb.Baseline,
    pb.HiddenLossResponse,
    pb.QueueDiscipline,
    pb.IatDistribution,
    pb.Editor,
    pb.PacketKind,
    pb.Recovery,
    pb.Codec,
)
# As it has always been called in the messages of a demo.
RENAMED = {"Recovery": "Repair"}
# Left to something else, which has the value's name.
UNSET = {"HiddenLossResponse": "BASELINE"}
HEAD = '''"""Made of lab.proto by `thinlab-generate`."""

from enum import StrEnum
'''


def source(said: Mapping[str, str]) -> str:
    """All of them; `said` are the contract's comments."""
    enums = (_enum(enum.DESCRIPTOR, said) for enum in ENUMS)
    return "\n\n".join([HEAD, *enums, _sets(), _protocols()])


def name_of(enum: EnumDescriptor) -> str:
    """What the type is called."""
    return RENAMED.get(enum.name, enum.name)


def _enum(enum: EnumDescriptor, said: Mapping[str, str]) -> str:
    prefix = registry.upper_snake(enum.name) + "_"
    unset = UNSET.get(enum.name)
    names = [value.name.removeprefix(prefix) for value in enum.values if value.number]
    members = [unset, *names] if unset else names
    body = "".join(f"    {name} = {name.lower()!r}\n" for name in members)
    return f'class {name_of(enum)}(StrEnum):\n    """{said[enum.full_name]}"""\n\n{body}'


def _sets() -> str:
    return "\n".join(
        _sets_of(enum, terms)
        for enum, terms in (("Mechanism", registry.MECHANISMS), ("Baseline", registry.BASELINES))
    )


def _sets_of(enum: str, terms: Mapping[str, registry.Term]) -> str:
    sets: dict[str, list[str]] = {}
    for name, term in terms.items():
        for one in term.sets:
            sets.setdefault(one, []).append(name)
    lines = (
        f"    {one!r}: ({''.join(f'{enum}.{name.upper()}, ' for name in names)}),\n"
        for one, names in sets.items()
    )
    return f"{enum.upper()}_SETS = {{\n{''.join(lines)}}}\n"


def _protocols() -> str:
    names = dict.fromkeys(
        one
        for terms in (registry.BASELINES, registry.MECHANISMS)
        for term in terms.values()
        for one in term.protocols
    )
    members = "".join(f"    {one.upper()} = {one!r}\n" for one in names)
    baselines = "".join(
        f"    Baseline.{name.upper()}: Protocol.{term.protocols[0].upper()},\n"
        for name, term in registry.BASELINES.items()
    )
    mechanisms = "".join(
        f"    Mechanism.{name.upper()}: ("
        + "".join(f"Protocol.{one.upper()}, " for one in term.protocols)
        + "),\n"
        for name, term in registry.MECHANISMS.items()
    )
    return (
        f'class Protocol(StrEnum):\n    """Of the transport."""\n\n{members}\n\n'
        f"PROTOCOL_OF_BASELINE = {{\n{baselines}}}\n"
        f"PROTOCOLS_OF_MECHANISM = {{\n{mechanisms}}}\n"
    )


if __name__ == "__main__":
    sys.stdout.write(source(comments.read(Path(sys.argv[1]))))
