"""What of a long conversation a model is still shown."""

from __future__ import annotations

import json

import pytest

from envolve.agents.solvers.llm.history import History
from envolve.agents.solvers.llm.wire import RESULT_CHARS, result_message
from envolve.environments.models import CallResult
from envolve.eval.errors import LimitReached


def test_history_shortens_old_results_before_it_drops_turns() -> None:
    start = ({"role": "system", "content": "s"}, {"role": "user", "content": "the task"})
    history = History(start, (), 3_000)
    for turn in range(8):
        said = {"role": "assistant", "content": "", "tool_calls": []}
        history.add([said, {"role": "tool", "tool_call_id": f"{turn}", "content": str(turn) * 3_000}])
        messages = history.messages()
        assert messages[:2] == start
        assert messages[-1]["content"] == str(turn) * 3_000
        assert len(json.dumps(messages)) < 9_000 + 200
    results = [message["content"] for message in messages if message["role"] == "tool"]
    assert len(results) == 8
    assert all("shortened" in result for result in results[:5])


def test_history_drops_what_does_not_fit_and_says_so() -> None:
    start = ({"role": "user", "content": "the task"},)
    history = History(start, (), 1_000)
    for turn in range(6):
        history.add([{"role": "assistant", "content": str(turn) * 1_000}])
        messages = history.messages()
    assert messages[0] == start[0]
    assert "Earlier turns" in messages[1]["content"]
    assert messages[-1]["content"] == "5" * 1_000
    huge = [{"role": "tool", "tool_call_id": f"{call}", "content": "r" * 3_000} for call in range(4)]
    history.add([{"role": "assistant", "content": ""}, *huge])
    messages = history.messages()
    assert [len(message["content"]) for message in messages[-4:]] == [len(messages[-1]["content"])] * 4
    assert 400 < len(messages[-1]["content"]) < 700
    history.add([{"role": "assistant", "content": "x" * 10_000}])
    with pytest.raises(LimitReached, match="context"):
        history.messages()


@pytest.mark.parametrize(("pages", "how"), [(("limit", "offset"), "offset"), (None, "narrow")])
def test_huge_results_are_cut_and_say_how_to_go_on(pages: tuple[str, str] | None, how: str) -> None:
    result = CallResult(ok=True, value={"items": ["x" * 100] * 1_000})
    text = result_message(result, 0, 0, pages=pages)["content"]
    assert len(text) < RESULT_CHARS + 200
    assert "more characters" in text
    assert how in text[RESULT_CHARS:]
