"""The operators by name. None of them is the audit's."""

from __future__ import annotations

from collections.abc import Mapping

from . import answers, right_states, right_ways, wrong_states, wrong_ways
from .base import Operator

RIGHT: Mapping[str, Operator] = {
    "other order": right_ways.other_orders,
    "writes alone": right_ways.without_looking,
    "reading back": right_ways.looking_back,
    "wider look-ups": right_ways.wider_look_ups,
    "one argument at a time": right_ways.one_by_one,
    "wrong, then put right": right_ways.put_right,
    "refused attempts": right_ways.refused_attempts,
    "a detour": right_ways.detours,
    "as left later": right_states.as_left_later,
    "another world": right_ways.other_worlds,
    "another order in another world": right_ways.orders_elsewhere,
    "another route": right_ways.other_routes,
    "answer said otherwise": answers.said_otherwise,
}
WRONG: Mapping[str, Operator] = {
    "half of a set": wrong_ways.half_of_a_set,
    "several writes left out": wrong_ways.several_left_out,
    "one more entity": wrong_ways.one_more,
    "somebody else's row": wrong_ways.somebody_elses,
    "entities exchanged": wrong_ways.exchanged,
    "amount rounded or scaled": wrong_ways.amounts,
    "two arguments changed": wrong_ways.two_arguments,
    "taken back afterwards": wrong_ways.taken_back,
    "status by another tool": wrong_ways.by_another_tool,
    "two columns changed": wrong_states.two_columns,
    "rows exchanged": wrong_states.rows_exchanged,
    "half of the rows undone": wrong_states.half_undone,
    "row of somebody else": wrong_states.for_somebody_else,
    "answer wrong": answers.said_wrong,
    "handed in wrong": answers.handed_in_wrong,
}
