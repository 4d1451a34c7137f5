from urllib.parse import quote
from uuid import UUID

from ....calls import Request
from ...models.session_hold_body import SessionHoldBody


def request(
    session_id: UUID | str,
    body: SessionHoldBody,
) -> Request:
    return Request(
        "PUT",
        "/sessions/{session_id}/hold".format(
            session_id=quote(str(session_id), safe=""),
        ),
        body=body.to_dict(),
    )
