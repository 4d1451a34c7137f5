from typing import Any

from ....calls import Request
from ...models.credential_page import CredentialPage
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
        "/connection-credentials",
        params=params,
    )


def read(answer: Any) -> CredentialPage:
    response_200 = CredentialPage.from_dict(answer)

    return response_200
