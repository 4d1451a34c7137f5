from typing import Any

from ....calls import Request
from ...models.user_page import UserPage
from ...types import UNSET, Unset


def request(
    *,
    page: int | Unset = 1,
    page_size: int | Unset = 1000,
    search: str | Unset = UNSET,
) -> Request:
    params: dict[str, Any] = {}

    params["page"] = page

    params["page_size"] = page_size

    params["search"] = search

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    return Request(
        "GET",
        "/users",
        params=params,
    )


def read(answer: Any) -> UserPage:
    response_200 = UserPage.from_dict(answer)

    return response_200
