"""Writes the Python source of `generated/results.py`: the contract's results as pydantic types.

Source, and not types made while the program runs, so that mypy knows them. What
`registry.proto` says of a field decides: whether results may lack it, whether it
is kept apart, which words it can be.

SPDX-License-Identifier: Apache-2.0
"""

import sys
from collections.abc import Iterator

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

from thinlab.contract import registry
from thinlab.contract.generated import lab_pb2 as pb

RESULTS = (pb.SessionResult, pb.TerminalResult, pb.DemoResult)
# The feed of a demo has `LaneFigures` of its own, which are never without a part.
RENAMED = {"LaneFigures": "WholeFigures"}
HEAD = '''"""Made of lab.proto by `thinlab-generate`."""

from enum import StrEnum

from pydantic import Field

from thinlab.contract.measured import Measured
'''


def source() -> str:
    """All types, each after those that it is made of."""
    written: dict[str, str] = {}
    for result in RESULTS:
        _write(result.DESCRIPTOR, written)
    return "\n\n".join([HEAD, *written.values()])


def _write(message: Descriptor, written: dict[str, str]) -> None:
    lines = []
    for field in message.fields:
        told = registry.term(field)
        if told is None:
            raise TypeError(f"{field.full_name} is not described")
        if told.apart:
            continue
        lines.append(_field(field, told, written))
    name = _name(message)
    body = "".join(f"    {line}\n" for line in lines)
    written.setdefault(name, f'class {name}(Measured):\n    """`{message.name}`."""\n\n{body}')


def _field(field: FieldDescriptor, told: registry.Term, written: dict[str, str]) -> str:
    kind = f"list[{_kind(field, told, written)}]" if field.is_repeated else None
    kind = kind or _kind(field, told, written)
    said = {"x-unit": told.unit, "x-source": told.source}
    if told.absent:
        default = "default=None, "
        kind = f"{kind} | None"
    else:
        default = "default=[], " if field.is_repeated else ""
    return (
        f"{field.name}: {kind} = Field({default}title={told.title!r}, "
        f"description={told.meaning!r}, "
        f"json_schema_extra={said!r})"
    )


def _kind(field: FieldDescriptor, told: registry.Term, written: dict[str, str]) -> str:
    if field.message_type is not None:
        _write(field.message_type, written)
        return _name(field.message_type)
    if field.enum_type is not None:
        return _enum(field.enum_type, written)
    if field.cpp_type in registry.NUMBERS:
        return registry.NUMBERS[field.cpp_type].__name__
    if told.one_of:
        message = field.full_name.split(".")[-2]
        name = f"{message}{field.name.title()}"
        members = ((word.upper(), word) for word in told.one_of)
        return _words(name, members, written)
    return "bool" if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL else "str"


def _enum(enum: EnumDescriptor, written: dict[str, str]) -> str:
    """By the contract's names, as JSON has them."""
    prefix = registry.upper_snake(enum.name) + "_"
    members = ((value.name.removeprefix(prefix), value.name) for value in enum.values)
    return _words(enum.name, members, written)


def _words(name: str, members: Iterator[tuple[str, str]], written: dict[str, str]) -> str:
    body = "".join(f"    {member} = {value!r}\n" for member, value in members)
    written.setdefault(name, f'class {name}(StrEnum):\n    """`{name}`."""\n\n{body}')
    return name


def _name(message: Descriptor) -> str:
    return RENAMED.get(message.name, message.name)


if __name__ == "__main__":
    sys.stdout.write(source())
