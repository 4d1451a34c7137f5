from typing import Any

from ....calls import Request
from ...models.user_info_view import UserInfoView


def request() -> Request:
    return Request(
        "GET",
        "/userinfo",
    )


def read(answer: Any) -> UserInfoView:
    response_200 = UserInfoView.from_dict(answer)

    return response_200
