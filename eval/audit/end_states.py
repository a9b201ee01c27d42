"""Gold's end state edited: mutants, which must fail, and other forms of the same state, which must pass."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import closing
from random import Random
from typing import NamedTuple

from ...environments.canonical import seed_from
from .base import AuditContext, Trial
from .dropping import AGAIN, CONSTRAINT, INVARIANT, SAME, SPELLED, Dropped
from .edits import Edit, EndStateEditor
from .hints import hints_of
from .mutations import Mutations, Slot
from .same_states import same_state_edits
from .shrinking import smallest_edit
from .siblings import Siblings
from .spelling import spelled_otherwise

MOST_MUTANTS = 120
MOST_TRIED = 240
_RULES = {"constraint": CONSTRAINT, "invariant": INVARIANT}


class EndStates(NamedTuple):
    """`mutants` count; `same` are ≈ gold's end state, or differ in free columns alone; `untried` is how many more
    were wanted, had a bound not been met or a slot been given up."""

    mutants: list[Trial]
    same: list[Trial]
    dropped: list[Dropped]
    untried: int


def end_states(context: AuditContext) -> EndStates:
    """Edit gold's end state in every kind of way, and judge what comes out."""
    free = context.task.verifier.free
    with closing(EndStateEditor(context.environment, context.end, context.reader, free)) as editor:
        random = Random(seed_from(context.seed, "siblings"))
        siblings = Siblings(editor, context.environment.tables(), random, hints_of(context.task.verifier))
        mutations = Mutations(context, siblings)
        editing = _Editing(context, editor)
        untried = editing.fill(mutations.slots())
        same = list(editing.same(same_state_edits(context, siblings)))
    return EndStates(editing.mutants, same, [*mutations.left_out, *editing.dropped], untried)


class _Editing:
    """Edits applied one after the other: what counts, and what does not."""

    def __init__(self, context: AuditContext, editor: EndStateEditor) -> None:
        self._context = context
        self._editor = editor
        self._tried: set[str] = set()
        self.mutants: list[Trial] = []
        self.dropped: list[Dropped] = []

    def fill(self, slots: list[Slot]) -> int:
        """Take one edit of each slot after the other, until the slots are full or a bound is met. How many mutants
        that were wanted were not tried; the edits of a full slot are to spare."""
        counted, taken = [0] * len(slots), [0] * len(slots)
        for number in range(max((len(slot.edits) for slot in slots), default=0)):
            for place, slot in enumerate(slots):
                done = counted[place] == slot.wanted or (number >= slot.patience and not counted[place])
                if done or number >= len(slot.edits) or self._full:
                    continue
                taken[place] += 1
                counted[place] += self._counts(slot.edits[number])
        return sum(
            min(slot.wanted - counted[place], len(slot.edits) - taken[place]) for place, slot in enumerate(slots)
        )

    def same(self, edits: Iterable[Edit]) -> Iterator[Trial]:
        """Other forms of gold's end state; those that are none are no mutants either."""
        gold = self._context.gold
        for edit in edits:
            state = self._editor.apply(edit)
            if not isinstance(state, str) and state.signature == gold.signature:
                yield Trial(edit.shown(), self._context.judge(state.image, state.changes, gold.submission))

    @property
    def _full(self) -> bool:
        return len(self.mutants) == MOST_MUTANTS or len(self._tried) == MOST_TRIED

    def _counts(self, edit: Edit) -> bool:
        """Whether the edit is a mutant; then it was judged, else it was dropped by a rule."""
        if repr(edit.rows) in self._tried:
            return self._drop(edit, AGAIN)
        self._tried.add(repr(edit.rows))
        state = self._editor.apply(edit)
        if isinstance(state, str):
            return self._drop(edit, _RULES[state])
        if state.signature == self._context.gold.signature:
            return self._drop(edit, SAME)
        trial = Trial(edit.shown(), self._context.judge(state.image, state.changes, self._context.gold.submission))
        if trial.judgement.passed and spelled_otherwise(self._context, state):
            return self._drop(edit, SPELLED)
        self.mutants.append(trial if trial.killed else self._shortest(edit, trial))
        return True

    def _drop(self, edit: Edit, rule: str) -> bool:
        self.dropped.append(Dropped(edit.kind, edit.place, rule))
        return False

    def _shortest(self, edit: Edit, trial: Trial) -> Trial:
        """A survivor with the fewest edits that survive, as SQL on gold's end state."""
        small = smallest_edit(self._context, self._editor, edit)
        return trial._replace(shown={**small.shown(), "sql": small.sql})
