from typing import Any

from ....calls import Request
from ...models.created_scim_token_view import CreatedScimTokenView
from ...models.scim_token_body import ScimTokenBody


def request(
    body: ScimTokenBody,
) -> Request:
    return Request(
        "POST",
        "/scim-tokens",
        body=body.to_dict(),
    )


def read(answer: Any) -> CreatedScimTokenView:
    response_201 = CreatedScimTokenView.from_dict(answer)

    return response_201
