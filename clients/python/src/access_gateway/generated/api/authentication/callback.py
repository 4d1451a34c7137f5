from typing import Any

from ....calls import Request
from ...types import UNSET, Unset


def request(
    *,
    error: str | Unset = UNSET,
    code: str | Unset = UNSET,
    state: str,
) -> Request:
    params: dict[str, Any] = {}

    params["error"] = error

    params["code"] = code

    params["state"] = state

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    return Request(
        "GET",
        "/callback",
        params=params,
    )
