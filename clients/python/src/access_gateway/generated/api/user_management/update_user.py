from typing import Any
from urllib.parse import quote

from ....calls import Request
from ...models.user_change_body import UserChangeBody
from ...models.user_view import UserView
from ...types import UNSET, Unset


def request(
    id: str,
    body: UserChangeBody,
    *,
    if_match: str | Unset = UNSET,
) -> Request:
    headers: dict[str, Any] = {}
    if not isinstance(if_match, Unset):
        headers["If-Match"] = if_match

    return Request(
        "PATCH",
        "/users/{id}".format(
            id=quote(str(id), safe=""),
        ),
        headers=headers,
        body=body.to_dict(),
    )


def read(answer: Any) -> UserView:
    response_200 = UserView.from_dict(answer)

    return response_200
