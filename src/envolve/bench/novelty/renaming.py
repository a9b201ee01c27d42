"""A copy in which tables, columns, tools and parameters are called otherwise; nothing else is changed.

Works on any package whose SQL keeps names in lower case and unquoted or quoted, as procedural ones do. What it cannot
rename safely keeps its name: SQL's own words, `id`, and keys within JSON values. Plans of tasks and the design, which
speak of the old names, are left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from random import Random
from typing import Any

from envolve.environments.models import (
    EnvironmentSpec,
    Provenance,
    Task,
    TaskLineage,
    ToolsFile,
)
from envolve.environments.package import Environment
from envolve.environments.sql_lexemes import COMMENT, QUOTED_NAME, TEXT

from .other_names import Names, new_names

Tree = Any
"""JSON-like."""

_TOKEN = re.compile(
    rf"(?P<skip>{TEXT}|{COMMENT})|(?P<quoted>{QUOTED_NAME})"
    r"|(?P<mark>[:@$?#])(?P<name>[A-Za-z0-9_]+)|(?P<word>[A-Za-z_][A-Za-z0-9_]*)(?P<call>\s*\()?",
    re.DOTALL,
)
_BRACES = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_REFERENCE = re.compile(r"^\$(?!\$)[a-z][a-z0-9_]*")


def renamed(environment: Environment, seed: int) -> Environment:
    """The same environment under other names; every task is carried over."""
    names = new_names(environment, Random(seed))
    return Environment.build(
        spec=_spec(environment.spec, names),
        schema_sql=_sql(environment.schema_sql, names),
        seed_sql=_sql(environment.seed_sql, names),
        tools=_tools(environment.tools_file, names),
        tasks=[_task(task, names) for task in environment.tasks.values()],
    )


def _sql(sql: str, names: Names, bound: Callable[[str], str] = lambda name: name) -> str:
    """SQL with its tables and columns renamed; `bound` renames what stands behind a colon."""

    def replaced(match: re.Match[str]) -> str:
        if match["skip"] is not None:
            return match[0]
        if match["quoted"] is not None:
            inner = match[0][1:-1]
            return f"{match[0][0]}{names.words.get(inner, inner)}{match[0][-1]}"
        if match["mark"] is not None:
            return f"{match['mark']}{bound(match['name']) if match['mark'] == ':' else match['name']}"
        return f"{names.words.get(match['word'], match['word'])}{match['call'] or ''}"

    return _TOKEN.sub(replaced, sql)


def _place(place: str, names: Names) -> str:
    """`table.column` or `*.column`."""
    return ".".join(names.words.get(part, part) for part in place.split("."))


def _keys(tree: Tree, names: Names) -> Tree:
    """Keys of objects renamed, however deep."""
    if isinstance(tree, Mapping):
        return {names.words.get(key, key): _keys(value, names) for key, value in tree.items()}
    if isinstance(tree, list | tuple):
        return [_keys(item, names) for item in tree]
    return tree


def _spec(spec: EnvironmentSpec, names: Names) -> EnvironmentSpec:
    tree = spec.model_dump(mode="json", by_alias=True)
    for role in tree["roles"].values():
        role["table"] = names.words.get(role["table"], role["table"])
        role["where"] = _sql(role["where"], names) if role["where"] else None
    columns = tree["columns"]
    for part in ("clock", "code"):
        columns[part] = [_place(place, names) for place in columns[part]]
    columns["log"] = [names.words.get(table, table) for table in columns["log"]]
    columns["order"] = {
        _place(place, names): names.words.get(group, group) for place, group in columns["order"].items()
    }
    tree["glossary"] = {word: _sql(sql, names) for word, sql in tree["glossary"].items()}
    for invariant in tree["invariants"]:
        invariant["sql"] = _sql(invariant["sql"], names)
    tree["provenance"] = Provenance().model_dump()
    return EnvironmentSpec.model_validate(tree)


def _tools(tools: ToolsFile, names: Names) -> ToolsFile:
    tree = tools.model_dump(mode="json", by_alias=True, exclude_unset=True)
    shared = tree.get("shared", {})
    pieces = [step for steps in shared.get("steps", {}).values() for step in steps]
    everywhere = [*pieces, *(step for tool in tree["tools"] for step in tool.get("steps", ()))]
    bound = _bound(names, everywhere, names.params)
    if "params" in shared:
        shared["params"] = {
            names.params.get(name, name): _param(param, names, bound) for name, param in shared["params"].items()
        }
    for steps in shared.get("steps", {}).values():
        _steps(steps, names, bound)
    for tool in tree["tools"]:
        _tool(tool, names, _bound(names, [*pieces, *tool.get("steps", ())], tool.get("params", ())))
    return ToolsFile.model_validate(tree)


def _tool(tool: Tree, names: Names, bound: Callable[[str], str]) -> None:
    tool["name"] = names.tools[tool["name"]]
    tool["params"] = {
        names.params.get(name, name): _param(param, names, bound) for name, param in tool.get("params", {}).items()
    }
    if "required" in tool:
        tool["required"] = [names.params.get(name, name) for name in tool["required"]]
    _steps(tool.get("steps", ()), names, bound)
    returns = tool.get("returns")
    if returns:
        for part in ("one", "many", "value"):
            if returns.get(part):
                returns[part] = _sql(returns[part], names, bound)
        if "types" in returns:
            returns["types"] = _keys(returns["types"], names)
        order = returns.get("order")
        if isinstance(order, str):
            returns["order"] = _sql(order, names, bound)
        elif order:
            order["options"] = {name: _sql(sql, names, bound) for name, sql in order["options"].items()}
    if "contract" in tool:
        tool["contract"] = {
            names.words.get(table, table): writes
            | (
                {"update": [names.words.get(column, column) for column in writes["update"]]}
                if "update" in writes
                else {}
            )
            for table, writes in tool["contract"].items()
        }


def _param(param: Tree, names: Names, bound: Callable[[str], str]) -> Tree:
    if "use" in param:
        return {"use": names.params.get(param["use"], param["use"])}
    changed = dict(param)
    if changed.get("ref"):
        changed["ref"] = _place(changed["ref"], names)
    if changed.get("scope"):
        changed["scope"] = {**changed["scope"], "where": _sql(changed["scope"]["where"], names, bound)}
    if changed.get("items"):
        changed["items"] = _param(changed["items"], names, bound)
    if changed.get("properties"):
        changed["properties"] = {key: _param(inner, names, bound) for key, inner in changed["properties"].items()}
    return changed


def _bound(names: Names, steps: Iterable[Tree], params: Collection[str]) -> Callable[[str], str]:
    """Renames what the `steps` of a tool with these `params` bind: parameters, whether they are given, what they set
    themselves, and the columns of a row, each of which is bound as `name_column`."""
    lets = [item for step in steps if "let" in step for item in step["let"].items()]
    rows = sorted({name for name, query in lets if isinstance(query, dict)}, key=len, reverse=True)
    plain = {name for name, query in lets if not isinstance(query, dict)}

    def renamed(name: str) -> str:
        if name in params or name in plain:
            return names.params.get(name, name)
        if name.startswith("given_") and name[6:] in names.params:
            return f"given_{names.params[name[6:]]}"
        row = next((row for row in rows if name.startswith(f"{row}_")), None)
        if row is None:
            return names.params.get(name, name)
        column = name.removeprefix(f"{row}_")
        return f"{names.params.get(row, row)}_{names.words.get(column, column)}"

    return renamed


def _steps(steps: Iterable[Tree], names: Names, bound: Callable[[str], str]) -> None:
    for step in steps:
        if "let" in step:
            step["let"] = {
                names.params.get(name, name): {"row": _sql(query["row"], names, bound)}
                if isinstance(query, dict)
                else _sql(query, names, bound)
                for name, query in step["let"].items()
            }
        if "as" in step:
            step["as"] = names.params.get(step["as"], step["as"])
        for part in ("require", "do"):
            if part in step:
                step[part] = _sql(step[part], names, bound)
        if "error" in step:
            message = _BRACES.sub(lambda match: f"{{{bound(match[1])}}}", step["error"]["message"])
            step["error"] = {**step["error"], "message": message}


def _task(task: Task, names: Names) -> Task:
    tree = task.model_dump(mode="json", by_alias=True, exclude_unset=True)
    tree["plan"] = {}
    tree["lineage"] = TaskLineage().model_dump()
    tree["setup"] = [_sql(sql, names) for sql in tree.get("setup", ())]
    if tree["goal"].get("sql"):
        tree["goal"]["sql"] = _sql(tree["goal"]["sql"], names)
    for ground in tree.get("grounding", {}).values():
        for part in ("sql", "order"):
            if ground.get(part):
                ground[part] = _sql(ground[part], names)
        if ground.get("table"):
            ground["table"] = names.words.get(ground["table"], ground["table"])
    tree["gold"] = [_gold(step, names) for step in tree.get("gold", ())]
    tree["verifier"] = _verifier(tree.get("verifier", {}), names)
    tree["faults"] = [
        fault | ({"tool": names.tools.get(fault["tool"], fault["tool"])} if "tool" in fault else {})
        for fault in tree.get("faults", ())
    ]
    return Task.model_validate(tree)


def _gold(step: Tree, names: Names) -> Tree:
    if "call" in step:
        args = {
            names.params.get(name, name): _referring(value, names) for name, value in step.get("args", {}).items()
        }
        each = {"each": _referring(step["each"], names)} if step.get("each") else {}
        return {**step, "call": names.tools.get(step["call"], step["call"]), "args": args, **each}
    if "pick" in step:
        return {**step, "sql": _sql(step["sql"], names)}
    submit = step["submit"]
    return {"submit": submit | ({"answer": _answer(submit["answer"], names)} if "answer" in submit else {})}


def _referring(value: Tree, names: Names) -> Tree:
    """`$found.column` within arguments; the keys of nested objects stay."""
    if isinstance(value, str) and _REFERENCE.match(value):
        head, *rest = value.split(".")
        return ".".join([head, *(names.words.get(part, part) for part in rest)])
    if isinstance(value, Mapping):
        return {key: _referring(inner, names) for key, inner in value.items()}
    if isinstance(value, list):
        return [_referring(inner, names) for inner in value]
    return value


def _answer(value: Tree, names: Names) -> Tree:
    return _referring(_keys(value, names), names)


def _verifier(verifier: Tree, names: Names) -> Tree:
    changed = dict(verifier) | {"frozen": None}
    changed["bind"] = {name: _sql(sql, names) for name, sql in verifier.get("bind", {}).items()}
    changed["require"] = [check | {"sql": _sql(check["sql"], names)} for check in verifier.get("require", ())]
    changed["allow"] = [_allow(allow, names) for allow in verifier.get("allow", ())]
    changed["free"] = {
        names.words.get(table, table): [names.words.get(column, column) for column in columns]
        for table, columns in verifier.get("free", {}).items()
    }
    answer = dict(verifier.get("answer", {}))
    if answer.get("sql"):
        answer["sql"] = _sql(answer["sql"], names)
    for part in ("value", "fields", "columns"):
        if answer.get(part):
            answer[part] = _keys(answer[part], names)
    if answer.get("key"):
        answer["key"] = [names.words.get(column, column) for column in answer["key"]]
    return changed | {"answer": answer}


def _allow(allow: Tree, names: Names) -> Tree:
    changed = {**allow, "table": names.words.get(allow["table"], allow["table"])}
    if allow.get("key"):
        changed["key"] = _keys(allow["key"], names)
    if allow.get("columns"):
        changed["columns"] = [names.words.get(column, column) for column in allow["columns"]]
    for part in ("insert", "delete"):
        if allow.get(part) and allow[part].get("where"):
            changed[part] = {**allow[part], "where": _sql(allow[part]["where"], names)}
    return changed
