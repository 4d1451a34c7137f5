from typing import Any

from ....calls import Request
from ...models.health_view import HealthView


def request() -> Request:
    return Request(
        "GET",
        "/healthz",
    )


def read(answer: Any) -> HealthView:
    response_200 = HealthView.from_dict(answer)

    return response_200
