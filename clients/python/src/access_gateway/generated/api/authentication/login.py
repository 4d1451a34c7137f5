from typing import Any

from ....calls import Request
from ...models.login_portal import LoginPortal
from ...models.login_view import LoginView
from ...types import UNSET, Unset


def request(
    *,
    redirect: str | Unset = UNSET,
    portal: LoginPortal | Unset = UNSET,
) -> Request:
    params: dict[str, Any] = {}

    params["redirect"] = redirect

    json_portal: str | Unset = UNSET
    if not isinstance(portal, Unset):
        json_portal = portal.value

    params["portal"] = json_portal

    params = {k: v for k, v in params.items() if v is not UNSET and v is not None}

    return Request(
        "GET",
        "/login",
        params=params,
    )


def read(answer: Any) -> LoginView:
    response_200 = LoginView.from_dict(answer)

    return response_200
