from typing import Any
from urllib.parse import quote

from ....calls import Request
from ...models.attribute_view import AttributeView


def request(
    name: str,
) -> Request:
    return Request(
        "GET",
        "/attributes/{name}".format(
            name=quote(str(name), safe=""),
        ),
    )


def read(answer: Any) -> AttributeView:
    response_200 = AttributeView.from_dict(answer)

    return response_200
