"""What whoever runs bots does beforehand, as the researcher: sign in, and make the answer key.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import httpx

from thinlab.bots import planted_taste, planted_threshold
from thinlab.bots.key import AnswerKey, Sound, digest

COOKIE = "researcher"
# In log odds: one in 20 000 answers otherwise.
UNMISTAKABLE = 20.0


class ResearcherError(Exception):
    """The researcher's side does not answer as needed; the text tells the remedy."""


async def sign_in(client: httpx.AsyncClient, password: str) -> str:
    """The session's cookie, with its name. Raises `ResearcherError`."""
    answer = await client.post("/api/researcher/session", json={"password": password})
    if answer.is_error:
        raise ResearcherError(f"signing in: {_told(answer)}")
    # The second over HTTPS.
    for name in (COOKIE, f"__Host-{COOKIE}"):
        if (token := client.cookies.get(name)) is not None:
            return f"{name}={token}"
    raise ResearcherError("signing in gave no session; is this a Thinlab server?")


async def answer_key(
    client: httpx.AsyncClient,
    study: str,
    utilities: Mapping[str, float],
    heard: Callable[[int, int], None] = lambda _done, _total: None,
    *,
    threshold: float | None = None,
    worth: float | None = None,
) -> AnswerKey:
    """How every recording of a study sounds. Raises `ResearcherError`.

    `utilities`: of conditions by name; a condition that is not named has 1 where a mechanism
    is on, else 0. `threshold`: of bots in adaptive blocks, in the quantity's unit. `worth`: what
    a unit of the metric that the plan weighs is worth to bots; conditions that are named in
    `utilities` sound as these say all the same.
    """
    seen = (await _get(client, f"/api/researcher/studies/{study}")).json()
    if seen["live_lab_problem"] is not None:
        raise ResearcherError(f"{study}: nothing can be typed now. {seen['live_lab_problem']}")
    definition = seen["definition"]
    unknown = set(utilities) - set(definition["conditions"])
    if unknown:
        raise ResearcherError(
            f"--utility: the study has no condition {min(unknown)!r}; "
            f"it has {', '.join(definition['conditions'])}"
        )
    if threshold is not None:
        try:
            utilities = {**planted_threshold.utilities_of(definition, threshold), **utilities}
        except planted_threshold.NoStaircaseError as error:
            raise ResearcherError(
                f"--threshold: {study} has no adaptive block; leave it out, or use --utility"
            ) from error
    planted = {
        name: utilities.get(name, 0.0 if condition.get("mode", "off") == "off" else 1.0)
        for name, condition in definition["conditions"].items()
    }
    gold = {
        trial["id"]: _known(trial)
        for block in definition["blocks"]
        for trial in block["trials"]
        if trial["kind"] == "gold"
    }
    says = {
        trial["id"]: trial["answer"]
        for block in definition["blocks"]
        for trial in block["trials"]
        if trial["kind"] == "trapping"
    }
    recordings = (await _get(client, f"/api/researcher/studies/{study}/recordings")).json()
    members = [
        (trial["id"], member)
        for trial in recordings["trials"]
        for run in trial["runs"]
        for member in run["members"]
    ]
    # Where a recording is another trial's, too, it sounds there as its condition does.
    members.sort(key=lambda one: one[0] not in gold)
    if any(member["id"] is None for _, member in members):
        raise ResearcherError(f"{study}: not everything is recorded yet; press Record first")
    by_taste = {} if worth is None else await _by_taste(client, definition, members, worth)
    sounds: dict[bytes, Sound] = {}
    for number, (trial_id, member) in enumerate(members, start=1):
        wav = (await _get(client, f"/api/researcher/recordings/{member['id']}/audio")).content
        condition = member["condition"]["name"]
        utility = gold.get(trial_id, planted)[condition]
        if trial_id not in gold and condition not in utilities:
            utility = by_taste.get(member["id"], utility)
        sounds[digest(wav)] = Sound(utility, says.get(trial_id))
        heard(number, len(members))
    return AnswerKey(sounds, _barred(definition), frozenset(_screening(definition)))


async def _by_taste(
    client: httpx.AsyncClient,
    definition: Mapping[str, Any],
    members: Sequence[tuple[str, Mapping[str, Any]]],
    worth: float,
) -> dict[int, float]:
    """How recordings sound, by their ids, to whom a unit of damage is worth so much."""
    # Of a reference nothing was measured.
    sent = {member["id"]: member["figures"] is not None for _, member in members}
    results = {
        id_: (await _get(client, f"/api/researcher/recordings/{id_}/result")).json()
        if was_sent
        else None
        for id_, was_sent in sent.items()
    }
    try:
        return planted_taste.utilities_of(definition, results, worth)
    except planted_taste.NothingWeighedError as error:
        raise ResearcherError(
            "--worth: the study's analysis plan weighs no metric of recordings against another; "
            "give it `delay_metric` and `weighed_against`, or leave --worth out"
        ) from error


def _known(gold: Mapping[str, Any]) -> dict[str, float]:
    """How the conditions of a trial whose answer is known sound: nobody who listens misses it."""
    if gold["conditions"] is not None:
        return {name: UNMISTAKABLE if name == gold["better"] else 0 for name in gold["conditions"]}
    return {gold["condition"]: UNMISTAKABLE if gold["at_least"] else -UNMISTAKABLE}


def _barred(definition: Mapping[str, Any]) -> frozenset[tuple[str, str]]:
    left_out = [
        (rule["question"], option)
        for rule in definition["exclusion"]
        if rule["rule"] == "answered"
        for option in rule["any_of"]
    ]
    return frozenset([*left_out, *_screening(definition)])


def _screening(definition: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for question in definition["questionnaire"]:
        for option in question.get("options", ()):
            if option["screens_out"]:
                yield question["id"], option["id"]


async def _get(client: httpx.AsyncClient, path: str) -> httpx.Response:
    answer = await client.get(path)
    if answer.is_error:
        raise ResearcherError(f"{path}: {_told(answer)}")
    return answer


def _told(answer: httpx.Response) -> str:
    try:
        problem: dict[str, Any] = answer.json()
    except ValueError:
        return f"answered {answer.status_code}"
    return " ".join(str(problem[name]) for name in ("detail", "remedy") if problem.get(name))
