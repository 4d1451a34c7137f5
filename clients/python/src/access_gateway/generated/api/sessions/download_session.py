from typing import Any
from urllib.parse import quote
from uuid import UUID

from ....calls import Request
from ...types import UNSET


def request(
    session_id: UUID | str,
    *,
    token: str,
) -> Request:
    params: dict[str, Any] = {}

    params["token"] = token

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    return Request(
        "GET",
        "/sessions/{session_id}/download".format(
            session_id=quote(str(session_id), safe=""),
        ),
        params=params,
    )
