from typing import Any
from urllib.parse import quote
from uuid import UUID

from ....calls import Request
from ...models.scim_token_view import ScimTokenView


def request(
    id: UUID | str,
) -> Request:
    return Request(
        "GET",
        "/scim-tokens/{id}".format(
            id=quote(str(id), safe=""),
        ),
    )


def read(answer: Any) -> ScimTokenView:
    response_200 = ScimTokenView.from_dict(answer)

    return response_200
