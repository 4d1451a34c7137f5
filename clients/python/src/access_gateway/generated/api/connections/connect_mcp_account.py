from typing import Any
from urllib.parse import quote

from ....calls import Request
from ...models.mcp_connect_view import McpConnectView


def request(
    name_or_id: str,
) -> Request:
    return Request(
        "POST",
        "/connections/{name_or_id}/mcp-connect".format(
            name_or_id=quote(str(name_or_id), safe=""),
        ),
    )


def read(answer: Any) -> McpConnectView:
    response_200 = McpConnectView.from_dict(answer)

    return response_200
