"""The files of typing sessions: one folder a session, complete or absent.

    typing/<session>/sender.pcapng  receiver.pcapng  screens.jsonl  page.jsonl

SPDX-License-Identifier: Apache-2.0
"""

import codecs
import json
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from thinlab import durable
from thinlab.contract.generated import lab_pb2 as pb
from thinlab.live.clock_line import ClockLine
from thinlab.live.masking import Mask
from thinlab.live.record import SessionRecord
from thinlab.private_folder import NumberedFolders, private_folder

CAPTURES = {
    pb.FILE_KIND_SENDER_CAPTURE: "sender.pcapng",
    pb.FILE_KIND_RECEIVER_CAPTURE: "receiver.pcapng",
}
SCREENS = "screens.jsonl"
PAGE = "page.jsonl"


class TypingStore(NumberedFolders):
    """Sessions' folders under one."""

    def write(
        self, session_id: int, record: SessionRecord, line: ClockLine, *, keep_text: bool
    ) -> None:
        """Stores a session's files: the folder appears whole, by renaming."""
        private_folder(self.folder)
        fresh = Path(tempfile.mkdtemp(prefix=".new-", dir=self.folder))
        try:
            for kind, name in CAPTURES.items():
                content = b"" if record.ended is None else bytes(record.ended.files.get(kind, b""))
                durable.write(fresh / name, content)
            screens = "".join(
                json.dumps(screen, ensure_ascii=False) + "\n"
                for screen in _screens(record, line, keep_text=keep_text)
            )
            durable.write(fresh / SCREENS, screens.encode())
            ready_us = record.ready_us or 0
            states = [
                {"at_us": at_us - ready_us, "state": state.value}
                for at_us, state in record.page_states
            ]
            durable.write(fresh / PAGE, "".join(json.dumps(one) + "\n" for one in states).encode())
            self.remove([session_id])
            fresh.rename(self.of(session_id))
            durable.sync(self.folder)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)

    def remove(self, session_ids: Iterable[int]) -> None:
        """Deletes sessions' files."""
        for session_id in session_ids:
            shutil.rmtree(self.of(session_id), ignore_errors=True)

    def keep_only(self, session_ids: set[int]) -> None:
        """Deletes what an interrupted writer left, and whatever no session of these has."""
        wanted = {str(session_id) for session_id in session_ids}
        if self.folder.is_dir():
            for folder in self.folder.iterdir():
                if folder.name not in wanted:
                    shutil.rmtree(folder, ignore_errors=True)


def _screens(
    record: SessionRecord, line: ClockLine, *, keep_text: bool
) -> Iterator[dict[str, object]]:
    """What was shown, in order; instants in µs since the terminal was ready."""
    ready_us = record.ready_us or 0
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    mask = Mask()
    for screen in record.screens.values():
        text = decoder.decode(screen.data)
        painted_us = line.of_page(screen.painted_at_us)
        yield {
            "number": screen.number,
            "at_us": round(line.of_agent(screen.read_ns) - ready_us),
            "forwarded_us": screen.forwarded_us - ready_us,
            "painted_us": None if painted_us is None else round(painted_us - ready_us),
            "answers_key": screen.answers_key,
            "data": text if keep_text else mask.mask(text),
        }
