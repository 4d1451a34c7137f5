from typing import Any
from urllib.parse import quote

from ....calls import Request
from ...models.attribute_change_body import AttributeChangeBody
from ...models.attribute_view import AttributeView
from ...types import UNSET, Unset


def request(
    name: str,
    body: AttributeChangeBody,
    *,
    if_match: str | Unset = UNSET,
) -> Request:
    headers: dict[str, Any] = {}
    if not isinstance(if_match, Unset):
        headers["If-Match"] = if_match

    return Request(
        "PUT",
        "/attributes/{name}".format(
            name=quote(str(name), safe=""),
        ),
        headers=headers,
        body=body.to_dict(),
    )


def read(answer: Any) -> AttributeView:
    response_200 = AttributeView.from_dict(answer)

    return response_200
