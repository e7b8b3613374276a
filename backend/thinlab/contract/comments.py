"""What the contract's comments say of its messages, fields and enumerations.

Only for the generators: comments are not in the messages' own descriptors.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Iterator, Mapping
from pathlib import Path

from google.protobuf.descriptor_pb2 import DescriptorProto, FileDescriptorProto, FileDescriptorSet

# Fields of descriptor.proto, by whose numbers a comment says where it stands.
MESSAGES = FileDescriptorProto.DESCRIPTOR.fields_by_name["message_type"].number
ENUMS = FileDescriptorProto.DESCRIPTOR.fields_by_name["enum_type"].number
FIELDS = DescriptorProto.DESCRIPTOR.fields_by_name["field"].number


def read(described: Path) -> Mapping[str, str]:
    """By the full names; `described` is protoc's own account of its files, sources included."""
    files = FileDescriptorSet.FromString(described.read_bytes())
    return dict(comment for file in files.file for comment in _of(file))


def _of(file: FileDescriptorProto) -> Iterator[tuple[str, str]]:
    for location in file.source_code_info.location:
        said = " ".join((location.leading_comments or location.trailing_comments).split())
        if not said:
            continue
        match list(location.path):
            case [kind, message] if kind == MESSAGES:
                yield f"{file.package}.{file.message_type[message].name}", said
            case [kind, enum] if kind == ENUMS:
                yield f"{file.package}.{file.enum_type[enum].name}", said
            case [kind, message, inner, field] if (kind, inner) == (MESSAGES, FIELDS):
                whole = file.message_type[message]
                yield f"{file.package}.{whole.name}.{whole.field[field].name}", said
