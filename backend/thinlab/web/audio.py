"""The one way in which a WAV file leaves, to participants and researchers alike.

SPDX-License-Identifier: Apache-2.0
"""

from fastapi import Response
from fastapi.responses import StreamingResponse

from thinlab.recording.audio_file import AudioFile

AUDIO_RESPONSE: dict[int | str, dict[str, object]] = {
    200: {"content": {"audio/wav": {"schema": {"type": "string", "format": "binary"}}}}
}


def wav_response(audio: AudioFile) -> Response:
    """The file's bytes: no name, no date, no tag, and the same headers for all of one length."""
    return StreamingResponse(
        audio.chunks(),
        media_type="audio/wav",
        headers={"Cache-Control": "no-store", "Content-Length": str(audio.size_bytes)},
    )
