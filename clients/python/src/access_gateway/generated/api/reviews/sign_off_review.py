from typing import Any
from urllib.parse import quote
from uuid import UUID

from ....calls import Request
from ...models.request_view import RequestView
from ...models.sign_off_body import SignOffBody


def request(
    id: UUID | str,
    body: SignOffBody,
) -> Request:
    return Request(
        "POST",
        "/reviews/{id}/sign-off".format(
            id=quote(str(id), safe=""),
        ),
        body=body.to_dict(),
    )


def read(answer: Any) -> RequestView:
    response_200 = RequestView.from_dict(answer)

    return response_200
