from typing import Any
from urllib.parse import quote

from ....calls import Request
from ...types import UNSET, Unset


def request(
    name: str,
    *,
    if_match: str | Unset = UNSET,
) -> Request:
    headers: dict[str, Any] = {}
    if not isinstance(if_match, Unset):
        headers["If-Match"] = if_match

    return Request(
        "DELETE",
        "/attributes/{name}".format(
            name=quote(str(name), safe=""),
        ),
        headers=headers,
    )
