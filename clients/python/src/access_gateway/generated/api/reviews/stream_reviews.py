from typing import Any

from ....calls import Request
from ...types import UNSET, Unset


def request(
    *,
    seconds: int | Unset = 900,
) -> Request:
    params: dict[str, Any] = {}

    params["seconds"] = seconds

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    return Request(
        "GET",
        "/reviews/stream",
        params=params,
    )
