"""A span of time in the SQL that the description gives in another unit.

Stands for hours taken for minutes: "Book a table for two hours" with '+2 minutes'. The number must be the same and
the unit another, and the description's own span must not occur in the tool.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from ....environments.models import Finding
from ..reading.base import Context, again, finding
from ..reading.wording import numbers_in

KIND = "duration_unlike_words"
_SAID = re.compile(r"\b([\w-]+)[ -](minute|hour|day)s?\b")
_WRITTEN = re.compile(r"^\s*[+-]?(\d+) (minute|hour|day)s?\s*$")


def check(context: Context) -> Iterator[Finding]:
    for name, tool in context.anatomy.tools.items():
        written = {
            span for query in context.anatomy.queries[name] if query.tree is not None for span in _spans(query.tree)
        }
        texts = [(f"tools.{name}.description", tool.description)]
        texts += [(f"tools.{name}.params.{param}", each.description) for param, each in tool.params.items()]
        for where, text in texts:
            for number, unit in _said(text):
                others = sorted(other for count, other in written if count == number and other != unit)
                if others and (number, unit) not in written:
                    message = f"{name} says {number} {unit}s where its SQL has {number} {others[0]}s."
                    yield finding(KIND, "major", where, message, probe=again(KIND), says=text)


def _said(text: str) -> Iterator[tuple[int, str]]:
    for match in _SAID.finditer(text.lower()):
        yield from ((number, match[2]) for number in numbers_in(match[1]))


def _spans(tree: exp.Expr) -> Iterator[tuple[int, str]]:
    for literal in tree.find_all(exp.Literal):
        found = _WRITTEN.match(str(literal.this)) if literal.is_string else None
        if found is not None:
            yield int(found[1]), found[2]
