from typing import Any
from urllib.parse import quote
from uuid import UUID

from ....calls import Request
from ...types import UNSET, Unset


def request(
    session_id: UUID | str,
    *,
    last_event_id: str | Unset = UNSET,
) -> Request:
    headers: dict[str, Any] = {}
    if not isinstance(last_event_id, Unset):
        headers["Last-Event-ID"] = last_event_id

    return Request(
        "GET",
        "/sessions/{session_id}/stream".format(
            session_id=quote(str(session_id), safe=""),
        ),
        headers=headers,
    )
