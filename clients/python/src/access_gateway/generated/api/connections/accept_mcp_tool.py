from typing import Any
from urllib.parse import quote

from ....calls import Request
from ...models.mcp_tool_view import McpToolView
from ...types import UNSET, Unset


def request(
    name_or_id: str,
    tool: str,
    *,
    if_match: str | Unset = UNSET,
) -> Request:
    headers: dict[str, Any] = {}
    if not isinstance(if_match, Unset):
        headers["If-Match"] = if_match

    return Request(
        "POST",
        "/connections/{name_or_id}/mcp-tools/{tool}/accept".format(
            name_or_id=quote(str(name_or_id), safe=""),
            tool=quote(str(tool), safe=""),
        ),
        headers=headers,
    )


def read(answer: Any) -> McpToolView:
    response_200 = McpToolView.from_dict(answer)

    return response_200
