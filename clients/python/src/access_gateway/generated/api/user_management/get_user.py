from typing import Any
from urllib.parse import quote

from ....calls import Request
from ...models.user_view import UserView


def request(
    id: str,
) -> Request:
    return Request(
        "GET",
        "/users/{id}".format(
            id=quote(str(id), safe=""),
        ),
    )


def read(answer: Any) -> UserView:
    response_200 = UserView.from_dict(answer)

    return response_200
