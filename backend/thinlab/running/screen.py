"""What `thinlab run` shows: steps, the recorder's progress, the two addresses, mishaps.

SPDX-License-Identifier: Apache-2.0
"""

from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

# Where nobody else can come.
LOOPBACK = {"127.0.0.1", "localhost", "::1"}


class Screen:
    """Lines and one progress bar; plain lines where the output is no terminal."""

    def __init__(
        self,
        address: str,
        console: Console | None = None,
        *,
        room: str | None = None,
        people: str | None = None,
    ) -> None:
        """`room`: where others in the same network find it; `people`: where those who take part."""
        self._address = address
        self._people = people or address
        self._room = room or address
        self._console = console or Console(highlight=False, soft_wrap=True)
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TimeElapsedColumn(),
            console=self._console,
            transient=True,
        )
        self._recording: TaskID | None = None
        self._studies: list[str] = []
        self._unrecorded: list[str] = []
        self._setup_token: str | None = None
        self._password_set = True
        self._fingerprint: str | None = None
        self._presenter_token: str | None = None
        self._problems: set[str] = set()
        self._announced = False

    def __enter__(self) -> Self:
        """Starts the bar."""
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leaves the terminal as it was."""
        self._progress.stop()

    def doing(self, what: str) -> None:
        """A step that has begun."""
        self._console.print(f"{what} …", markup=False, emoji=False)

    def say(self, line: str) -> None:
        """Something that whoever runs this should know."""
        self._console.print(line, markup=False, emoji=False)

    def stopping(self) -> None:
        """The end has begun."""
        self._progress.stop()
        self._console.print("Stopping …")

    def show(self, event: dict[str, Any]) -> None:
        """An event of the web server."""
        match event:
            case {"event": "loaded", "studies": studies, "setup_token": token}:
                self._studies = studies
                # Told once, also if the server was started again before it could be shown.
                self._setup_token = token or self._setup_token
                self._password_set = event.get("password_set", True)
                self._unrecorded = event["unrecorded"]
                self._presenter_token = event.get("presenter_token")
            case {"event": "making", "done": done, "total": total, "share": share}:
                self._show_problems(set(event["problems"]))
                # What was kept from earlier is no news.
                if event["sessions"] > 0:
                    self._show_making(done, total, share)
            case {"event": "certificate", "fingerprint": str(fingerprint), "self_made": self_made}:
                self._show_certificate(fingerprint, self_made=self_made)
            case {"event": "no-certificate", "reason": str(reason)}:
                self.say(f"There is no certificate that browsers know yet: {reason}.")
                self.say("Until there is, the server's own is shown; it is asked for every hour.")
            case {"event": "listening"}:
                self._announce()

    def _show_problems(self, problems: set[str]) -> None:
        for problem in sorted(problems - self._problems):
            self.say(f"A recording failed: {problem}")
        self._problems |= problems

    def _show_making(self, done: int, total: int, share: float) -> None:
        if done == total:
            if self._recording is not None:
                self._progress.remove_task(self._recording)
                self._recording = None
                failed = " (some failed: see above)" if self._problems else ""
                self.say(f"All {total} recordings are made{failed}.")
            return
        if self._recording is None:
            self._recording = self._progress.add_task("Recording the studies' clips", total=1.0)
            if not self._console.is_terminal:
                self.say(f"Recording the studies' clips ({total}) …")
        self._progress.update(self._recording, completed=share)

    def _show_certificate(self, fingerprint: str, *, self_made: bool) -> None:
        if fingerprint == self._fingerprint:
            return
        self._fingerprint = fingerprint if self_made else None
        if self._announced:
            self.say(f"The server has another certificate now. SHA-256: {fingerprint}")

    def _announce(self) -> None:
        again = self._announced
        self._announced = True
        if again:
            self.say("The web server is back.")
            return
        self.say("")
        for slug in self._studies:
            self.say(f"Participant:  {self._people}/s/{slug}")
        if self._setup_token is None:
            self.say(f"Researcher:   {self._address}/researcher")
            if not self._password_set:
                self.say("              (no password yet; thinlab access setup, in backend/ with")
                self.say("              uv run, makes an address to choose one at)")
        else:
            self.say(f"Researcher:   {self._address}/researcher#setup={self._setup_token}")
            self.say("              (lets you choose the password; shown once, good for a day)")
        if self._presenter_token is not None:
            self.say(f"Live demo:    {self._address}/demo#present={self._presenter_token}")
            if urlsplit(self._room).hostname in LOOPBACK:
                self.say("              (phones in the room can join after make run HOST=0.0.0.0)")
            else:
                self.say(f"              (phones join at {self._room}/d/ and the demo's code)")
        if self._fingerprint is not None:
            self.say("Certificate:  of this server's own making: a browser warns once, and shows")
            self.say("              the same SHA-256 fingerprint where nobody sits in between:")
            self.say(f"              {self._fingerprint[:47]}")
            self.say(f"              {self._fingerprint[48:]}")
        if self._unrecorded:
            self.say(f"Not yet recorded: {', '.join(self._unrecorded)}")
            self.say("              (the researcher's page has a Record button for each)")
        self.say("Ctrl-C stops everything.")
        self.say("")
