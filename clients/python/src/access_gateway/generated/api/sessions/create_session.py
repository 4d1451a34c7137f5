from typing import Any

from ....calls import Request
from ...models.exec_body import ExecBody
from ...models.exec_view import ExecView


def request(
    body: ExecBody,
) -> Request:
    return Request(
        "POST",
        "/sessions",
        body=body.to_dict(),
    )


def read(answer: Any) -> ExecView:
    response_200 = ExecView.from_dict(answer)

    return response_200
