from typing import Any
from urllib.parse import quote

from ....calls import Request
from ...models.tables_view import TablesView
from ...types import UNSET, Unset


def request(
    name_or_id: str,
    *,
    database: str | Unset = UNSET,
    schema: str | Unset = UNSET,
) -> Request:
    params: dict[str, Any] = {}

    params["database"] = database

    params["schema"] = schema

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    return Request(
        "GET",
        "/connections/{name_or_id}/tables".format(
            name_or_id=quote(str(name_or_id), safe=""),
        ),
        params=params,
    )


def read(answer: Any) -> TablesView:
    response_200 = TablesView.from_dict(answer)

    return response_200
