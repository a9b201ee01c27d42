"""An environment: the package of schema, seed state, tools and tasks, ready to open worlds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from .canonical import sha256
from .episode import Episode
from .errors import InputError, PackageError
from .kit import Kit
from .limits import Limits
from .model_errors import located
from .models import Actor, EnvironmentSpec, Param, Task, ToolsFile
from .plans import Plan
from .reading import PackageFiles
from .remembering import Memory
from .resolution import ResolvedTool
from .schema import TableInfo
from .spec_checks import SPEC_FILE
from .task_checks import check_tasks
from .writing import package_files, task_files, write_beside, write_new

_SUFFIX = re.compile(r"-(?=[0-9a-f]*[0-9])[0-9a-f]{6,64}$")
_LONGEST_STEM = 72


class Environment:
    """Immutable. Make one with `load` or `build`; copies with other tasks share everything else.

    `id` ends in the hash of the content: schema, seed rows, tools, and environment.yaml without id, lineage and
    provenance.
    """

    def __init__(
        self,
        kit: Kit,
        spec: EnvironmentSpec,
        schema_sql: str,
        seed_sql: str,
        tools_file: ToolsFile,
        tasks: Mapping[str, Task],
        memory: Memory | None = None,
    ) -> None:
        self.kit: Final = kit
        """What worlds of this environment share."""
        self.spec: Final = spec
        self.schema_sql: Final = schema_sql
        self.seed_sql: Final = seed_sql
        self.tools_file: Final = tools_file
        self.tasks: Final = MappingProxyType(dict(tasks))
        self.memory: Final = memory
        """What its episodes remember together; None where each works out by itself."""

    def __repr__(self) -> str:
        return f"Environment({self.id!r}, tools={len(self.tools)}, tasks={len(self.tasks)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (self.spec, self.schema_sql, self.seed_sql, self.tools_file, tuple(self.tasks.values()))

    @classmethod
    def load(cls, path: str | Path) -> Environment:
        """Read and check a package folder. Raises InputError (no such folder) or PackageError.

        An id that ends in a hash must end in the content's; one without gets it.
        """
        files = PackageFiles(Path(path))
        try:
            environment = cls.build(
                spec=files.spec,
                schema_sql=files.schema_sql,
                seed_sql=files.seed_sql,
                tools=files.tools,
                tasks=files.tasks,
            )
            return environment._under(files.spec.id)
        except PackageError as error:
            raise located(error, files.documents) from error

    def _under(self, given: str) -> Environment:
        """The environment with the id it was given. Raises PackageError if that ends in another content's hash."""
        suffix = _SUFFIX.search(given)
        if suffix is None:
            return self
        if not self.hash.startswith(suffix[0][1:]):
            raise PackageError(
                f"{given!r} is not of this content, whose hash begins {self.hash[:8]!r}",
                file=SPEC_FILE,
                field="id",
                remedy=f"If the package was changed, it is another environment: write `id: {_stem(given)}`.",
            )
        spec = self.spec.model_copy(update={"id": given})
        return Environment(self.kit, spec, self.schema_sql, self.seed_sql, self.tools_file, self.tasks)

    @classmethod
    def build(
        cls,
        *,
        spec: EnvironmentSpec,
        schema_sql: str,
        seed_sql: str,
        tools: ToolsFile,
        tasks: Iterable[Task] = (),
    ) -> Environment:
        """Check everything and build the seed state. Raises PackageError; its `problems` holds all of a kind."""
        kit = Kit(spec, schema_sql, seed_sql, tools)
        named = spec.model_copy(update={"id": _with_hash(spec.id, kit.hash)})
        return cls(kit, named, schema_sql, seed_sql, tools, {}).with_tasks(tasks)

    def save(self, folder: Path) -> Path:
        """Write `folder/<id>/` and return it. What exists stays; tasks are added, or replaced if they differ.

        Raises ServiceError if the disk refuses.
        """
        target, tasks = Path(folder) / self.id, task_files(self.tasks.values())
        if not target.exists():
            files = package_files(self.spec, self.schema_sql, self.seed_sql, self.tools_file) | tasks
            target = write_new(Path(folder), self.id, files)
        write_beside(target, tasks)
        return target

    def with_tasks(self, tasks: Iterable[Task]) -> Environment:
        """The same environment holding these tasks too; a task of the same id takes the older one's place."""
        added = tuple(tasks)
        check_tasks(added, self.spec, self.tables(), self.tools)
        merged = {**self.tasks, **{task.id: task for task in added}}
        return Environment(self.kit, self.spec, self.schema_sql, self.seed_sql, self.tools_file, merged, self.memory)

    def without_tasks(self) -> Environment:
        return Environment(self.kit, self.spec, self.schema_sql, self.seed_sql, self.tools_file, {}, self.memory)

    def remembering(self, memory: Memory) -> Environment:
        """The same environment, whose episodes remember together what calls came to: for whoever makes the same calls
        in the same states often. They are those of any other, only quicker."""
        return Environment(self.kit, self.spec, self.schema_sql, self.seed_sql, self.tools_file, self.tasks, memory)

    @property
    def id(self) -> str:
        return self.spec.id

    @property
    def hash(self) -> str:
        """SHA-256 of the content: tasks, id, lineage and provenance are no part of it."""
        return self.kit.hash

    @property
    def tools(self) -> Mapping[str, ResolvedTool]:
        """The tools by name, with shared pieces put in."""
        return self.kit.tools

    @property
    def plans(self) -> Mapping[str, Plan]:
        """The tools ready to run, with what each statement reads and writes."""
        return self.kit.plans

    def writes(self, tool: str) -> bool:
        """Whether a tool writes. A name that is no tool of the package's (`say`) does not."""
        plan = self.plans.get(tool)
        return plan is not None and plan.writes

    def params(self, tool: str) -> Mapping[str, Param]:
        """The parameters of a tool, those aside that paging adds; empty for a name that is no tool of the
        package's."""
        found = self.tools.get(tool)
        return {} if found is None else found.params

    @property
    def image(self) -> bytes:
        """The seed state as a SQLite database."""
        return self.kit.built.image

    def image_for(self, task: str | Task | None) -> bytes:
        """The seed state with the task's setup applied. Raises PackageError for setup that fails."""
        return self.kit.image_for(self.task(task))

    def tables(self) -> Mapping[str, TableInfo]:
        """Tables and views of the built schema by name."""
        return self.kit.built.tables

    def actor_table(self, actor: Actor) -> str:
        """The table of the actor's row: that of all its roles."""
        return self.spec.roles[actor.roles[0]].table

    def task(self, task: str | Task | None) -> Task | None:
        """A task by id; a task as it is. Raises InputError for an unknown id."""
        if task is None or isinstance(task, Task):
            return task
        if task not in self.tasks:
            listed = ", ".join(self.tasks) or "none"
            raise InputError(f"{self.id} has no task {task!r}.", remedy=f"Tasks: {listed}.")
        return self.tasks[task]

    def open(
        self,
        task: str | Task | None = None,
        *,
        actor: Actor | None = None,
        limits: Limits | None = None,
        seed: int = 0,
    ) -> Episode:
        """A fresh episode: of a task, or free (then the actor is the first row that can hold the first role).
        Its tools have the canonical form.

        Raises InputError if the actor's row does not exist or does not hold its roles, PackageError for a task that
        does not fit the environment.
        """
        return self._open(task, actor, limits, seed, played=False)

    def play(
        self,
        task: str | Task | None = None,
        *,
        actor: Actor | None = None,
        limits: Limits | None = None,
        seed: int = 0,
    ) -> Episode:
        """A fresh episode as its player sees it: its tools look as `surface` of environment.yaml says."""
        return self._open(task, actor, limits, seed, played=True)

    def _open(
        self, task: str | Task | None, actor: Actor | None, limits: Limits | None, seed: int, *, played: bool
    ) -> Episode:
        if isinstance(task, Task):
            check_tasks((task,), self.spec, self.tables(), self.tools)
        return Episode.open(self, self.task(task), actor=actor, limits=limits or Limits(), seed=seed, played=played)


