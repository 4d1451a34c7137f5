from typing import Any

from ....calls import Request
from ...models.readiness_view import ReadinessView


def request() -> Request:
    return Request(
        "GET",
        "/readyz",
    )


def read(answer: Any) -> ReadinessView:
    response_200 = ReadinessView.from_dict(answer)

    return response_200
