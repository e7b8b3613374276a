"""A session over SSH: somebody logs in, lists a large folder, writes in an editor, logs out.

What is typed and when is drawn from a seed; what the other end makes of it is OpenSSH's, bash's
and nano's.

SPDX-License-Identifier: Apache-2.0
"""

import fcntl
import itertools
import os
import pty
import random
import select
import struct
import termios
import time
from collections.abc import Iterator

from fault import CapturesError
from stage import Stage

PORT = 2222
SEED = 2008
LETTERS = 600
ROWS, COLUMNS = 24, 80
PROMPT = b"letters$ "
READ_BYTES = 65536
LONGEST_WAIT_S = 30.0
# The listing, the second listing and the farewell take about as long.
OTHER_THAN_WRITING_S = 20.0

# Gaps between keys: about the median of the papers' table I (159 ms), with a tail of thinking.
KEY_MEDIAN_S = 0.150
KEY_SPREAD = 0.45
WORD_S = (0.05, 0.35)
SENTENCE_S = (0.8, 3.0)
THINK_S = (1.0, 2.5)
REPEAT_S = 0.033
MISTAKES_SHARE = 0.03
LOOKS_BACK_SHARE = 0.25

SENTENCES = (
    "Most of what a person types fits into a few bytes.",
    "A key leaves on its own, and its echo comes back on its own.",
    "When one of them is lost, nothing follows that would tell the sender soon.",
    "So it waits for a timer, and the person waits for a letter.",
    "The next letters are there already, but they may not be shown before it.",
    "Then all of them appear at once, and the line jumps.",
    "A reader would not mind; somebody who corrects a word does.",
    "It is worse when a key is held down, for the cursor runs on after it was let go.",
    "Sending old bytes along with new ones costs a little more of the line.",
    "It was idle anyway.",
)

SERVER = """\
Port {port}
ListenAddress 127.0.0.1
HostKey /tmp/host_key
AuthorizedKeysFile /tmp/key.pub
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
PrintLastLog no
PrintMotd no
"""


def play(stage: Stage, seconds: float) -> None:
    """The whole session."""
    _furnish(stage)
    log = stage.root / "tmp" / "sshd.log"
    stage.start(["/usr/sbin/sshd", "-D", "-e", "-f", "/tmp/sshd_config"], log=log)
    stage.wait_for_listener(PORT)
    typist = Typist(stage, random.Random(SEED))  # noqa: S311 (to be the same again)
    begun = time.monotonic()
    typist.await_output(PROMPT)
    stage.say("ssh: logged in")
    typist.command("ls -l")
    typist.type("nano --breaklonglines --fill=72 reply.txt\r")
    typist.await_output(b"reply.txt")
    writes_s = max(5.0, seconds - OTHER_THAN_WRITING_S)
    stage.say(f"ssh: writes for {writes_s:.0f} s")
    for sentence in itertools.cycle(SENTENCES):
        typist.sentence(sentence)
        if time.monotonic() - begun > writes_s:
            break
    typist.think()
    typist.type("\x0f")
    typist.await_output(b"Write")
    typist.type("\r")
    typist.await_output(b"Wrote")
    typist.type("\x18")
    typist.await_output(PROMPT)
    typist.command("ls -lt | tail -n 40")
    typist.command("cat reply.txt")
    typist.type("exit\r")
    typist.await_end()
    stage.say("ssh: logged out")


class Typist:
    """Who sits at the client's terminal."""

    def __init__(self, stage: Stage, chance: random.Random) -> None:
        self._chance = chance
        self._unread = b""
        options = ["-p", str(PORT), "-i", "/tmp/key", "-F", "none", "-tt"]
        quiet = ["-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"]
        words = ["ssh", *options, *quiet, "thinlab@127.0.0.1"]
        process, self._terminal = pty.fork()
        if process == 0:
            command = stage.command(words)
            os.execve(command[0], command, stage.environment())  # noqa: S606
        size = struct.pack("HHHH", ROWS, COLUMNS, 0, 0)
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, size)

    def command(self, text: str) -> None:
        """Types a command, waits for all that it prints, and looks at it."""
        self.type(f"{text}\r")
        self.await_output(PROMPT)
        self.think()

    def sentence(self, text: str) -> None:
        """Types one, with mistakes that are corrected, and now and then looks back at the line."""
        for word in text.split():
            for letter in f"{word} ":
                if self._chance.random() < MISTAKES_SHARE:
                    self.type(self._chance.choice("etaoinshrdlu"))
                    self._wait(self._chance.uniform(*WORD_S) + KEY_MEDIAN_S)
                    self.type("\x7f")
                self.type(letter)
            self._wait(self._chance.uniform(*WORD_S))
        self._wait(self._chance.uniform(*SENTENCE_S))
        if self._chance.random() < LOOKS_BACK_SHARE:
            self._look_back()

    def think(self) -> None:
        """A pause."""
        self._wait(self._chance.uniform(*THINK_S))

    def type(self, text: str) -> None:
        """One key after the other."""
        for key in text:
            self._wait(self._chance.lognormvariate(0, KEY_SPREAD) * KEY_MEDIAN_S)
            os.write(self._terminal, key.encode())

    def await_output(self, wanted: bytes) -> None:
        """Until the screen was sent that. Raises `CapturesError` if it is not."""
        give_up = time.monotonic() + LONGEST_WAIT_S
        while wanted not in self._unread:
            if time.monotonic() > give_up or not self._read(give_up - time.monotonic()):
                said = self._unread[-200:].decode(errors="replace")
                raise CapturesError(f"{wanted!r} was not shown; last was {said!r}", "run again")
        self._unread = self._unread.partition(wanted)[2]

    def await_end(self) -> None:
        """Until the client has ended."""
        while self._read(LONGEST_WAIT_S):
            pass
        os.wait()

    def _look_back(self) -> None:
        """Holds the left arrow, then the right one, as the papers' participants held a key."""
        held = self._chance.randint(10, 40)
        for arrow in _held(held):
            os.write(self._terminal, arrow)
            self._wait(REPEAT_S)
        self.think()

    def _wait(self, seconds: float) -> None:
        """Lets time pass; what the screen is sent meanwhile has to be read, as a terminal would."""
        over = time.monotonic() + seconds
        while (left := over - time.monotonic()) > 0:
            if not self._read(left):
                raise CapturesError("the SSH client ended early", "run again")

    def _read(self, seconds: float) -> bool:
        """Reads what there is, or comes within so long. False: the client has ended."""
        ready, _, _ = select.select([self._terminal], [], [], max(0.0, seconds))
        if not ready:
            return True
        try:
            read = os.read(self._terminal, READ_BYTES)
        except OSError:  # what a terminal says whose other end has closed
            read = b""
        self._unread += read
        return bool(read)


def _held(times: int) -> Iterator[bytes]:
    yield from itertools.repeat(b"\x1b[D", times)
    yield from itertools.repeat(b"\x1b[C", times)


def _furnish(stage: Stage) -> None:
    tmp = stage.root / "tmp"
    letters = stage.home / "letters"
    letters.mkdir()
    for number in range(LETTERS):
        (letters / f"letter-{number:04d}-{SENTENCES[number % 10].split()[1]}.txt").touch()
    profile = "cd letters\nPS1='letters$ '\n"
    (stage.home / ".bash_profile").write_text(profile, encoding="ascii")
    (tmp / "sshd_config").write_text(SERVER.format(port=PORT), encoding="ascii")
    for name in ("host_key", "key"):
        stage.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", f"/tmp/{name}"])
