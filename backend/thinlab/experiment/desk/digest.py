"""An experiment in short, as an errand writes it and the web server reads it.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import datetime
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, Field, ValidationError

DIGEST, CELLS = "digest.json", "cells.json"

Model = TypeVar("Model", bound=BaseModel)


class ExperimentResults(BaseModel):
    """What the rows of an experiment say, counted."""

    sessions: int
    written_at: datetime
    host_build: str
    holding: int = Field(description="Requirements that hold.")
    requirements: int
    agreeing: int = Field(description="Published figures that agree with ours.")
    compared: int
    broken_checks: int = Field(description="Cells with a session whose self-check does not hold.")


class Digest(BaseModel):
    """An experiment, and what its results come to."""

    stamp: str
    title: str
    description: str
    problem: str | None = None
    """What is wrong with its file."""
    cells: int = 0
    runs: int = 0
    minutes: float = 0.0
    results: ExperimentResults | None = None
    results_problem: str | None = None
    """Why there are rows and no results."""


class SessionEntry(BaseModel):
    """One run of a cell, as the rows have it."""

    key: str
    run: int = Field(description="From 0.")
    seed: int
    sender_sha256: list[str] = Field(description="Of each lane's capture; none: not recorded.")
    receiver_sha256: list[str]


class GroupFigures(BaseModel):
    """What the table says of a cell, or of one group of its flows."""

    name: str = Field(description="Of the group; empty where a cell has one stream.")
    figures: list[str] = Field(description="Means with their bands, in the order of `metrics`.")


class CellEntry(BaseModel):
    """One condition, and its sessions."""

    address: str
    where: str = Field(description="In words, by what it differs in from others.")
    groups: list[GroupFigures]
    sessions: list[SessionEntry]


class Cells(BaseModel):
    """The cells that have sessions, in the order of the table."""

    stamp: str
    metrics: list[str] = Field(description="What the figures are called, with their units.")
    cells: list[CellEntry]


class SessionAnalysis(BaseModel):
    """A page that the analyser made of both captures of a lane."""

    lane: int
    connection: str | None = Field(description="Null: the lane's only one.")


class MadeLane(BaseModel):
    """The captures of a lane."""

    sender_sha256: str
    receiver_sha256: str
    sender_bytes: int
    receiver_bytes: int


class SessionMade(BaseModel):
    """A session that was made again."""

    key: str
    made_at: datetime
    host_build: str
    recorded_build: str = Field(description="Of the host on which it was run first.")
    agrees: bool | None = Field(description="Whether all captures are the same; null: not known.")
    lanes: list[MadeLane]
    analyses: list[SessionAnalysis]
    analyses_left_out: int = Field(description="Connections beyond those that have a page.")
    analysis_problem: str | None = None


def read(file: Path, model: type[Model]) -> Model | None:
    """What a file holds; none where it is not there, half written, or of another version."""
    try:
        return model.model_validate_json(file.read_bytes())
    except (OSError, ValidationError):
        return None
