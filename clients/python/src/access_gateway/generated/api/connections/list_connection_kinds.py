from typing import Any

from ....calls import Request
from ...models.connection_kind_list import ConnectionKindList


def request() -> Request:
    return Request(
        "GET",
        "/connection-kinds",
    )


def read(answer: Any) -> ConnectionKindList:
    response_200 = ConnectionKindList.from_dict(answer)

    return response_200
