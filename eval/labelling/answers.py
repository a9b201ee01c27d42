"""Answers said otherwise, answers that say something else, and which is which: by what kind of value they are.

Nothing here reads an answer as verdicts do: numbers are compared as numbers, dates by their ISO form, texts with case
and spaces aside.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, Literal, get_args

from ...environments.models import Answer, Submission
from ...environments.models.tasks import SubmitStatus
from .base import Candidate, Scene

NEARLY = Decimal("0.01")
"""Share of a broken number within which another one may be a rounding of it."""

Said = Literal["same", "other", "unclear"]
_Write = Callable[[str, Any], Any]
"""How a value of a kind is written."""


def says(form: Answer, gold: Submission, given: Submission) -> Said:
    """Whether an answer says what gold's says. Sets and rows have no order, lists have one."""
    if form.kind == "none":
        return "same"
    one, other = (_plain(form, submission.answer) for submission in (gold, given))
    if one == other:
        return "same"
    return "unclear" if _nearly(one, other) else "other"


def said_otherwise(scene: Scene) -> Iterator[Candidate]:
    """The same answer in another form: thousands apart, days in words, items in another order, capitals, spaces."""
    answer = scene.submission.answer
    if answer is None:
        return
    forms: dict[str, _Write] = {
        "numbers as people write them": _number_written,
        "days in words": _day_written,
        "capitals and spaces": _shouted,
    }
    for change, write in forms.items():
        written = _each_scalar(scene.task.verifier.answer, answer, write)
        if written != answer:
            yield _answered(scene, "right", change, written)
    if scene.task.verifier.answer.kind in ("set", "rows") and len(answer) > 1:
        yield _answered(scene, "right", "items the other way round", list(reversed(answer)))


def said_wrong(scene: Scene) -> Iterator[Candidate]:
    """Another answer: a number in another unit or rounded, half of what was asked for, one too many, values of two
    items exchanged, what was seen beside it."""
    answer = scene.submission.answer
    if answer is None:
        return
    for change, write in (("in another unit", _in_another_unit), ("rounded", _rounded)):
        written = _each_scalar(scene.task.verifier.answer, answer, write)
        if written != answer:
            yield _answered(scene, "wrong", f"answer {change}", written)
    if isinstance(answer, list):
        yield from _listed_wrong(scene, answer)
    elif isinstance(answer, str):
        beside = next(iter(_beside(scene, answer)), None)
        if beside is not None:
            yield _answered(scene, "wrong", "answer of a neighbour", beside)


def handed_in_wrong(scene: Scene) -> Iterator[Candidate]:
    """What was done is right, what is handed in is not: given up, refused under another rule."""
    gold, rules = scene.submission, scene.task.verifier.submit.options
    status: SubmitStatus = scene.random("status").choice(
        [one for one in get_args(SubmitStatus) if one != gold.status]
    )
    reason = rules[0] if status == "refused" and rules else None
    other = gold.model_copy(update={"status": status, "reason": reason})
    yield scene.handed_in("wrong", f"handed in as {status}", other)
    for rule in [rule for rule in rules if rule != gold.reason and gold.status == "refused"][:2]:
        yield scene.handed_in("wrong", "refused under another rule", gold.model_copy(update={"reason": rule}))


