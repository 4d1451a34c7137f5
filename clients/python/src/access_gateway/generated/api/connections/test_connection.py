from typing import Any
from urllib.parse import quote

from ....calls import Request
from ...models.reach_view import ReachView


def request(
    name_or_id: str,
) -> Request:
    return Request(
        "GET",
        "/connections/{name_or_id}/test".format(
            name_or_id=quote(str(name_or_id), safe=""),
        ),
    )


def read(answer: Any) -> ReachView:
    response_200 = ReachView.from_dict(answer)

    return response_200
