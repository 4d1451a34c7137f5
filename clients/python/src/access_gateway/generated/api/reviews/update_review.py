from typing import Any
from urllib.parse import quote
from uuid import UUID

from ....calls import Request
from ...models.request_view import RequestView
from ...models.review_body import ReviewBody


def request(
    id: UUID | str,
    body: ReviewBody,
) -> Request:
    return Request(
        "PUT",
        "/reviews/{id}".format(
            id=quote(str(id), safe=""),
        ),
        body=body.to_dict(),
    )


def read(answer: Any) -> RequestView:
    response_200 = RequestView.from_dict(answer)

    return response_200
