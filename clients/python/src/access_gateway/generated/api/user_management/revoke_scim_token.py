from typing import Any
from urllib.parse import quote
from uuid import UUID

from ....calls import Request
from ...types import UNSET, Unset


def request(
    id: UUID | str,
    *,
    if_match: str | Unset = UNSET,
) -> Request:
    headers: dict[str, Any] = {}
    if not isinstance(if_match, Unset):
        headers["If-Match"] = if_match

    return Request(
        "DELETE",
        "/scim-tokens/{id}".format(
            id=quote(str(id), safe=""),
        ),
        headers=headers,
    )