def _listed_wrong(scene: Scene, answer: list[Any]) -> Iterator[Candidate]:
    if len(answer) > 1:
        yield _answered(scene, "wrong", "half of the answer", answer[: len(answer) // 2])
    if answer and isinstance(answer[0], str):
        beside = [value for value in _beside(scene, answer[0]) if value not in answer]
        if beside:
            yield _answered(scene, "wrong", "one too many in the answer", [*answer, beside[0]])
    if len(answer) > 1 and isinstance(answer[0], Mapping):
        for name in answer[0]:
            if answer[0][name] != answer[1].get(name):
                first, second = {**answer[0], name: answer[1].get(name)}, {**answer[1], name: answer[0][name]}
                yield _answered(scene, "wrong", "values of two rows exchanged", [first, second, *answer[2:]])
                return


def _answered(scene: Scene, aim: Literal["right", "wrong"], change: str, answer: Any) -> Candidate:
    return scene.handed_in(aim, change, scene.submission.model_copy(update={"answer": answer}))


def _beside(scene: Scene, value: str) -> list[str]:
    """Other values of the fields in which gold saw `value`, as it saw them."""
    found: list[str] = []
    for step in scene.gold.steps:
        for records in _records(step.result.value):
            for name in {name for record in records for name in record if record[name] == value}:
                found += [record[name] for record in records if isinstance(record.get(name), str)]
    return [other for other in dict.fromkeys(found) if other != value]


def _records(value: Any) -> Iterator[list[Mapping[str, Any]]]:
    """Lists of objects anywhere in a result."""
    if isinstance(value, Mapping):
        for inner in value.values():
            yield from _records(inner)
    elif isinstance(value, list):
        records = [item for item in value if isinstance(item, Mapping)]
        yield records
        for record in records:
            yield from _records(list(record.values()))


# Reading and writing values


def _each_scalar(form: Answer, answer: Any, write: _Write, kind: str = "") -> Any:
    """The answer with each value written by `write`, which is told its kind."""
    if isinstance(answer, Mapping):
        kinds = {**form.fields, **form.columns}
        return {name: _each_scalar(form, value, write, kinds.get(name, "")) for name, value in answer.items()}
    if isinstance(answer, list):
        return [_each_scalar(form, item, write, form.of) for item in answer]
    return write(kind or form.kind, answer)


def _number_written(kind: str, value: Any) -> Any:
    return f"{value:,}" if kind == "number" and _whole(value) and abs(value) > 999 else value


def _day_written(kind: str, value: Any) -> Any:
    day = _day(value) if kind == "date" else None
    return value if day is None else f"{day:%B} {day.day}, {day.year}"


def _shouted(kind: str, value: Any) -> Any:
    wordy = kind == "text" and isinstance(value, str) and any(letter.isalpha() for letter in value)
    return f" {value.upper()} " if wordy else value


def _in_another_unit(kind: str, value: Any) -> Any:
    return value * 100 if kind == "number" and isinstance(value, int | float) and value else value


def _rounded(kind: str, value: Any) -> Any:
    if kind != "number" or not _whole(value):
        return value
    return next((round(value, -places) for places in (2, 1) if abs(value) > 10**places), value)


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _day(value: Any) -> dt.date | None:
    if not isinstance(value, str):
        return None
    try:
        return dt.datetime.strptime(value, "%Y-%m-%d").date()
    except ValueError:
        return None


def _plain(form: Answer, answer: Any) -> Any:
    """What an answer says, its writing aside. Lists keep their order."""
    if isinstance(answer, Mapping):
        return tuple(sorted((name, _plain(form, value)) for name, value in answer.items()))
    if isinstance(answer, Sequence) and not isinstance(answer, str):
        items = [_plain(form, item) for item in answer]
        if form.kind == "set":
            return frozenset(items)
        return frozenset(Counter(items).items()) if form.kind == "rows" else tuple(items)
    return _scalar(answer)


def _scalar(value: Any) -> str | Decimal | None:
    if value is None or isinstance(value, bool):
        return None if value is None else str(value).casefold()
    text = " ".join(str(value).casefold().split())
    number = _decimal(text.replace(",", ""))
    if number is not None:
        return number
    for form in ("%B %d, %Y", "%Y-%m-%d"):
        try:
            return dt.datetime.strptime(text, form).date().isoformat()
        except ValueError:
            continue
    return text


def _decimal(text: str) -> Decimal | None:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None  # Nan is a name too


def _nearly(one: Any, other: Any) -> bool:
    """Whether two numbers, one of them broken, may be roundings of each other."""
    if not isinstance(one, Decimal) or not isinstance(other, Decimal):
        return False
    broken = one != one.to_integral_value() or other != other.to_integral_value()
    return broken and abs(one - other) <= NEARLY * abs(one)
