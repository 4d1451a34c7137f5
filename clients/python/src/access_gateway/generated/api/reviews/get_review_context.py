from typing import Any
from urllib.parse import quote
from uuid import UUID

from ....calls import Request
from ...models.review_context_view import ReviewContextView


def request(
    id: UUID | str,
) -> Request:
    return Request(
        "GET",
        "/reviews/{id}/context".format(
            id=quote(str(id), safe=""),
        ),
    )


def read(answer: Any) -> ReviewContextView:
    response_200 = ReviewContextView.from_dict(answer)

    return response_200
