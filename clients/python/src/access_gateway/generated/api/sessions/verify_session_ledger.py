from typing import Any

from ....calls import Request
from ...models.ledger_verification_view import LedgerVerificationView
from ...types import UNSET, Unset


def request(
    *,
    from_: int | Unset = UNSET,
    to: int | Unset = UNSET,
) -> Request:
    params: dict[str, Any] = {}

    params["from"] = from_

    params["to"] = to

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    return Request(
        "GET",
        "/sessions/verify",
        params=params,
    )


def read(answer: Any) -> LedgerVerificationView:
    response_200 = LedgerVerificationView.from_dict(answer)

    return response_200
