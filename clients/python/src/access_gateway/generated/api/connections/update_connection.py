from typing import Any
from urllib.parse import quote

from ....calls import Request
from ...models.checked_connection_view import CheckedConnectionView
from ...models.connection_body import ConnectionBody
from ...types import UNSET, Unset


def request(
    name_or_id: str,
    body: ConnectionBody,
    *,
    if_match: str | Unset = UNSET,
) -> Request:
    headers: dict[str, Any] = {}
    if not isinstance(if_match, Unset):
        headers["If-Match"] = if_match

    return Request(
        "PUT",
        "/connections/{name_or_id}".format(
            name_or_id=quote(str(name_or_id), safe=""),
        ),
        headers=headers,
        body=body.to_dict(),
    )


def read(answer: Any) -> CheckedConnectionView:
    response_200 = CheckedConnectionView.from_dict(answer)

    return response_200
