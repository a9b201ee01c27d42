"""Records with something in every field, stores to put them in, and altered copies of the sample environment."""

from __future__ import annotations

import random
import re
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from envolve.environments.models import (
    AuditReport,
    CallResult,
    Finding,
    GateResult,
    Rollout,
    RowChange,
    Submission,
    Task,
    Trace,
    TraceEvent,
    Verdict,
)
from envolve.environments.package import Environment
from envolve.memory.embedders import Embedder
from envolve.memory.embedders.minilm import MiniLM
from envolve.memory.records import (
    AgentStep,
    EffectRecord,
    EnvironmentRecord,
    FindingRecord,
    MeasurementRecord,
    PlannedItem,
    TaskRecord,
)
from envolve.memory.signatures import Signature
from envolve.memory.store import RunStore

TASK: dict[str, Any] = {
    "id": "move-the-dinner",
    "instruction": "Move Ada's dinner to Friday.",
    "actor": {"roles": ["host"], "id": 3},
    "goal": {"text": "the dinner is on Friday", "sql": "SELECT 1"},
    "gold": [
        {"call": "find", "args": {"name": "Ada"}, "as": "found"},
        {"pick": "dinner", "sql": "SELECT id FROM $found"},
        {"call": "move", "args": {"id": "$dinner.id", "note": None}},
        {"submit": {"status": "done"}},
    ],
}


class Make:
    """Builds records; `number` tells them apart. Vectors have 8 dimensions."""

    def vector(self, number: int) -> NDArray[np.float32]:
        drawn = np.random.default_rng(number).normal(size=8)
        return (drawn / np.linalg.norm(drawn)).astype(np.float32)

    def signature(self, number: int, *parts: Any) -> Signature:
        return Signature(parts={part: {f"f{number}": 2.0, "shared": 1.5} for part in parts or ("schema", "tools")})

    def environment(self, number: int = 0, **changes: Any) -> EnvironmentRecord:
        given: dict[str, Any] = {
            "id": f"world-{number}",
            "hash": f"{number:064d}",
            "scenario": {"name": f"World {number}", "text": "…"},
            "category": "hospitality",
            "fate": "admitted",
            "tables": 6,
            "tools": 13,
            "rows": 80,
            "text": f"world number {number}",
            "signature": self.signature(number),
            "vector": self.vector(number),
        }
        return EnvironmentRecord(**given | changes)

    def task(self, number: int = 0, environment: str = "world-0", **changes: Any) -> TaskRecord:
        given: dict[str, Any] = {
            "version": f"version-{number}",
            "id": f"task-{number}",
            "environment": environment,
            "stage": "confirmed",
            "fate": "confirmed",
            "task": Task.model_validate(TASK | {"id": f"task-{number}"}),
            "features": {"calls": 2.0, "writes": 1.0},
            "root": f"version-{number}",
            "text": f"task number {number}",
            "signature": self.signature(number, "shape", "targets"),
            "vector": self.vector(1000 + number),
        }
        return TaskRecord(**given | changes)

    def rollout(self, version: str = "version-0", index: int = 0, **changes: Any) -> Rollout:
        change = RowChange(table="t", op="update", key={"id": 1}, old={"a": None}, new={"a": "é\x00"})
        call = TraceEvent(
            kind="call", tool="move", args={"id": 1}, result=CallResult(ok=True, value=[1, None]), changes=(change,)
        )
        trace = Trace(environment="world-0", task="task-0", events=(call,), submission=Submission())
        given: dict[str, Any] = {
            "environment": "world-0",
            "task": "task-0",
            "version": version,
            "solver": "slip:0.6",
            "profile": "p1",
            "purpose": "measure",
            "index": index,
            "verdict": Verdict(outcome="completed", reward=1.0),
            "trace": trace,
            "calls": 1,
            "tokens": 10,
            "cost_usd": 0.5,
            "seconds": 0.25,
        }
        return Rollout(**given | changes)

    def audit(self, version: str = "version-0", grade: Any = "sound") -> AuditReport:
        gates = (GateResult(gate="gold", status="passed"),)
        return AuditReport(environment="world-0", task="task-0", version=version, grade=grade, gates=gates)

    def measurement(self, version: str = "version-0", **changes: Any) -> MeasurementRecord:
        given: dict[str, Any] = {
            "version": version,
            "profile": "p1",
            "solver": "slip:0.6",
            "purpose": "measure",
            "passes": 4,
            "n": 12,
            "decision": "accept",
            "posterior": {"in_band": 0.93},
        }
        return MeasurementRecord(**given | changes)

    def effect(self, parent: str, child: str, **changes: Any) -> EffectRecord:
        given: dict[str, Any] = {
            "operator": "deepen",
            "declared": "harden",
            "parent": parent,
            "child": child,
            "profile": "p1",
            "parent_passes": 9,
            "parent_n": 12,
            "child_passes": 3,
            "child_n": 12,
        }
        return EffectRecord(**given | changes)

    def finding(self, number: int = 0, **changes: Any) -> FindingRecord:
        finding = Finding(
            kind=changes.pop("kind", "missing_guard"),
            severity="blocker",
            where=f"tools.cancel_{number}",
            message=f"cancels what is closed ({number})",
            source=changes.pop("source", "gate:fuzz"),
            confirmed=changes.pop("confirmed", True),
        )
        given: dict[str, Any] = {
            "environment": "world-0",
            "hash": "0",
            "finding": finding,
            "fix": "require an open booking",
            "text": f"finding {number}",
            "vector": self.vector(2000 + number),
        }
        return FindingRecord(**given | changes)

    def step(self, index: int = 0, **changes: Any) -> AgentStep:
        given: dict[str, Any] = {
            "index": index,
            "role": "coder",
            "implementation": "procedural",
            "subject": "world-0",
            "inputs_hash": "abc",
            "inputs": {"prompt": "…"},
            "outputs": {"reply": None},
            "findings": ("missing_guard",),
            "seconds": 1.5,
            "tokens": 7,
            "cost_usd": 0.25,
        }
        return AgentStep(**given | changes)

    def plan(self, store: RunStore, *keys: str, number: int = 0) -> None:
        """A round with these work keys."""
        store.work.plan_round(number, {"why": "test"}, [PlannedItem(key=key, kind="new") for key in keys])


