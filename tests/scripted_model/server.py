"""The server itself. Every connection and thread ends with `close`."""

from __future__ import annotations

import itertools
import json
import socket
import threading
from collections.abc import Callable
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Literal, NamedTuple

from .script import Failure, Script, failure
from .wire import Reply, chunks, completion, message_of


class Received(NamedTuple):
    """A call that arrived. Header names are in lower case."""

    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def text(self) -> str:
        """All that its messages say."""
        return "\n\n".join(str(message.get("content") or "") for message in self.body["messages"])


class ScriptedModel:
    """A model behind `url` (`name` in Envolve's form) that answers as it was told.

    `models` is what /v1/models lists (None: 404). `key`, if set, is the only one it takes. `refuses` are keys of a
    request that it answers with 400.
    """

    def __init__(self) -> None:
        self.requests: list[Received] = []
        self.models: list[str] | None = ["scripted"]
        self.key: str | None = None
        self.refuses: set[str] = set()
        self.script = Script()
        self._closed = False
        self.numbers = itertools.count(1)
        self._port = 0
        self._listener: _Listener | None = None
        self._wake: threading.Timer | None = None
        self.up()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}/v1"

    @property
    def name(self) -> str:
        return f"openai:scripted@{self.url}"

    def say(self, *replies: Reply) -> None:
        """Queue replies: text, a message ({"content", "tool_calls": [{"name", "arguments"}], "finish_reason", ...}), or
        what is to be sent as JSON text."""
        self.script.add(*(message_of(reply) for reply in replies))

    def fail(
        self,
        kind: int | str,
        *,
        times: int = 1,
        retry_after: float | str | None = None,
        message: str = "",
        code: str = "",
    ) -> None:
        """Queue failures: a status; `hang`, `drop` (in the middle of the body), `truncated` (half a JSON body),
        `malformed` (no choices), `page` (HTML); `empty`, `length`, `refusal`, `unknown tool`."""
        self.script.add(*(failure(kind, retry_after, message, code) for _ in range(times)))

    def answer(self, function: Callable[[dict[str, Any]], Reply | Failure]) -> None:
        """Answer what no queued reply is left for by calling this with the request's body (in several threads)."""
        self.script.follow(function)

    def play(self, path: Path, by: Literal["content", "order"] = "content") -> None:
        """Answer from a log of exchanges: by what was asked (messages, tools, response_format), or in its order."""
        self.script.load(path, by)

    def down(self, seconds: float) -> None:
        """Refuse connections for so long, or until `up`."""
        self._stop()
        self._wake = threading.Timer(seconds, self.up)
        self._wake.start()

    def up(self) -> None:
        if self._listener is None and not self._closed:
            self._listener = _Listener(self, self._port)
            self._port = self._listener.server_address[1]
            serve = partial(self._listener.serve_forever, poll_interval=0.02)
            threading.Thread(target=serve, daemon=True).start()

    def close(self) -> None:
        self._closed = True
        if self._wake is not None:
            self._wake.cancel()
            self._wake.join()
        self._stop()

    def _stop(self) -> None:
        listener, self._listener = self._listener, None
        if listener is not None:
            listener.end()


class _Listener(ThreadingHTTPServer):
    request_queue_size = 128

    def __init__(self, model: ScriptedModel, port: int) -> None:
        self.model = model
        self.ending = threading.Event()
        self._open: set[socket.socket] = set()
        self._handlers: list[threading.Thread] = []
        self._lock = threading.Lock()
        super().__init__(("127.0.0.1", port), _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._lock:
            self._open.add(request)
        # Daemons, joined by `end`: a script that breaks before it closes the server must not hang.
        thread = threading.Thread(target=self.process_request_thread, args=(request, client_address), daemon=True)
        self._handlers.append(thread)
        thread.start()

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._open.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that give up are part of what is tested."""

    def end(self) -> None:
        self.ending.set()
        self.shutdown()
        with self._lock:
            for connection in self._open:
                _break(connection)
        for thread in self._handlers:
            thread.join()
        self.server_close()


def _break(connection: socket.socket) -> None:
    try:
        connection.shutdown(socket.SHUT_RDWR)
    except OSError:
        return


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    @property
    def listener(self) -> _Listener:
        assert isinstance(self.server, _Listener)
        return self.server

    @property
    def model(self) -> ScriptedModel:
        return self.listener.model

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""

    def do_GET(self) -> None:
        listed = self.model.models
        if not self._may_enter():
            return
        if self.path.rstrip("/") == "/v1/models" and listed is not None:
            self._json(200, {"object": "list", "data": [{"id": name, "object": "model"} for name in listed]})
        else:
            self._refuse(Failure(404, "not found"))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
        if self.path.rstrip("/") != "/v1/chat/completions":
            self._refuse(Failure(404, f"no such call: {self.path}"))
            return
        self.model.requests.append(Received(body, {name.lower(): value for name, value in self.headers.items()}))
        if not self._may_enter():
            return
        refused = self.model.refuses & set(body)
        answer = Failure(400, f"{min(refused)} is not supported") if refused else self.model.script.next(body)
        if isinstance(answer, Failure):
            self._fail(answer, body)
        elif answer.get("status"):
            self._refuse(Failure(answer["status"], str(answer.get("content"))))
        else:
            self._complete(completion(body, answer, next(self.model.numbers)), stream=bool(body.get("stream")))

    def _may_enter(self) -> bool:
        given = self.headers.get("authorization", "").removeprefix("Bearer ")
        if self.model.key is None or given == self.model.key:
            return True
        # As some providers do: the key comes back in the message.
        self._refuse(Failure(401, f"Incorrect API key provided: {given}.", "invalid_api_key"))
        return False

    def _complete(self, whole: dict[str, Any], *, stream: bool) -> None:
        if not stream:
            self._json(200, whole)
            return
        self._send(200, b"".join(chunks(whole)), "text/event-stream")

    def _fail(self, how: Failure, body: dict[str, Any]) -> None:
        whole = json.dumps(completion(body, {"content": "x" * 200}, 0)).encode()
        match how.kind:
            case "hang":
                self.listener.ending.wait(60)
                self.close_connection = True
            case "drop":
                self._send(200, whole, length=len(whole) * 2)
                self.close_connection = True
            case "truncated":
                self._send(200, whole[: len(whole) // 2])
            case "malformed":
                self._json(200, {"id": "x", "object": "chat.completion", "choices": None})
            case "page":
                self._send(200, b"<html>Welcome</html>", "text/html")
            case _:
                self._refuse(how)

    def _refuse(self, how: Failure) -> None:
        assert isinstance(how.kind, int)
        error = {"message": how.message, "type": "scripted", "code": how.code or None}
        self._json(how.kind, {"error": error}, how.headers)

    def _json(self, status: int, payload: dict[str, Any], headers: dict[str, str] | None = None) -> None:
        self._send(status, json.dumps(payload).encode(), headers=headers)

    def _send(
        self,
        status: int,
        data: bytes,
        kind: str = "application/json",
        *,
        headers: dict[str, str] | None = None,
        length: int | None = None,
    ) -> None:
        self.send_response(status)
        for name, value in {"content-type": kind, **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(data) if length is None else length))
        self.end_headers()
        self.wfile.write(data)
