from urllib.parse import quote
from uuid import UUID

from ....calls import Request


def request(
    id: UUID | str,
) -> Request:
    return Request(
        "DELETE",
        "/mcp-authorizations/{id}".format(
            id=quote(str(id), safe=""),
        ),
    )
