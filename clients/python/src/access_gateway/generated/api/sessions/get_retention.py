from typing import Any

from ....calls import Request
from ...models.retention_view import RetentionView


def request() -> Request:
    return Request(
        "GET",
        "/retention",
    )


def read(answer: Any) -> RetentionView:
    response_200 = RetentionView.from_dict(answer)

    return response_200
