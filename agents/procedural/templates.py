"""Text templates of the library: Jinja2, with short paths for what is commonest.

A text whose every expression is a dotted name, and a condition that compares one with a word, need no compiler; the
rest is compiled once per process. Both paths refuse names that do not exist.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

import jinja2

from ...environments.errors import InputError

_PLAIN = re.compile(r"\{\{\s*([a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*)\s*\}\}")
_ALTERNATIVE = {"when", "is"}
_COMPARISON = re.compile(r"([a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*) (==|!=) '([^'\\]*)'")


def render(text: str, context: Mapping[str, Any]) -> str:
    """`text` with its expressions filled in from `context`. Raises InputError for unknown names and for what is no
    template."""
    if "{{" not in text and "{%" not in text:
        return text
    pieces = _pieces(text)
    try:
        if pieces is None:
            return _compiled(text).render(context)
        return "".join(
            piece if index % 2 == 0 else str(_look_up(piece, context)) for index, piece in enumerate(pieces)
        )
    except (jinja2.UndefinedError, AttributeError, KeyError) as error:
        raise InputError(f"template names something unknown: {error}", remedy=f"In: {text[:200]!r}") from error
    except jinja2.TemplateSyntaxError as error:
        raise InputError(f"template cannot be read: {error}", remedy=f"In: {text[:200]!r}") from error


def condition(expression: str, context: Mapping[str, Any]) -> bool:
    """Whether a `when` expression holds. Raises InputError for unknown names and for what is no expression."""
    compared = _compared(expression)
    try:
        if compared is not None:
            path, wanted, word = compared
            return (_look_up(path, context) == word) is wanted
        return bool(_expression(expression)(**context))
    except (jinja2.UndefinedError, AttributeError, KeyError) as error:
        raise InputError(f"condition names something unknown: {error}", remedy=f"In: {expression!r}") from error
    except jinja2.TemplateSyntaxError as error:
        raise InputError(f"condition cannot be read: {error}", remedy=f"In: {expression!r}") from error


def render_tree(value: Any, context: Mapping[str, Any]) -> Any:
    """Renders every string and key of a tree; drops mappings whose `when` does not hold. `{when: …, is: …}` stands for
    what it `is`."""
    if isinstance(value, str):
        return render(value, context)
    if isinstance(value, dict):
        return (
            render_tree(value["is"], context) if value.keys() == _ALTERNATIVE else _rendered_mapping(value, context)
        )
    if isinstance(value, list):
        return [render_tree(item, context) for item in value if _kept(item, context)]
    return value


def _rendered_mapping(value: dict[Any, Any], context: Mapping[str, Any]) -> dict[Any, Any]:
    """Entries whose condition holds; one whose key comes out empty is left out too."""
    rendered = {}
    for key, item in value.items():
        if key != "when" and _kept(item, context):
            name = render(key, context) if isinstance(key, str) else key
            if name != "":
                rendered[name] = render_tree(item, context)
    return rendered


def _kept(item: Any, context: Mapping[str, Any]) -> bool:
    return not isinstance(item, dict) or "when" not in item or condition(item["when"], context)


@cache
def _pieces(text: str) -> tuple[str, ...] | None:
    """Text and dotted names in turn; None if the text needs Jinja."""
    pieces = tuple(_PLAIN.split(text))
    return None if any("{{" in piece or "{%" in piece for piece in pieces[::2]) else pieces


@cache
def _compared(expression: str) -> tuple[str, bool, str] | None:
    """A dotted name, whether it should equal a word, and the word; None for conditions of any other form."""
    found = _COMPARISON.fullmatch(expression.strip())
    return (found[1], found[2] == "==", found[3]) if found else None


def _look_up(path: str, context: Mapping[str, Any]) -> Any:
    first, *rest = path.split(".")
    value = context[first]
    for name in rest:
        value = value[name] if isinstance(value, Mapping) else getattr(value, name)
    return value


@lru_cache(maxsize=1)
def _jinja() -> jinja2.Environment:
    return jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False, keep_trailing_newline=True)


@cache
def _compiled(text: str) -> jinja2.Template:
    return _jinja().from_string(text)


@cache
def _expression(text: str) -> Any:
    return _jinja().compile_expression(text, undefined_to_none=False)
