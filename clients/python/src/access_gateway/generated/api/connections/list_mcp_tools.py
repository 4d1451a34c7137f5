from typing import Any
from urllib.parse import quote

from ....calls import Request
from ...models.mcp_tool_page import McpToolPage
from ...types import UNSET, Unset


def request(
    name_or_id: str,
    *,
    page: int | Unset = 1,
    page_size: int | Unset = 1000,
) -> Request:
    params: dict[str, Any] = {}

    params["page"] = page

    params["page_size"] = page_size

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    return Request(
        "GET",
        "/connections/{name_or_id}/mcp-tools".format(
            name_or_id=quote(str(name_or_id), safe=""),
        ),
        params=params,
    )


def read(answer: Any) -> McpToolPage:
    response_200 = McpToolPage.from_dict(answer)

    return response_200
