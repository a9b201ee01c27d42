"""What is wrong with a task that has no verifier yet, found by execution, in words that its writer can act on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from ....environments.answer_matching import answers_match
from ....environments.changes import ChangeSet
from ....environments.errors import EnvolveError
from ....environments.gold import GoldRun, run_gold
from ....environments.models import CallStep, GateResult, SubmitStep, Task, Trace
from ....environments.package import Environment
from ....environments.states import state_signature
from ....environments.verification import SqlProblem, StateReader, expected_answer
from ....eval.audit import AuditContext, audit
from ....eval.audit.gates import leak
from ....eval.audit.known_values import references, scalars
from ....eval.audit.reach import first_unreachable
from ....eval.audit.resolving import resolved_phrases
from ..clipping import clipped, value_text
from ..showing import transcript_text

MOST_PROBLEMS = 8
TOO_DEEP = "some SQL is nested too deeply: write it flatter"
_MOST_EVIDENCE = 600
_MOST_TRANSCRIPT = 2_500
_MOST_ROWS = 20
_CODE_WORD = re.compile(r"\b[a-z]+(?:_[a-z0-9]+)+\b")


def task_problems(environment: Environment, task: Task) -> list[str]:
    """Empty for a task that can be done, whose gold reaches its goal, and whose instruction means what it should."""
    try:
        environment.open(task).close()
        broken = list(_setup_problems(environment, task))
        if broken:
            return broken
        run, failure = executed(environment, task)
        if failure:
            return [*_wording_problems(environment, task), *_gold_problems(environment, task), failure]
        found = [
            *_wording_problems(environment, task),
            *_gold_problems(environment, task),
            *_end_problems(environment, task, run),
            *_phrase_problems(environment, task),
        ]
        if not found and not run.changes.rows:
            found = question_problems(environment, task)
    except EnvolveError as error:
        return [clipped(str(error), _MOST_EVIDENCE)]
    except RecursionError:
        return [TOO_DEEP]
    return found[:MOST_PROBLEMS]


def executed(environment: Environment, task: Task) -> tuple[GoldRun, str]:
    """Gold's run, and why it failed, with what its last calls returned (empty: it did not)."""
    with environment.open(task) as episode:
        run = run_gold(environment, task, episode=episode)
        if run.failure is None:
            return run, ""
        trace = episode.trace
    told = f"gold fails at step {run.failure.step} (from 0): {run.failure.message}"
    return run, f"{clipped(told, _MOST_EVIDENCE)}\nIts calls:\n{_last_calls(trace)}"


def executed_trace(environment: Environment, task: Task) -> Trace:
    """What happens when gold is run."""
    with environment.open(task) as episode:
        run_gold(environment, task, episode=episode)
        return episode.trace


def _last_calls(trace: Trace) -> str:
    return transcript_text(trace.model_copy(update={"events": trace.events[-4:]}), _MOST_TRANSCRIPT)


def _setup_problems(environment: Environment, task: Task) -> Iterator[str]:
    """Invariants that the task's own rows break."""
    if not task.setup:
        return
    with StateReader(environment, environment.image_for(task), actor=task.actor) as reader:
        for rule in environment.spec.invariants:
            rows = reader.query(rule.sql)
            if rows:
                yield f"setup breaks what must always hold, {rule.name!r}: {value_text(rows[:3], 200)}"


def _wording_problems(environment: Environment, task: Task) -> Iterator[str]:
    columns = {column for table in environment.tables().values() for column in table.by_name}
    coded = {*columns, *environment.tables(), *environment.tools}
    said = sorted(set(_CODE_WORD.findall(task.instruction)) & coded)
    if said:
        yield f"instruction: people do not say {', '.join(said)}; use ordinary words"


def _gold_problems(environment: Environment, task: Task) -> Iterator[str]:
    """Keys that gold knows without having looked them up."""
    for index, step, name in _keys(environment, task):
        if any(not str(item).startswith("$") for item in scalars(step.args[name])):
            yield (
                f"gold step {index}: {name} of {step.call} is written out as {value_text(step.args[name])}; "
                "take it from what an earlier call returned ($found.id)"
            )


def _keys(environment: Environment, task: Task) -> Iterator[tuple[int, CallStep, str]]:
    """Where gold passes a key: the step's number, the step, and the parameter."""
    for index, step in enumerate(task.gold):
        if isinstance(step, CallStep):
            params = environment.params(step.call)
            yield from ((index, step, name) for name in step.args if name in params and references(params[name]))


