"""A mechanism that is added changes nothing of what there is.

SPDX-License-Identifier: Apache-2.0
"""

import json
import subprocess
import sys
from typing import Any

import pytest

from tests.made_up import study_definition
from thinlab.condition import transport
from thinlab.condition.transport import Mechanism
from thinlab.recording.identity import RecordingSpec
from thinlab.study.definition import StudyDefinition
from thinlab.study.deviation import compare
from thinlab.study.frozen import FrozenDocument

# As if the contract had another value, and `thinlab-generate` had written it.
LATER = """
import importlib.util, json, re, sys
spec = importlib.util.find_spec("thinlab.contract.generated.names")
source = open(spec.origin).read()
head, values = r"class Mechanism\\(StrEnum\\):\\n.*\\n\\n", r"(?:    \\w+ = '\\w+'\\n)+"
now = re.search(head + values, source)[0]
module = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = module
source = source.replace(now, now + "    LATER = 'later'\\n")
exec(compile(source, spec.origin, "exec"), module.__dict__)
assert list(module.Mechanism)[-1] == "later"

from thinlab.condition.transport import Mechanism
assert Mechanism is module.Mechanism
from tests.condition.test_added_mechanism import told
from thinlab.study.definition import StudyDefinition

stored, written = json.load(sys.stdin)
before = StudyDefinition.model_validate(stored)
file = StudyDefinition.model_validate(written)
print(json.dumps({
    "stored": told(before),
    "file": told(file.as_it_was_meant(before)),
    "new": told(file),
}))
"""


def told(study: StudyDefinition) -> dict[str, Any]:
    """What must not change: hashes, labels, keys, and what is asked of the agent."""
    resolved = {name: one.resolved for name, one in study.sent.items()}
    specs = {name: RecordingSpec("speech", "0" * 64, one, 7) for name, one in resolved.items()}
    return {
        "study_hash": study.content_hash,
        "frozen": FrozenDocument.of(study, {}, 0).hashes.model_dump(),
        "labels": {name: one.transport.mode for name, one in resolved.items()},
        "mechanisms": {name: list(one.transport.mechanisms) for name, one in resolved.items()},
        "keys": {name: one.key("build") for name, one in specs.items()},
    }


@pytest.mark.processes
def test_what_was_loaded_before_a_mechanism_was_added_stays_as_it_was() -> None:
    written = study_definition().model_dump(mode="json", exclude_unset=True)
    written["conditions"]["modified"]["mode"] = "all"
    assert "mechanisms" not in written["conditions"]["modified"]
    study = StudyDefinition.model_validate(written)
    given = json.dumps([study.model_dump(mode="json"), written])
    later = subprocess.run(
        [sys.executable, "-c", LATER], input=given, capture_output=True, text=True, check=False
    )
    assert later.returncode == 0, later.stderr
    found = json.loads(later.stdout)
    now = json.loads(json.dumps(told(study)))
    assert now["labels"]["modified"] == "all"
    assert found["stored"] == now
    assert found["file"] == now
    # So does a file that nobody had loaded before: `all` are the papers' three.
    assert found["new"] == now


def test_a_plan_from_before_mechanisms_were_written_down_has_not_changed() -> None:
    study = study_definition(conditions=_all_and_off())
    document = FrozenDocument.of(study, {}, 0)
    older = document.model_copy(
        update={
            "design": {
                path: value
                for path, value in document.design.items()
                if not path.endswith(".mechanisms")
            }
        }
    )
    assert older.design != document.design
    assert compare(older, study, None) == []
    pinned = _all_and_off()
    pinned["modified"]["mechanisms"] = ["bundling"]
    (deviation,) = compare(older, study_definition(conditions=pinned), None)
    assert deviation.place == "conditions.modified.mechanisms"


@pytest.mark.parametrize(
    ("mode", "baseline"), [(transport.RECOMMENDED, "modern"), (transport.ALL_OF_SCTP, "lksctp")]
)
def test_a_set_stays_what_it_was_when_it_was_loaded(
    monkeypatch: pytest.MonkeyPatch, mode: str, baseline: str
) -> None:
    conditions = _all_and_off()
    conditions["modified"] |= {"mode": mode, "baseline": baseline}
    stored = study_definition(conditions=conditions).model_dump(mode="json")
    before = told(StudyDefinition.model_validate(stored))
    monkeypatch.setitem(transport.SETS, mode, (Mechanism.BUNDLING,))
    loaded = StudyDefinition.model_validate(stored)
    assert told(loaded) == before
    file = study_definition(conditions=conditions)
    assert told(file) != before
    assert told(file.as_it_was_meant(loaded)) == before


def _all_and_off() -> dict[str, Any]:
    path = {"rtt_ms": 130, "forward": {"loss_share": 0.02}}
    return {"plain": {"mode": "off", "path": path}, "modified": {"mode": "all", "path": path}}
