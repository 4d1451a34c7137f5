from urllib.parse import quote
from uuid import UUID

from ....calls import Request
from ...models.session_metadata_body import SessionMetadataBody


def request(
    session_id: UUID | str,
    body: SessionMetadataBody,
) -> Request:
    return Request(
        "PATCH",
        "/sessions/{session_id}/metadata".format(
            session_id=quote(str(session_id), safe=""),
        ),
        body=body.to_dict(),
    )
