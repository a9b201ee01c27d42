"""What models cost, and who says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from envolve.agents.llm import Usage, price_of
from envolve.agents.llm.pricing import Price, PriceList
from envolve.environments.errors import InputError

OWN = """
date: "2030-01-01"
models:
  "openai:gpt-5*": {input: 7, output: 8}
  "openai:gpt-5-mini": {input: 1, output: 2}
  "openai:*@http://127.0.0.1*": {input: 3, output: 4}
"""
UNUSABLE = [
    "models: [",
    "[]",
    "models: {a: {input: 1}}",
    "models: {a: {input: -1, output: 1}}",
    "models: {a: {input: .nan, output: 1}}",
]
MILLION = Usage(prompt=1_000_000, cached=400_000, completion=1_000_000)


def test_well_known_models_have_a_price() -> None:
    for name in ("openai:gpt-5", "openai:gpt-5-mini", "anthropic:claude-opus-4-5", "google_genai:gemini-2.5-pro"):
        price = price_of(name)
        assert price is not None
        assert 0 < price.input < price.output
        assert "price list" in price.source


def test_a_dated_model_costs_what_it_is_of() -> None:
    assert price_of("openai:gpt-5-2025-08-07") == price_of("openai:gpt-5")
    assert price_of("anthropic:claude-opus-4-5-20251101") == price_of("anthropic:claude-opus-4-5")
    assert price_of("openai:gpt-5-3000") is None


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1:8000", "localhost", "[::1]:1", "0.0.0.0", "10.1.2.3", "172.31.0.1", "192.168.0.9", "gpu.local"],
)
def test_a_server_of_ones_own_is_free_and_says_so(host: str) -> None:
    price = price_of(f"openai:gpt-5@http://{host}/v1")
    assert price is not None
    assert price.is_free
    assert "free" in price.source


@pytest.mark.parametrize(
    "host", ["openrouter.example", "127.0.0.1.example", "10.example", "172.32.0.1", "8.8.8.8", "local.example"]
)
def test_a_server_elsewhere_is_never_free(host: str) -> None:
    assert price_of(f"openai:unheard-of@https://{host}/v1") is None
    assert price_of(f"openai:gpt-5@https://{host}/v1") == price_of("openai:gpt-5")
    assert price_of(f"openai:gpt-5-2025-08-07@https://{host}/v1") == price_of("openai:gpt-5")


def test_a_servers_own_price_wins_over_its_models(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("own.yaml").write_text(
        'models: {"openai:gpt-5@https://cheap.example/v1": {input: 0.5, output: 1}}', encoding="utf-8"
    )
    monkeypatch.setenv("ENVOLVE_PRICES", "own.yaml")
    price = price_of("openai:gpt-5@https://cheap.example/v1")
    assert price is not None
    assert price.input == 0.5


def test_a_hosted_model_that_no_list_names_has_none() -> None:
    assert price_of("openai:unheard-of") is None


def test_cached_tokens_cost_less() -> None:
    assert Price(input=2, cached=0.5, output=10).cost(MILLION) == pytest.approx(0.6 * 2 + 0.4 * 0.5 + 10)
    assert Price(input=2, output=10).cost(MILLION) == pytest.approx(12)


def test_long_prompts_may_cost_more() -> None:
    price = PriceList.model_validate(
        {"models": {"a": {"input": 1, "output": 2, "long": {"above": 200_000, "input": 3, "output": 4}}}}
    ).models["a"]
    assert price.cost(Usage(prompt=200_000)) == pytest.approx(0.2)
    assert price.cost(Usage(prompt=200_001)) == pytest.approx(0.600003)


def test_the_users_own_list_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    own = Path("own.yaml")
    own.write_text(OWN, encoding="utf-8")
    monkeypatch.setenv("ENVOLVE_PRICES", str(own))
    found = {
        name: price.input
        for name in ("openai:gpt-5", "openai:gpt-5-mini", "openai:gpt-5.1", "openai:x@http://127.0.0.1:1/v1")
        if (price := price_of(name))
    }
    assert list(found.values()) == [7, 1, 7, 3]
    assert price_of("anthropic:claude-opus-4-5") is not None
    price = price_of("openai:gpt-5")
    assert price is not None
    assert price.source == "own.yaml (2030-01-01)"


def test_a_list_in_its_usual_place_is_found() -> None:
    folder = Path.home() / ".config" / "envolve"
    folder.mkdir(parents=True)
    (folder / "prices.yaml").write_text('models: {"openai:mine": {input: 1, output: 1}}', encoding="utf-8")
    assert price_of("openai:mine") is not None


@pytest.mark.parametrize("text", UNUSABLE)
def test_a_list_that_cannot_be_used_is_told(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("own.yaml").write_text(text, encoding="utf-8")
    monkeypatch.setenv("ENVOLVE_PRICES", "own.yaml")
    with pytest.raises(InputError, match=r"own\.yaml"):
        price_of("openai:gpt-5")


def test_a_list_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVOLVE_PRICES", "nowhere.yaml")
    with pytest.raises(InputError, match=r"nowhere\.yaml"):
        price_of("openai:gpt-5")
