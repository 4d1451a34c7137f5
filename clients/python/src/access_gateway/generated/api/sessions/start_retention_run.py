from typing import Any

from ....calls import Request
from ...models.retention_run_view import RetentionRunView


def request() -> Request:
    return Request(
        "POST",
        "/retention/runs",
    )


def read(answer: Any) -> RetentionRunView:
    response_202 = RetentionRunView.from_dict(answer)

    return response_202
