"""Gold's end state edited: mutants, which must fail, and other forms of the same state, which must pass."""

from __future__ import annotations

from collections import Counter
from contextlib import closing
from random import Random
from typing import NamedTuple

from ...environments.canonical import seed_from
from .base import AuditContext, Trial
from .edits import Edit, EndStateEditor
from .hints import hints_of
from .mutations import SAME, Mutations, Slot
from .same_states import same_state_edits
from .siblings import Siblings

MOST_MUTANTS = 120
MOST_TRIED = 240


class EndStates(NamedTuple):
    """`mutants` count; `same` are ≈ gold's end state, or differ in free columns alone; `dropped` by rule."""

    mutants: list[Trial]
    same: list[Trial]
    dropped: Counter[str]


def end_states(context: AuditContext) -> EndStates:
    """Edit gold's end state in every kind of way, and judge what comes out."""
    found = EndStates([], [], Counter())
    free = context.task.verifier.free
    with closing(EndStateEditor(context.environment, context.end, context.reader, free)) as editor:
        random = Random(seed_from(context.seed, "siblings"))
        siblings = Siblings(editor, context.environment.tables(), random, hints_of(context.task.verifier))
        mutations = Mutations(context, siblings)
        slots = mutations.slots()
        found.dropped.update(mutations.left_out)
        _fill(context, editor, slots, found)
        for edit in same_state_edits(context, siblings):
            state = editor.apply(edit)
            if not isinstance(state, str) and state.signature == context.gold.signature:
                judgement = context.judge(state.image, state.changes, context.gold.submission)
                found.same.append(Trial(edit.shown(), judgement))
    return found


def _fill(context: AuditContext, editor: EndStateEditor, slots: list[Slot], found: EndStates) -> None:
    """Take one edit of each slot after the other, until the slots are full or a bound is met."""
    counted = [0] * len(slots)
    tried: set[str] = set()
    for number in range(max((len(slot.edits) for slot in slots), default=0)):
        for place, slot in enumerate(slots):
            done = counted[place] == slot.wanted or (number >= slot.patience and not counted[place])
            if done or number >= len(slot.edits) or repr(slot.edits[number].rows) in tried:
                continue
            if len(found.mutants) == MOST_MUTANTS or len(tried) == MOST_TRIED:
                return
            tried.add(repr(slot.edits[number].rows))
            counted[place] += _counts(context, editor, slot.edits[number], found)


def _counts(context: AuditContext, editor: EndStateEditor, edit: Edit, found: EndStates) -> bool:
    """Whether the edit is a mutant; then it was judged, else it was dropped by a rule."""
    state = editor.apply(edit)
    if isinstance(state, str):
        found.dropped[f"breaks {'an' if state == 'invariant' else 'a'} {state}"] += 1
        return False
    if state.signature == context.gold.signature:
        found.dropped[SAME] += 1
        return False
    judgement = context.judge(state.image, state.changes, context.gold.submission)
    found.mutants.append(Trial(edit.shown(), judgement))
    return True
