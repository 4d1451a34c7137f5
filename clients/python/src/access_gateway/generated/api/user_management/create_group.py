from typing import Any

from ....calls import Request
from ...models.group_body import GroupBody
from ...models.group_view import GroupView


def request(
    body: GroupBody,
) -> Request:
    return Request(
        "POST",
        "/groups",
        body=body.to_dict(),
    )


def read(answer: Any) -> GroupView:
    response_201 = GroupView.from_dict(answer)

    return response_201
