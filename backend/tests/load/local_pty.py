"""A bare local terminal under the typing trial's own page: the bench's yardstick, never in a study.

The same link, the same editors, on a pty of this machine: no lab, no SSH, no lane. A session
token that begins with `local-pty-` opens one; the token's next word is the editor.

    python -m tests.load.local_pty pages --port N   pages and link alone, without a database
    python -m tests.load.local_pty run --port N     what `thinlab run` starts, and this beside

SPDX-License-Identifier: Apache-2.0
"""

import argparse
import asyncio
import fcntl
import os
import pty
import shutil
import signal
import struct
import sys
import tempfile
import termios
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import uvicorn
import uvloop
from fastapi import FastAPI

from thinlab.contract.generated import lab_pb2 as pb
from thinlab.lab.live_hosts import LiveHosts
from thinlab.lab.terminal import TerminalEnded, TerminalNews
from thinlab.live.desk import Caption, CheckResult, Desk, RefusedError, TypingJob
from thinlab.live.messages import Hello, LinkPurpose, RefusalCode, StageReason
from thinlab.live.network import NetworkFound
from thinlab.live.record import SessionRecord
from thinlab.live.service import Live
from thinlab.live.session import Limits
from thinlab.live.store import TypingStore
from thinlab.live.transport import TransportKind
from thinlab.running.run import Run
from thinlab.settings import Settings
from thinlab.web import live, pages, problems
from thinlab.web.security import Guard
from thinlab.web.serve import serve
from thinlab.web.server import Listening, configured, teller

PREFIX = "local-pty-"
EDITORS = {"nano": ("nano", "-R"), "vi": ("vim.tiny", "-Z", "-n")}
COLUMNS, ROWS = 80, 24
LIMIT_S = 600.0


class LocalPty:
    """An editor on a pty."""

    def __init__(self, editor: str) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="thinlab-pty-"))
        self._text = self._folder / "text"
        self._text.touch()
        self._loop = asyncio.get_running_loop()
        self._news: asyncio.Queue[TerminalNews | None] = asyncio.Queue()
        self._screen = 0
        self._key = 0
        pid, self._master = pty.fork()
        if pid == 0:
            os.environ.update(TERM="xterm-256color", LANG="C.UTF-8")
            os.execvp(EDITORS[editor][0], [*EDITORS[editor], str(self._text)])  # noqa: S606
        self._pid = pid
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        os.set_blocking(self._master, False)
        self._loop.add_reader(self._master, self._read)

    def _read(self) -> None:
        try:
            data = os.read(self._master, 65536)
        except OSError:
            # EIO: the editor has ended.
            self._loop.remove_reader(self._master)
            self._end(pb.TERMINAL_END_EDITOR_LEFT)
            return
        self._screen += 1
        self._news.put_nowait(
            pb.TerminalScreen(
                number=self._screen, data=data, answers_key=self._key, at_ns=time.time_ns()
            )
        )

    def _end(self, how: pb.TerminalEnd.ValueType) -> None:
        result = pb.TerminalResult(end=how, text=self._text.read_bytes())
        self._news.put_nowait(TerminalEnded(result))
        self._news.put_nowait(None)

    async def news(self) -> AsyncIterator[TerminalNews]:
        """As `Terminal`."""
        yield pb.LiveReady(host="local", build="local", at_ns=time.time_ns())
        try:
            while (news := await self._news.get()) is not None:
                yield news
        finally:
            self._loop.remove_reader(self._master)
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
            os.close(self._master)
            await asyncio.to_thread(os.waitpid, self._pid, 0)
            shutil.rmtree(self._folder)

    def press(self, number: int, data: bytes) -> None:
        """As `Terminal`."""
        self._key = number
        with suppress(BlockingIOError):
            os.write(self._master, data)

    def finish(self) -> None:
        """As `Terminal`."""
        self._end(pb.TERMINAL_END_FINISHED)


class LocalPtyJob:
    """A session that nothing is kept of."""

    limits = Limits(LIMIT_S, 1)

    def __init__(self, editor: str) -> None:
        self._editor = editor
        self.caption = Caption("local", "local", 1, 1, "first", training=False)

    def terminal(self) -> LocalPty:
        """The editor."""
        return LocalPty(self._editor)

    async def store(self, record: SessionRecord, end: StageReason) -> None:
        """Nothing is kept."""

    async def void(self, reason: StageReason, record: SessionRecord) -> None:
        """Nothing is kept."""

    def left(self) -> None:
        """Nothing was held."""


class LocalDesk:
    """Opens a local pty for tokens of its own, and asks another desk for all others."""

    def __init__(self, others: Desk | None) -> None:
        self._others = others
        self._participants: dict[str, int] = {}

    async def participant_of(self, participant_token: str) -> int:
        """Somebody; each of them may have a terminal of their own."""
        if self._others is not None:
            return await self._others.participant_of(participant_token)
        return self._participants.setdefault(participant_token, -1 - len(self._participants))

    async def begin(self, hello: Hello, participant_id: int) -> TypingJob:
        """A terminal for any token that begins rightly."""
        token = hello.session_token or ""
        if hello.purpose is LinkPurpose.TYPING and token.startswith(PREFIX):
            editor = token.removeprefix(PREFIX).split("-")[0]
            if editor not in EDITORS:
                raise RefusedError(RefusalCode.UNKNOWN_SESSION)
            return LocalPtyJob(editor)
        if self._others is None:
            raise RefusedError(RefusalCode.UNKNOWN_SESSION)
        return await self._others.begin(hello, participant_id)

    async def may_check(self, participant_id: int) -> None:
        """Anybody may, where there is no study."""
        if self._others is not None:
            await self._others.may_check(participant_id)

    async def checked(
        self, participant_id: int, kind: TransportKind, found: NetworkFound
    ) -> CheckResult:
        """Good, where there is no study."""
        if self._others is not None:
            return await self._others.checked(participant_id, kind, found)
        return CheckResult(good=True, remedy=None)


def pages_alone(port: int, folder: Path | None) -> None:
    """Serves pages and link without a database."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    app.add_middleware(Guard)
    problems.install(app)
    app.include_router(live.router)
    app.include_router(pages.router(folder))

    async def main() -> None:
        app.state.services = SimpleNamespace(
            strict_transport=False, live=Live(LocalDesk(None), LiveHosts(()), TypingStore(Path()))
        )
        config = configured(app, Listening("127.0.0.1", port))
        await uvicorn.Server(config).serve()

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(main())


def main() -> None:
    """The commands above; `serve` is what `run` starts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("command", choices=["pages", "run", "serve"])
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8022)
    parser.add_argument("--status-fd", type=int)
    asked = parser.parse_args()
    settings = Settings.read()
    match asked.command:
        case "pages":
            pages_alone(asked.port, settings.pages)
        case "serve":
            listening = Listening(asked.host, asked.port)
            with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
                runner.run(serve(settings, listening, teller(asked.status_fd), around=LocalDesk))
        case _:
            # The web server is started from another folder.
            os.environ["PYTHONPATH"] = str(Path(__file__).parents[2])
            web = (sys.executable, "-m", "tests.load.local_pty", "serve")
            asyncio.run(Run(settings, asked.host, asked.port, web=web).until_stopped())


if __name__ == "__main__":
    main()
