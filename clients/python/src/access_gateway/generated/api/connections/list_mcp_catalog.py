from typing import Any

from ....calls import Request
from ...models.catalog_entry_view import CatalogEntryView


def request() -> Request:
    return Request(
        "GET",
        "/mcp-catalog",
    )


def read(answer: Any) -> list[CatalogEntryView]:
    response_200 = []
    _response_200 = answer
    for response_200_item_data in _response_200:
        response_200_item = CatalogEntryView.from_dict(response_200_item_data)

        response_200.append(response_200_item)

    return response_200
