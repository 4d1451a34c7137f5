from typing import Any

from ....calls import Request
from ...models.public_server_info_view import PublicServerInfoView


def request() -> Request:
    return Request(
        "GET",
        "/publicserverinfo",
    )


def read(answer: Any) -> PublicServerInfoView:
    response_200 = PublicServerInfoView.from_dict(answer)

    return response_200
