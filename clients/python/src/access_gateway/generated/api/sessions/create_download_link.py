from typing import Any
from urllib.parse import quote
from uuid import UUID

from ....calls import Request
from ...models.download_link_body import DownloadLinkBody
from ...models.download_link_view import DownloadLinkView


def request(
    session_id: UUID | str,
    body: DownloadLinkBody,
) -> Request:
    return Request(
        "POST",
        "/sessions/{session_id}/download-links".format(
            session_id=quote(str(session_id), safe=""),
        ),
        body=body.to_dict(),
    )


def read(answer: Any) -> DownloadLinkView:
    response_201 = DownloadLinkView.from_dict(answer)

    return response_201
