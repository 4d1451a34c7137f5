from typing import Any

from ....calls import Request
from ...models.attribute_body import AttributeBody
from ...models.attribute_view import AttributeView


def request(
    body: AttributeBody,
) -> Request:
    return Request(
        "POST",
        "/attributes",
        body=body.to_dict(),
    )


def read(answer: Any) -> AttributeView:
    response_201 = AttributeView.from_dict(answer)

    return response_201
