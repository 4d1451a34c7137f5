from urllib.parse import quote
from uuid import UUID

from ....calls import Request


def request(
    session_id: UUID | str,
) -> Request:
    return Request(
        "POST",
        "/sessions/{session_id}/kill".format(
            session_id=quote(str(session_id), safe=""),
        ),
    )
