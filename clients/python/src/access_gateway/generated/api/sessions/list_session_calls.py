from typing import Any
from urllib.parse import quote
from uuid import UUID

from ....calls import Request
from ...models.session_call_page import SessionCallPage
from ...types import UNSET, Unset


def request(
    session_id: UUID | str,
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
        "/sessions/{session_id}/mcp-calls".format(
            session_id=quote(str(session_id), safe=""),
        ),
        params=params,
    )


def read(answer: Any) -> SessionCallPage:
    response_200 = SessionCallPage.from_dict(answer)

    return response_200
