from typing import Any
from urllib.parse import quote
from uuid import UUID

from ....calls import Request
from ...models.api_key_view import ApiKeyView


def request(
    id: UUID | str,
) -> Request:
    return Request(
        "GET",
        "/api-keys/{id}".format(
            id=quote(str(id), safe=""),
        ),
    )


def read(answer: Any) -> ApiKeyView:
    response_200 = ApiKeyView.from_dict(answer)

    return response_200
