"""A copy that is said otherwise: scenario, summary, requirements, rules, descriptions and instructions.

By rules, not by a writer: other words for words (wording.yaml), long sentences taken apart, sentences in another order
where order says nothing, and lists told from their other end. It changes less than a person who writes the text anew.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from random import Random

from envolve.environments.models import EnvironmentSpec, Param, Task, TaskLineage, Tool, ToolsFile, UseParam
from envolve.environments.package import Environment

_QUOTED = re.compile(r'"[^"]*"|“[^”]*”|\{[^{}]*\}')
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_JOINED = re.compile(r", and (?=[a-z])|; ")
_WORKS_WITH = re.compile(r"^(?P<who>[^.]+) work with (?P<what>[^.]+)\.$")
_RATE = 0.8
"""Share of the words with another form that get it."""
_LONG = 110
"""Characters from which on a sentence is taken apart."""


def paraphrased(environment: Environment, seed: int) -> Environment:
    """The same environment in other words; names, rows and every task's values stay."""
    draw = Random(seed)
    return Environment.build(
        spec=_spec(environment.spec, draw),
        schema_sql=environment.schema_sql,
        seed_sql=environment.seed_sql,
        tools=_tools(environment.tools_file, draw),
        tasks=[_task(task, draw) for task in environment.tasks.values()],
    )


def said_otherwise(text: str, draw: Random, *, prose: bool = False) -> str:
    """The text in other words. `prose`: sentences may be taken apart and come in another order; those of an
    instruction may not."""
    told = _resentenced(text, draw) if prose else text
    pieces, start = list[str](), 0
    for match in _QUOTED.finditer(told):
        pieces += [_reworded(told[start : match.start()], draw), match[0]]
        start = match.end()
    said = "".join([*pieces, _reworded(told[start:], draw)])
    return _WORKS_WITH.sub(lambda match: f"{_capital(match['what'])} are what {_small(match['who'])} see to.", said)


def _spec(spec: EnvironmentSpec, draw: Random) -> EnvironmentSpec:
    return spec.model_copy(
        update={
            "scenario": said_otherwise(spec.scenario, draw, prose=True),
            "summary": said_otherwise(spec.summary, draw),
            "requirements": tuple(said_otherwise(one, draw) for one in spec.requirements),
            "policy": "".join(f"{_rule(line, draw)}\n" for line in spec.policy.splitlines()),
        }
    )


def _rule(line: str, draw: Random) -> str:
    number, dot, text = line.partition(". ")
    return f"{number}{dot}{said_otherwise(text, draw)}" if number.isdigit() else said_otherwise(line, draw)


def _tools(tools: ToolsFile, draw: Random) -> ToolsFile:
    shared = tools.shared.model_copy(
        update={"params": {name: _param(param, draw) for name, param in tools.shared.params.items()}}
    )
    return tools.model_copy(update={"tools": tuple(_tool(tool, draw) for tool in tools.tools), "shared": shared})


def _tool(tool: Tool, draw: Random) -> Tool:
    params = {
        name: param if isinstance(param, UseParam) else _param(param, draw) for name, param in tool.params.items()
    }
    return tool.model_copy(update={"description": said_otherwise(tool.description, draw), "params": params})


def _param(param: Param, draw: Random) -> Param:
    return param.model_copy(update={"description": said_otherwise(param.description, draw)})


def _task(task: Task, draw: Random) -> Task:
    """What the plan would say again is left out."""
    said = said_otherwise(task.instruction, draw)
    verifier = task.verifier.model_copy(update={"frozen": None})
    return task.model_copy(update={"instruction": said, "verifier": verifier, "plan": {}, "lineage": TaskLineage()})


def _resentenced(text: str, draw: Random) -> str:
    sentences = [piece for sentence in _SENTENCE.split(text.strip()) for piece in _apart(sentence)]
    return " ".join(draw.sample(sentences, len(sentences)))


def _apart(sentence: str) -> Sequence[str]:
    """A long sentence of two halves as two."""
    halves = list(_JOINED.finditer(sentence)) if len(sentence) >= _LONG else []
    if not halves:
        return [sentence]
    match = halves[-1]
    return [f"{sentence[: match.start()].rstrip(',;')}.", _capital(sentence[match.end() :])]


def _reworded(text: str, draw: Random) -> str:
    forms, pattern = _forms()

    def replaced(match: re.Match[str]) -> str:
        others = forms[match[0].lower()]
        if draw.random() >= _RATE:
            return match[0]
        other = draw.choice(others)
        return _capital(other) if match[0][0].isupper() else other if other.startswith("I ") else _small(other)

    return pattern.sub(replaced, text)


@lru_cache(maxsize=1)
def _forms() -> tuple[dict[str, list[str]], re.Pattern[str]]:
    """Form (lower case) → the others that stand for it; and a pattern that finds the longest."""
    import yaml

    text = files(__package__).joinpath("wording.yaml").read_text(encoding="utf-8")
    others: dict[str, list[str]] = {}
    for forms in yaml.load(text, Loader=yaml.CSafeLoader):
        first, *rest = forms
        others.setdefault(first.lower(), []).extend(rest)
    longest = sorted(others, key=lambda form: (-len(form), form))
    return others, re.compile(rf"(?<![\w'-])({'|'.join(map(re.escape, longest))})(?![\w'-])", re.IGNORECASE)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _small(text: str) -> str:
    return text[:1].lower() + text[1:]
