from typing import Any
from urllib.parse import quote
from uuid import UUID

from ....calls import Request
from ...models.request_view import RequestView


def request(
    id: UUID | str,
) -> Request:
    return Request(
        "GET",
        "/reviews/{id}".format(
            id=quote(str(id), safe=""),
        ),
    )


def read(answer: Any) -> RequestView:
    response_200 = RequestView.from_dict(answer)

    return response_200
