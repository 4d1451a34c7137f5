from typing import Any

from ....calls import Request
from ...models.api_key_body import ApiKeyBody
from ...models.created_api_key_view import CreatedApiKeyView


def request(
    body: ApiKeyBody,
) -> Request:
    return Request(
        "POST",
        "/api-keys",
        body=body.to_dict(),
    )


def read(answer: Any) -> CreatedApiKeyView:
    response_201 = CreatedApiKeyView.from_dict(answer)

    return response_201
