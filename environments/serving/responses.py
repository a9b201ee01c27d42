"""What both surfaces answer with when something is wrong."""

from __future__ import annotations

from typing import Final

from mcp_types import INVALID_REQUEST, ErrorData, JSONRPCError
from starlette.responses import JSONResponse, Response

from ..errors import EnvolveError

MAX_CONTROL_BODY: Final = 64 * 1024
"""Bytes. Requests on the control surface are small."""


def rpc_error(message: str, status: int) -> Response:
    """For the agent surface: a JSON-RPC error, whose message MCP clients show."""
    error = JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=INVALID_REQUEST, message=message))
    return Response(error.model_dump_json(by_alias=True), status_code=status, media_type="application/json")


def control_error(message: str, status: int, remedy: str = "") -> JSONResponse:
    """For the control surface: `{"error": {"message", "remedy"}}`."""
    return JSONResponse({"error": {"message": message, "remedy": remedy}}, status_code=status)


def told(error: EnvolveError, status: int) -> JSONResponse:
    return control_error(error.message, status, error.remedy)
