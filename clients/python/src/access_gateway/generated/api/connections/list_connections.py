from typing import Any

from ....calls import Request
from ...models.connection_page import ConnectionPage
from ...types import UNSET, Unset


def request(
    *,
    page: int | Unset = 1,
    page_size: int | Unset = 1000,
    search: str | Unset = UNSET,
    type_: str | Unset = UNSET,
    subtype: str | Unset = UNSET,
    attribute: str | Unset = UNSET,
    tag_selector: str | Unset = UNSET,
) -> Request:
    params: dict[str, Any] = {}

    params["page"] = page

    params["page_size"] = page_size

    params["search"] = search

    params["type"] = type_

    params["subtype"] = subtype

    params["attribute"] = attribute

    params["tag_selector"] = tag_selector

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    return Request(
        "GET",
        "/connections",
        params=params,
    )


def read(answer: Any) -> ConnectionPage:
    response_200 = ConnectionPage.from_dict(answer)

    return response_200
