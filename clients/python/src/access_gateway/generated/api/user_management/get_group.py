from typing import Any
from urllib.parse import quote

from ....calls import Request
from ...models.group_view import GroupView


def request(
    name: str,
) -> Request:
    return Request(
        "GET",
        "/groups/{name}".format(
            name=quote(str(name), safe=""),
        ),
    )


def read(answer: Any) -> GroupView:
    response_200 = GroupView.from_dict(answer)

    return response_200