@pytest.fixture
def make() -> Make:
    return Make()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of the run in `store`."""
    return tmp_path / "run"


@pytest.fixture
def store(folder: Path) -> Iterator[RunStore]:
    with RunStore.create(folder, {"seed": 1}) as created:
        yield created


SAMPLE = Path(__file__).parents[1] / "data" / "table-booking"


@pytest.fixture(scope="session")
def sample() -> Environment:
    """The table-booking environment."""
    return Environment.load(SAMPLE)


class Altered:
    """Copies of the sample, changed in text before they are loaded."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def copy(self, *, words: Mapping[str, str] | None = None, **edits: tuple[str, str]) -> Environment:
        """With whole `words` replaced in all files, and `edits` of one file: `schema=("old", "new")`."""
        target = Path(tempfile.mkdtemp(dir=self._folder))
        for source in (path for path in SAMPLE.rglob("*") if path.is_file()):
            text = source.read_text(encoding="utf-8")
            old, new = edits.get(source.stem, ("", ""))
            assert old in text
            text = text.replace(old, new) if old else text
            path = target / with_words(str(source.relative_to(SAMPLE)), words or {})
            path.parent.mkdir(exist_ok=True)
            path.write_text(with_words(text, words or {}), encoding="utf-8")
        return Environment.load(target)

    def renamed(self) -> Environment:
        """Other names for tables, columns, tools, parameters and shared pieces; the same words otherwise."""
        names = (
            "bookings",
            "booking_id",
            "dining_tables",
            "table_id",
            "people",
            "person_id",
            "waitlist",
            "party_size",
        )
        return self.copy(
            words={name: f"{name[::-1]}_x" for name in (*names, "move_booking", "find_restaurants", "own_booking")}
        )

    def retold(self) -> Environment:
        """The same thing told as a hairdresser's."""
        words = {
            "restaurant": "salon",
            "booking": "visit",
            "dining_table": "chair",
            "diner": "client",
            "host": "stylist",
        }
        words |= {"guest": "customer", "waitlist": "queue", "seats": "size", "party": "group", "cuisine": "style"}
        plurals = {f"{old}s": f"{new}s" for old, new in words.items()}
        capitals = {old.capitalize(): new.capitalize() for old, new in {**plurals, **words}.items()}
        return self.copy(words={**plurals, **words, **capitals})

    def reordered(self, seed: int) -> Environment:
        """Tables, tools, parameters and tasks in another order."""
        draw, base = random.Random(seed), Environment.load(SAMPLE)
        tables = re.findall(r"CREATE TABLE .*?;\n", base.schema_sql, re.DOTALL)
        tools = [tool.model_copy(update={"params": shuffled(tool.params, draw)}) for tool in base.tools_file.tools]
        tasks = list(base.tasks.values())
        for sequence in (tables, tools, tasks):
            draw.shuffle(sequence)
        return Environment.build(
            spec=base.spec,
            schema_sql="".join(tables),
            seed_sql=base.seed_sql,
            tools=base.tools_file.model_copy(update={"tools": tuple(tools)}),
            tasks=tasks,
        )

    def with_other_tables(self, environment: Environment) -> Environment:
        """An environment with one column more in every table."""
        schema = re.sub(r"(CREATE TABLE \w+ \()", r"\1 remark TEXT,", environment.schema_sql)
        return Environment.build(
            spec=environment.spec,
            schema_sql=schema,
            seed_sql=environment.seed_sql,
            tools=environment.tools_file,
            tasks=environment.tasks.values(),
        )

    def without_tools(self, *names: str) -> Environment:
        base = Environment.load(SAMPLE)
        tools = tuple(tool for tool in base.tools_file.tools if tool.name not in names)
        return Environment.build(
            spec=base.spec,
            schema_sql=base.schema_sql,
            seed_sql=base.seed_sql,
            tools=base.tools_file.model_copy(update={"tools": tools}),
            tasks=base.tasks.values(),
        )


def with_words(text: str, words: Mapping[str, str]) -> str:
    for word, other in words.items():
        text = re.sub(rf"(?<![A-Za-z]){word}(?![a-z])", other, text)
    return text


def shuffled(mapping: Mapping[str, Any], draw: random.Random) -> dict[str, Any]:
    names = list(mapping)
    draw.shuffle(names)
    return {name: mapping[name] for name in names}


@pytest.fixture
def altered(tmp_path: Path) -> Altered:
    return Altered(tmp_path)


@pytest.fixture(scope="session")
def embedder() -> Embedder:
    """The default one: MiniLM."""
    return MiniLM()
