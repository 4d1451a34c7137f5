from typing import Any

from ....calls import Request
from ...models.ssh_public_key_page import SshPublicKeyPage
from ...types import UNSET, Unset


def request(
    *,
    page: int | Unset = 1,
    page_size: int | Unset = 1000,
    user: str | Unset = UNSET,
) -> Request:
    params: dict[str, Any] = {}

    params["page"] = page

    params["page_size"] = page_size

    params["user"] = user

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    return Request(
        "GET",
        "/ssh-public-keys",
        params=params,
    )


def read(answer: Any) -> SshPublicKeyPage:
    response_200 = SshPublicKeyPage.from_dict(answer)

    return response_200
