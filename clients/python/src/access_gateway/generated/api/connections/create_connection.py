from typing import Any

from ....calls import Request
from ...models.checked_connection_view import CheckedConnectionView
from ...models.connection_body import ConnectionBody


def request(
    body: ConnectionBody,
) -> Request:
    return Request(
        "POST",
        "/connections",
        body=body.to_dict(),
    )


def read(answer: Any) -> CheckedConnectionView:
    response_201 = CheckedConnectionView.from_dict(answer)

    return response_201
