"""What the figures mean, in words: what is well, what to look at, what to do now.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import datetime, timedelta
from enum import StrEnum

from pydantic import BaseModel, Field

from thinlab.health.figures import Disk, Figures, GuestWall, Punctuality, Stored, TypingRoom

GB = 1e9
DISK_ACT_BYTES, DISK_LOOK_BYTES = 1 * GB, 5 * GB
DATABASE_LOOK_S = 0.25
LOOP_LOOK_S = 0.1
BACKUP_LOOK = timedelta(hours=36)
# Linux 6.12.
LANDLOCK_HOLDS_SIGNALS = 6
UNTRUSTWORTHY_LOOK_SHARE = 0.02


class HealthLevel(StrEnum):
    """How pressing something is."""

    WELL = "well"
    LOOK = "look"
    ACT = "act"


class HealthPart(BaseModel):
    """One thing to watch."""

    name: str
    level: HealthLevel
    said: str = Field(description="How it is, in words.")
    remedy: str | None = Field(default=None, description="What to do, where there is something.")


class InstallationHealth(BaseModel):
    """How this installation is."""

    looked_at: datetime
    level: HealthLevel = Field(description="The most pressing of all.")
    parts: list[HealthPart]


def verdict(figures: Figures) -> InstallationHealth:
    """Every part, in the order in which to look."""
    stored = figures.stored
    parts = [
        _database(stored),
        *(_disk(name, disk) for name, disk in figures.disks.items()),
        _hosts(figures),
        _room(figures.room),
        _walls([host.wall for host in figures.live_hosts]),
        _punctuality(None if stored is None else stored.punctuality),
        _jobs(stored),
        _server(figures),
        _backup(figures),
    ]
    levels = [part.level for part in parts]
    worst = next(
        level for level in (HealthLevel.ACT, HealthLevel.LOOK, HealthLevel.WELL) if level in levels
    )
    return InstallationHealth(looked_at=figures.looked_at, level=worst, parts=parts)


def _database(stored: Stored | None) -> HealthPart:
    if stored is None:
        return HealthPart(
            name="Database",
            level=HealthLevel.ACT,
            said="It does not answer: nothing can be stored, and pages wait.",
            remedy="See its log (log/postgres.log in the data folder); it is started again by "
            "itself.",
        )
    ms = stored.answered_in_s * 1000
    if stored.answered_in_s > DATABASE_LOOK_S:
        return HealthPart(
            name="Database",
            level=HealthLevel.LOOK,
            said=f"It took {ms:.0f} ms to answer.",
            remedy="See what else uses this machine's disk and processors.",
        )
    return HealthPart(name="Database", level=HealthLevel.WELL, said=f"Answers in {ms:.0f} ms.")


def _disk(name: str, disk: Disk) -> HealthPart:
    said = f"{disk.free_bytes / GB:.1f} of {disk.size_bytes / GB:.0f} GB are free."
    titles = {"data": "Disk of the data", "recordings": "Disk of the recordings"}
    if disk.free_bytes > DISK_LOOK_BYTES:
        return HealthPart(name=titles[name], level=HealthLevel.WELL, said=said)
    return HealthPart(
        name=titles[name],
        level=HealthLevel.ACT if disk.free_bytes < DISK_ACT_BYTES else HealthLevel.LOOK,
        said=said,
        remedy="Delete demos that nobody needs, or move the folder to a larger disk.",
    )


def _hosts(figures: Figures) -> HealthPart:
    well = [host for host in figures.live_hosts if host.problem is None]
    sessions = sum(host.sessions for host in figures.live_hosts)
    if not figures.live_hosts:
        return HealthPart(
            name="Lab hosts in real time",
            level=HealthLevel.LOOK,
            said=figures.live_problem or "There is none.",
        )
    said = f"{len(well)} of {len(figures.live_hosts)} are ready; {sessions} typing sessions run."
    if len(well) == len(figures.live_hosts):
        return HealthPart(name="Lab hosts in real time", level=HealthLevel.WELL, said=said)
    problems = dict.fromkeys(host.problem for host in figures.live_hosts if host.problem)
    return HealthPart(
        name="Lab hosts in real time",
        level=HealthLevel.LOOK if well else HealthLevel.ACT,
        said=" ".join([said, *(f"One says: {problem}." for problem in problems)]),
        remedy="See log/live-lab-agent.log in the data folder, or the agent's own machine.",
    )


def _room(room: TypingRoom) -> HealthPart:
    name = "Room to type"
    remedy = "Leave the processors to Thinlab: see what else uses them, a demo or recordings too."
    said = (
        f"In the last seconds a key would have waited {room.behind_ms:.0f} ms for this machine; "
        f"above {room.limit_ms:.0f} ms its session is void. Since the start: held {room.holds} "
        f"times, asked to come again {room.turned_away} times."
    )
    if room.held:
        said = f"Those who type are held until the machine has caught up. {said}"
        return HealthPart(name=name, level=HealthLevel.ACT, said=said, remedy=remedy)
    if not room.has_room:
        said = f"Newcomers who want to type are asked to try again later. {said}"
        return HealthPart(name=name, level=HealthLevel.LOOK, said=said, remedy=remedy)
    return HealthPart(name=name, level=HealthLevel.WELL, said=said)


def _walls(walls: list[GuestWall | None]) -> HealthPart:
    name = "Walls around guests"
    told = [wall for wall in walls if wall is not None]
    if not told:
        return HealthPart(name=name, level=HealthLevel.WELL, said="No lab host has told of one.")
    oldest = min(wall.landlock_version for wall in told)
    lacking = [
        *([] if oldest else ["their files (Landlock)"]),
        *([] if all(wall.seccomp for wall in told) else ["their system calls (seccomp)"]),
    ]
    if not lacking:
        said = f"Guests are held by Landlock (version {oldest}) and seccomp."
        if oldest < LANDLOCK_HOLDS_SIGNALS:
            said += " They could send signals to each other, which Linux 6.12 and later stop."
        return HealthPart(name=name, level=HealthLevel.WELL, said=said)
    return HealthPart(
        name=name,
        level=HealthLevel.LOOK,
        said=f"Nothing holds {' and '.join(lacking)}: whoever broke out of a guest's kernel would "
        "be held by the rest alone.",
        remedy="Give the lab hosts a kernel that has it (Linux 5.13 or later, with `landlock` in "
        "/sys/kernel/security/lsm) and, in containers, an engine whose filter of system calls lets "
        "it through; docs/ssh.md tells what else there is.",
    )


def _punctuality(found: Punctuality | None) -> HealthPart:
    name = "Punctuality of typing"
    if found is None or not found.ended + found.voided_by_hosts:
        return HealthPart(
            name=name, level=HealthLevel.WELL, said="Nobody has typed in the last hour."
        )
    said = (
        f"Of {found.ended} sessions in the last hour {found.untrustworthy} had an emulator that "
        f"was late; {found.voided_by_hosts} more were void for the host's reasons."
    )
    bad = found.untrustworthy + found.voided_by_hosts
    if bad <= UNTRUSTWORTHY_LOOK_SHARE * (found.ended + found.voided_by_hosts):
        return HealthPart(name=name, level=HealthLevel.WELL, said=said)
    return HealthPart(
        name=name,
        level=HealthLevel.LOOK,
        said=said,
        remedy="Leave the processors to Thinlab while people type, or let fewer in at a time.",
    )


def _jobs(stored: Stored | None) -> HealthPart:
    name = "Recordings"
    jobs = {} if stored is None else stored.jobs
    under_way = jobs.get("queued", 0) + jobs.get("making", 0)
    said = f"{under_way} are being made or wait, {jobs.get('done', 0)} are made."
    if not jobs.get("failed"):
        return HealthPart(name=name, level=HealthLevel.WELL, said=said)
    return HealthPart(
        name=name,
        level=HealthLevel.LOOK,
        said=f"{jobs['failed']} could not be made; {said}",
        remedy="The page Recordings of the study says why; press Record there again.",
    )


def _server(figures: Figures) -> HealthPart:
    late_ms = figures.loop_late_s * 1000
    said = (
        f"{figures.demos} demos run, {figures.links} pages are connected to type; "
        f"the server itself was late by {late_ms:.0f} ms at most."
    )
    if figures.loop_late_s <= LOOP_LOOK_S:
        return HealthPart(name="Web server", level=HealthLevel.WELL, said=said)
    return HealthPart(
        name="Web server",
        level=HealthLevel.LOOK,
        said=said,
        remedy="Keys wait for as long. See what else uses this machine's processors.",
    )


def _backup(figures: Figures) -> HealthPart:
    how = "Run `thinlab backup FILE`, every night: docs/operating.md tells more."
    if figures.backup_at is None:
        return HealthPart(
            name="Backup", level=HealthLevel.LOOK, said="None has been made here.", remedy=how
        )
    age = figures.looked_at - figures.backup_at
    said = (
        f"The last one is {age / timedelta(hours=1):.0f} hours old "
        f"({(figures.backup_bytes or 0) / 1e6:.1f} MB)."
    )
    if age <= BACKUP_LOOK:
        return HealthPart(name="Backup", level=HealthLevel.WELL, said=said)
    return HealthPart(name="Backup", level=HealthLevel.LOOK, said=said, remedy=how)
