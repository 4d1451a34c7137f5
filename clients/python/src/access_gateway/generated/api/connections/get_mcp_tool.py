from typing import Any
from urllib.parse import quote

from ....calls import Request
from ...models.mcp_tool_view import McpToolView


def request(
    name_or_id: str,
    tool: str,
) -> Request:
    return Request(
        "GET",
        "/connections/{name_or_id}/mcp-tools/{tool}".format(
            name_or_id=quote(str(name_or_id), safe=""),
            tool=quote(str(tool), safe=""),
        ),
    )


def read(answer: Any) -> McpToolView:
    response_200 = McpToolView.from_dict(answer)

    return response_200
