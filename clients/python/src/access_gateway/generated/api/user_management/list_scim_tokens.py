from typing import Any

from ....calls import Request
from ...models.scim_token_page import ScimTokenPage
from ...types import UNSET, Unset


def request(
    *,
    page: int | Unset = 1,
    page_size: int | Unset = 1000,
) -> Request:
    params: dict[str, Any] = {}

    params["page"] = page

    params["page_size"] = page_size

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    return Request(
        "GET",
        "/scim-tokens",
        params=params,
    )


def read(answer: Any) -> ScimTokenPage:
    response_200 = ScimTokenPage.from_dict(answer)

    return response_200
