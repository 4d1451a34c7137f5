from typing import Any

from ....calls import Request
from ...models.user_body import UserBody
from ...models.user_view import UserView


def request(
    body: UserBody,
) -> Request:
    return Request(
        "POST",
        "/users",
        body=body.to_dict(),
    )


def read(answer: Any) -> UserView:
    response_201 = UserView.from_dict(answer)

    return response_201
