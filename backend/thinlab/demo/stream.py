"""What a demo sends: one class for each kind of stream, which says all that others ask of it.

SPDX-License-Identifier: Apache-2.0
"""

from abc import abstractmethod
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from thinlab.contract import registry
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.contract.generated.names import Codec, Editor
from thinlab.demo.part import DemoPart, Line

# A segment's payload is at most 1448 bytes: longer messages would be several packets.
PAYLOAD_LIMIT_BYTES = 1400
TEXT_LIMIT_CHARACTERS = 4000
# Of the messages of sound, on average: see docs/playout.md.
AUDIO_IAT_MS = 34.0
# Two lanes fit beside each other on a projector.
COLUMNS, ROWS = 80, 24

_CODECS = registry.values(pb.Codec.DESCRIPTOR)

StreamKind = Literal["clip", "microphone", "terminal", "synthetic"]


class Stream(DemoPart):
    """Of any kind."""

    heard: ClassVar[bool]

    @property
    @abstractmethod
    def words(self) -> str:
        """What is sent, for people."""

    @property
    @abstractmethod
    def message_iat_ms(self) -> float | None:
        """Between messages; None where people type."""

    @abstractmethod
    def asked(self) -> pb.Stream:
        """As the agent is asked for it; a clip without its samples."""


class SoundStream(Stream):
    """What is heard."""

    heard = True
    codec: Codec = Field(
        default=Codec.OPUS,
        description="What the sound is coded as on every lane; `opus` in feeds of earlier "
        "versions, too. Of `g711` what came damaged is heard.",
    )

    def _coded(self) -> str:
        """What is not what all was coded as once."""
        return "" if self.codec is Codec.OPUS else f" as {_CODECS[self.codec].title}"

    def _asked_codec(self) -> pb.Codec.ValueType:
        return pb.Codec.Value(f"CODEC_{self.codec.name}")

    @property
    def message_iat_ms(self) -> float:
        """That of the encoder."""
        return AUDIO_IAT_MS


class ClipStream(SoundStream):
    """A clip, over and over."""

    kind: Literal["clip"]
    clip: Annotated[Line, Field(max_length=64)]

    @property
    def words(self) -> str:
        """Its name, spelled for people."""
        return f"the clip “{self.clip.replace('_', ' ')}”{self._coded()}"

    def asked(self) -> pb.Stream:
        """Whoever opens the take has read the samples."""
        return pb.Stream(audio=pb.AudioStream(codec=self._asked_codec()))


class MicrophoneStream(SoundStream):
    """What the presenter says."""

    kind: Literal["microphone"]

    @property
    def words(self) -> str:
        """Nobody knows what will be said."""
        return f"the microphone{self._coded()}"

    def asked(self) -> pb.Stream:
        """Pieces of sound follow while the take runs."""
        return pb.Stream(microphone=pb.MicrophoneStream(codec=self._asked_codec()))


class TerminalStream(Stream):
    """An editor at the end of each lane, all typed in by one keyboard."""

    heard = False
    kind: Literal["terminal"]
    editor: Editor
    text: Annotated[
        str, Field(max_length=TEXT_LIMIT_CHARACTERS, pattern=r"^[^\x00-\x08\x0b-\x1f\x7f]*$")
    ]

    @property
    def words(self) -> str:
        """The editor's name."""
        return f"a terminal with {self.editor.value}"

    @property
    def message_iat_ms(self) -> None:
        """The typist's own."""

    def asked(self) -> pb.Stream:
        """The text in an editor, in a window for a projector."""
        return pb.Stream(
            terminal=pb.TerminalTask(
                editor=pb.Editor.Value(f"EDITOR_{self.editor.name}"),
                text=self.text.encode(),
                columns=COLUMNS,
                rows=ROWS,
            )
        )


class SyntheticStream(Stream):
    """Messages of one size, evenly spaced."""

    heard = False
    kind: Literal["synthetic"]
    payload_bytes: Annotated[int, Field(ge=1, le=PAYLOAD_LIMIT_BYTES)]
    iat_ms: Annotated[float, Field(ge=10, le=10_000, description="Between messages.")]

    @property
    def words(self) -> str:
        """Size and pace."""
        return f"{self.payload_bytes} bytes every {self.iat_ms:g} ms"

    @property
    def message_iat_ms(self) -> float:
        """As set."""
        return self.iat_ms

    def asked(self) -> pb.Stream:
        """Size and pace."""
        return pb.Stream(synthetic=self.paced())

    def paced(self) -> pb.SyntheticStream:
        """Size and pace, as a running take is told of them."""
        return pb.SyntheticStream(
            payload_bytes=self.payload_bytes, iat_us=round(self.iat_ms * 1000)
        )


DemoStream = Annotated[
    ClipStream | MicrophoneStream | TerminalStream | SyntheticStream, Field(discriminator="kind")
]
