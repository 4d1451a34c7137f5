from typing import Any
from urllib.parse import quote
from uuid import UUID

from ....calls import Request
from ...models.session_verification_view import SessionVerificationView


def request(
    session_id: UUID | str,
) -> Request:
    return Request(
        "GET",
        "/sessions/{session_id}/verify".format(
            session_id=quote(str(session_id), safe=""),
        ),
    )


def read(answer: Any) -> SessionVerificationView:
    response_200 = SessionVerificationView.from_dict(answer)

    return response_200
