from typing import Any
from urllib.parse import quote

from ....calls import Request
from ...types import UNSET, Unset


def request(
    name_or_id: str,
    *,
    if_match: str | Unset = UNSET,
) -> Request:
    headers: dict[str, Any] = {}
    if not isinstance(if_match, Unset):
        headers["If-Match"] = if_match

    return Request(
        "DELETE",
        "/connections/{name_or_id}".format(
            name_or_id=quote(str(name_or_id), safe=""),
        ),
        headers=headers,
    )
