from typing import Any

from ....calls import Request
from ...models.server_info_view import ServerInfoView


def request() -> Request:
    return Request(
        "GET",
        "/serverinfo",
    )


def read(answer: Any) -> ServerInfoView:
    response_200 = ServerInfoView.from_dict(answer)

    return response_200
