"""Whether an answer is right. Anything of the wrong shape is wrong, never an exception."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..assignment import assigns_all
from ..models.answers import Answer, ScalarKind
from .dates import read_moment, same_moment
from .numbers import read_number, same_number
from .texts import plain

_MOST_REPEATS = 100
"""A set answered with more items than this for each expected one is refused unread."""
_JOINING = re.compile(r"(?<=[^\W_])[-_]+(?=[^\W_])")


def answers_match(expected: Answer, expected_value: Any, given: Any) -> bool:
    """Whether `given` states `expected_value`, by the rules of `expected`'s kind.

    `expected_value` is a scalar, a sequence of scalars (list, set), a mapping (object) or a sequence of
    mappings (rows). An answer that is not expected to exist (None) is never matched: nothing answers nothing.
    """
    kind = expected.kind
    if kind == "none":
        return True
    if expected_value is None or given is None:
        return False
    if kind == "list":
        return _lists_match(expected, expected_value, given)
    if kind == "set":
        return _sets_match(expected, expected_value, given)
    if kind == "object":
        return _objects_match(expected, expected.fields, expected_value, given)
    if kind == "rows":
        return _rows_match(expected, expected_value, given)
    return scalars_match(expected, kind, expected_value, given)


def scalars_match(answer: Answer, kind: ScalarKind, expected: Any, given: Any) -> bool:
    """Whether two scalars of one kind are the same. Missing (None) and empty text are the same within records."""
    if expected is None or expected == "":
        return given is None or given == ""
    if kind == "number":
        return _numbers_match(expected, given, answer.tolerance)
    if kind == "date":
        wanted, stated = read_moment(expected), read_moment(given)
        return wanted is not None and stated is not None and same_moment(wanted, stated)
    if kind == "choice":
        return _choices_match(answer.options, expected, given)
    return _texts_match(expected, given, answer.accept)


def _numbers_match(expected: Any, given: Any, tolerance: float) -> bool:
    wanted, stated = read_number(expected), read_number(given)
    return wanted is not None and stated is not None and same_number(wanted, stated, tolerance)


def _texts_match(expected: Any, given: Any, accept: Sequence[str]) -> bool:
    stated = plain(_text(given) or "")
    return bool(stated) and stated in {plain(text) for text in (_text(expected), *accept) if text is not None}


def _choices_match(options: Sequence[str], expected: Any, given: Any) -> bool:
    wanted, stated = _option(options, expected), _option(options, given)
    return wanted is not None and wanted == stated


def _option(options: Sequence[str], value: Any) -> str | None:
    """The option that `value` names: exactly, or as the only one after folding. Booleans name yes/no, true/false."""
    names = ("yes", "true") if value is True else ("no", "false") if value is False else (_text(value),)
    if names[0] in options:
        return names[0]
    folded = {_spaced(name) for name in names if name is not None}
    found = [option for option in options if _spaced(option) in folded]
    return found[0] if len(found) == 1 else None


def _spaced(name: str) -> str:
    """`in_progress` as people say it; a sign (`-1`, `A-`) stays."""
    return " ".join(_JOINING.sub(" ", plain(name)).split())


def _text(value: Any) -> str | None:
    """Texts, and whole numbers standing for one (`1042` for "1042")."""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def _lists_match(answer: Answer, expected: Any, given: Any) -> bool:
    if not (_is_list(expected) and _is_list(given)) or len(expected) != len(given):
        return False
    return all(scalars_match(answer, answer.of, one, other) for one, other in zip(expected, given, strict=True))


def _sets_match(answer: Answer, expected: Any, given: Any) -> bool:
    if not (_is_list(expected) and _is_list(given)) or len(given) > _MOST_REPEATS * (len(expected) + 1):
        return False

    def same(one: Any, other: Any) -> bool:
        return scalars_match(answer, answer.of, one, other)

    complete = all(any(same(one, other) for other in given) for one in expected)
    return (
        complete
        and all(any(same(one, other) for one in expected) for other in given)
        and (not answer.tolerance or answer.of != "number" or _each_has_its_own(expected, given, same))
    )


def _each_has_its_own(expected: Any, given: Any, same: Callable[[Any, Any], bool]) -> bool:
    """Whether no given number stands for two expected ones between which it lies."""
    wanted, stated = ({read_number(value) for value in values} for values in (expected, given))
    return assigns_all([[place for place, other in enumerate(stated) if same(one, other)] for one in wanted])


def _objects_match(answer: Answer, fields: Mapping[str, ScalarKind], expected: Any, given: Any) -> bool:
    if not (isinstance(expected, Mapping) and isinstance(given, Mapping)):
        return False
    return all(scalars_match(answer, kind, expected.get(name), _field(given, name)) for name, kind in fields.items())


def _field(given: Mapping[Any, Any], name: str) -> Any:
    """The value under `name`, or under the only key that is `name` in other letters; further keys do not count. The
    keys themselves, which match nothing, where several are."""
    if name in given:
        return given[name]
    alike = [key for key in given if isinstance(key, str) and key.casefold() == name.casefold()]
    if len(alike) > 1:
        return alike
    return given[alike[0]] if alike else None


def _rows_match(answer: Answer, expected: Any, given: Any) -> bool:
    """Each expected row is one of the given, and none is left over; their order does not count."""
    if not (_is_list(expected) and _is_list(given)) or len(expected) != len(given):
        return False
    matches = [
        [place for place, row in enumerate(given) if _objects_match(answer, answer.columns, wanted, row)]
        for wanted in expected
    ]
    return assigns_all(matches)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)