def _end_problems(environment: Environment, task: Task, run: GoldRun) -> Iterator[str]:
    """Where the goal does not tell the end from the start, or the answer is not the right one."""
    image = environment.image_for(task)
    with StateReader(environment, image, actor=task.actor) as reader:
        if task.goal.sql is not None:
            yield from _placed("goal_sql", _goal_problems(environment, task, run, reader, image))
        elif run.changes.rows:
            yield "gold changes data, so goal_sql is needed"
        elif task.verifier.answer.kind == "none":
            yield "nothing is changed and nothing is asked: there is nothing to verify"
        reader.show(run.after, run.changes)
        if task.verifier.answer.kind != "none":
            yield from _placed("answer.sql", _answer_problems(task, run, reader))


def _placed(place: str, problems: Iterator[str]) -> Iterator[str]:
    """The problems; SQL that does not run is one of `place`."""
    try:
        yield from problems
    except SqlProblem as problem:
        yield f"{place}: {clipped(problem.message, _MOST_EVIDENCE)}"


def _goal_problems(
    environment: Environment, task: Task, run: GoldRun, reader: StateReader, image: bytes
) -> Iterator[str]:
    sql = task.goal.sql or ""
    if state_signature(environment, run.changes, run.after) == state_signature(environment, ChangeSet(), image):
        yield "goal_sql is given, but gold changes nothing that counts; leave it out for a pure question"
    if reader.holds(sql):
        yield "goal_sql is true already before anything is done"
    reader.show(run.after, run.changes)
    if not reader.holds(sql):
        first = value_text(reader.query(sql)[:2], 200)
        yield f"goal_sql is not true after gold: it gives {first}; either it or gold misses what is asked"


def _answer_problems(task: Task, run: GoldRun, reader: StateReader) -> Iterator[str]:
    answer, last = task.verifier.answer, task.gold[-1]
    expected = expected_answer(reader, answer, {})
    given = run.submission.answer if run.submission else None
    if expected in (None, [], ""):
        yield "answer.sql gives nothing"
    elif given is None:
        yield "answer.gold submits nothing"
    elif not answers_match(answer, expected, given):
        yield f"answer.sql gives {value_text(expected, 300)}, but gold submits {value_text(given, 300)}"
    if isinstance(last, SubmitStep) and not _refers(last.submit.answer):
        yield "answer.gold is written out; take it from what gold's calls and picks found"


def _refers(value: Any) -> bool:
    return any(isinstance(item, str) and item.startswith("$") for item in scalars(value))


def _phrase_problems(environment: Environment, task: Task) -> Iterator[str]:
    """Phrases that do not mean what they are said to mean, or rows that nobody can find; keys that are told."""
    passed = None if task.grounding else next(_keys(environment, task), None)
    if passed is not None:
        _, step, key = passed
        yield f"grounding is empty: no phrase says which row is meant by {key} of {step.call}"
    created = {phrase: one for phrase, one in task.grounding.items() if one.expect == "created"}
    yield from (f"grounding {phrase!r}: give a name in bind" for phrase, one in created.items() if not one.bind)
    known = {name: "SELECT 1" for one in created.values() if (name := one.bind)}
    bound = task.model_copy(update={"verifier": task.verifier.model_copy(update={"bind": known})})
    with AuditContext(environment, bound, seed=0, alternatives=()) as context:
        for phrase in context.once(resolved_phrases):
            if phrase.problem:
                yield f"grounding {phrase.phrase!r} {phrase.problem}"
            elif phrase.table is not None:
                row = first_unreachable(context, phrase.table, phrase.ids[:_MOST_ROWS])
                if row is not None:
                    yield f"grounding {phrase.phrase!r} means {phrase.table} {row}, which no tool shows this person"
        told = context.once(leak.gate)
        if told.status == "failed":
            yield gate_text(told)


def question_problems(environment: Environment, task: Task) -> list[str]:
    """What an audit says of a task that only asks: its verifier is the answer, and complete."""
    report = audit(environment, task)
    return [gate_text(gate) for gate in report.gates if gate.status == "failed"]


def gate_text(gate: GateResult) -> str:
    """A failed gate with its shortest evidence."""
    evidence = f"; for example {value_text(list(gate.evidence[:2]), _MOST_EVIDENCE)}" if gate.evidence else ""
    return f"{gate.gate}: {gate.message}{evidence}"