def task_version(environment: Environment, task: Task) -> str:
    """Hash of everything that a measurement of the task depends on."""
    parts, spec = environment.kit.parts, environment.spec
    return sha256(
        {
            "task": task.model_dump(
                mode="json",
                by_alias=True,
                exclude_defaults=True,
                include={"instruction", "actor", "setup", "faults", "user"},
            ),
            "verifier": task.verifier.model_dump(
                mode="json", by_alias=True, exclude_defaults=True, exclude={"frozen"}
            ),
            "world": spec.model_dump(
                mode="json",
                by_alias=True,
                exclude_defaults=True,
                include={"policy", "clock", "roles", "columns", "summary", "surface"},
            ),
            "schema": parts.schema,
            "seed": parts.seed,
            "tools": parts.tools,
        }
    )


def _rebuild(
    spec: EnvironmentSpec, schema_sql: str, seed_sql: str, tools: ToolsFile, tasks: tuple[Task, ...]
) -> Environment:
    return Environment.build(spec=spec, schema_sql=schema_sql, seed_sql=seed_sql, tools=tools, tasks=tasks)


def _stem(id_: str) -> str:
    return _SUFFIX.sub("", id_)


def _with_hash(id_: str, hash_: str) -> str:
    """`<stem>-<hash>`: at least eight characters of the hash, as many as it takes to hold a digit."""
    length = next((n for n in range(8, 65) if any(char.isdigit() for char in hash_[:n])), 64)
    return f"{_stem(id_)[:_LONGEST_STEM].rstrip('-')}-{hash_[:length]}"
