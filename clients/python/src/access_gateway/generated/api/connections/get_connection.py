from typing import Any
from urllib.parse import quote

from ....calls import Request
from ...models.connection_view import ConnectionView


def request(
    name_or_id: str,
) -> Request:
    return Request(
        "GET",
        "/connections/{name_or_id}".format(
            name_or_id=quote(str(name_or_id), safe=""),
        ),
    )


def read(answer: Any) -> ConnectionView:
    response_200 = ConnectionView.from_dict(answer)

    return response_200
